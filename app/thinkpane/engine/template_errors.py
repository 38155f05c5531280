"""Every way a template can fail, as one Problem with its place in the template and in the conversation.

Templates end in far more than TemplateErrors: SyntaxErrors of the Python that Jinja generates, RecursionError,
MemoryError, TypeError, … (reference: 46 of 144 hostile templates, and ordinary typos).
"""

import re
from collections.abc import Iterator, Sequence
from types import FrameType, TracebackType

import jinja2
from jinja2 import nodes
from jinja2.exceptions import SecurityError, TemplateError, TemplateSyntaxError, UndefinedError
from jinja2.parser import Parser
from jinja2.utils import internal_code

from thinkpane.engine.environment import generated_python
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

WORDS_SHOWN = 4000
"""Characters of a template's own message that are passed on; it may raise megabytes."""

_SCOPE = re.compile(r"l_(\d+)_(.+)", re.DOTALL)


def compile_problem(error: Exception, source: str) -> Problem:
    """What went wrong while `source` was parsed or compiled."""
    line, column = _compile_place(error, source)
    return Problem(_kind(error), _sentence(error), line, column, detail=_detail(error, ()))


def render_problem(
    error: Exception, source: str, messages: Sequence[JsonObject], printing: int | None = None
) -> Problem:
    """What went wrong while the template ran over `messages` (the very objects that it was given).

    printing: the line that printed last, for faults that only show in what it printed.
    """
    frames = list(_template_frames(error.__traceback__))
    line = frames[-1][1] if frames else printing
    index, field = _message_place(frames, source, messages)
    callers = tuple(at for _frame, at in frames[:-1])
    return Problem(_kind(error), _sentence(error), line, None, index, field, _detail(error, callers))


def _kind(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "memory"
    return "recursion" if isinstance(error, RecursionError) else "template"


def _sentence(error: Exception) -> str:
    own = error.msg if isinstance(error, SyntaxError) else _text(error)
    if isinstance(error, MemoryError):
        return "The template needs more memory than a render may have."
    if isinstance(error, RecursionError):
        return f"The template nests or calls itself too deeply: {own}"
    if isinstance(error, TemplateSyntaxError | SyntaxError):
        return f"The template's syntax is wrong: {own}"
    if isinstance(error, SecurityError):
        return f"The template does what the sandbox forbids: {own}"
    if isinstance(error, UndefinedError):
        return f"The template uses a value that is missing: {own}"
    if type(error) is TemplateError:
        return f"The template refuses this conversation: {own}"
    return f"The template failed: {own}"


def _text(error: Exception) -> str:
    try:
        own = str(error.args[0] if isinstance(error, TemplateError) and error.args else error) or type(error).__name__
    except Exception:  # noqa: BLE001 - a template may raise any value, of any size
        own = type(error).__name__
    return own if len(own) <= WORDS_SHOWN else own[:WORDS_SHOWN] + "…"


def _detail(error: Exception, callers: Sequence[int]) -> dict[str, object]:
    found: dict[str, object] = {"class": type(error).__name__}
    if callers:
        found["via"] = list(callers)
    return found


def _compile_place(error: Exception, source: str) -> tuple[int | None, int | None]:
    if isinstance(error, TemplateSyntaxError):
        return error.lineno, _column(error, source)
    if isinstance(error, SyntaxError):
        return _line_of_generated(source, error.lineno), None
    return _line_of_tree(error.__traceback__), None


def _column(error: TemplateSyntaxError, source: str) -> int | None:
    # Jinja keeps columns only for characters that its lexer does not know, as an offset into the whole source.
    found = re.fullmatch(r"unexpected char .* at (\d+)", error.message or "", re.DOTALL)
    if not found:
        return None
    text = re.sub(r"\r\n|\r", "\n", source)[: int(found[1])]
    return len(text) - (text.rfind("\n") + 1) + 1


def _line_of_generated(source: str, line: int | None) -> int | None:
    table = re.search(r"^debug_info = '([\d=&]*)'$", generated_python(source), re.MULTILINE)
    best = None
    for pair in table[1].split("&") if table and table[1] else ():
        template_line, python_line = map(int, pair.split("="))
        if line is not None and python_line <= line:
            best = template_line
    return best


def _line_of_tree(trace: TracebackType | None) -> int | None:
    """The line of the node that was last worked on when the parser or the compiler gave up."""
    found = None
    for frame in _frames(trace):
        node, worker = frame.f_locals.get("node"), frame.f_locals.get("self")
        if isinstance(node, nodes.Node) and getattr(node, "lineno", None):
            found = node.lineno
        elif isinstance(worker, Parser):
            found = worker.stream.current.lineno
    return found


def _frames(trace: TracebackType | None) -> Iterator[FrameType]:
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _template_frames(trace: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
    while trace is not None:
        template = trace.tb_frame.f_globals.get("__jinja_template__")
        # Code that jinja marks as its own (what stands in for an unknown filter) belongs to none of the lines.
        if isinstance(template, jinja2.Template) and trace.tb_frame.f_code not in internal_code:
            yield trace.tb_frame, template.get_corresponding_lineno(trace.tb_lineno)
        trace = trace.tb_next


def _message_place(
    frames: Sequence[tuple[FrameType, int]], source: str, messages: Sequence[JsonObject]
) -> tuple[int | None, str | None]:
    """The message at hand: the innermost frame's variable that *is* one of the messages, or one of their values."""
    whole = {id(each): index for index, each in enumerate(messages)}
    pieces = _pieces(messages)
    inner_field: tuple[int, str] | None = None
    for frame, line in reversed(frames):
        for depth, name, value in _variables(frame):
            # What was set outside of every loop stays set: it counts only where the failing line reads it.
            if depth == 0 and not re.search(rf"\b{re.escape(name)}\b", _line_text(source, line)):
                continue
            if id(value) in whole:
                index = whole[id(value)]
                if inner_field and inner_field[0] == index:
                    return inner_field
                return index, _only_field(source, line, name)
            if inner_field is None:
                inner_field = pieces.get(id(value))
    return inner_field or (None, None)


def _pieces(messages: Sequence[JsonObject]) -> dict[int, tuple[int, str]]:
    """Each list and object inside of a message, by identity: the message's index and the field it lies in."""
    found: dict[int, tuple[int, str]] = {}
    for index, each in enumerate(messages):
        for name, value in each.items():
            waiting: list[JsonValue] = [value]
            while waiting:
                inner = waiting.pop()
                if isinstance(inner, dict | list):
                    found[id(inner)] = (index, name)
                    waiting.extend(inner.values() if isinstance(inner, dict) else inner)
    return found


def _variables(frame: FrameType) -> list[tuple[int, str, object]]:
    """The template's variables in a frame, innermost scope first; within a scope a loop's target comes first."""
    found: list[tuple[int, str, object]] = []
    for name, value in frame.f_locals.items():
        match = _SCOPE.fullmatch(name)
        if match:
            found.append((int(match[1]), match[2], value))
    return sorted(found, key=lambda each: -each[0])


def _only_field(source: str, line: int, name: str) -> str | None:
    """The one field of variable `name` that the template's line reads; None where it reads none or several."""
    pattern = rf"\b{re.escape(name)}(?:\.(\w+)|\[\s*['\"](\w+)['\"]\s*\])"
    read = {first or second for first, second in re.findall(pattern, _line_text(source, line))}
    return read.pop() if len(read) == 1 else None


def _line_text(source: str, line: int) -> str:
    lines = re.split(r"\r\n|\r|\n", source)
    return lines[line - 1] if 0 < line <= len(lines) else ""

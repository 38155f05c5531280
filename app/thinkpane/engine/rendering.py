"""The jobs "render" and "render_many", as the worker process runs them: a request in, its text or problem out."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import Any, TypeVar, cast

import jinja2

from thinkpane.engine.continuing import Continuation, continuation
from thinkpane.engine.environment import Clock, compiled
from thinkpane.engine.kept import CHUNKS
from thinkpane.engine.normalise import check_tools, fault, message_objects, normalised
from thinkpane.engine.request import Ends
from thinkpane.engine.template_errors import compile_problem, render_problem
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

OUTPUT_CAP = 16 * 1024 * 1024
"""Bytes of UTF-8 that a prompt may have (docs/architecture.md, Caps)."""

MOST_CHUNKS = 65_536
"""Chunks of a prompt up to which they are kept beside it; a template can print a million of one character each."""

MEMORY_OF_TEXT = 2 * OUTPUT_CAP
"""Bytes that a prompt may take in memory: one wide character makes every other one as wide."""

EXHAUSTED = ("memory", "recursion")
"""Kinds of problem after which a worker is not trusted any more: unwinding may have left it crippled."""


_Value = TypeVar("_Value")


def render_job(payload: JsonObject) -> JsonObject:
    """One render: a RenderRequest's JSON in; {text, milliseconds} or {problem} out, with `spent` where the worker
    should be replaced."""
    try:
        ready = prepared(payload)
        _compiled(ready.source)
        started = perf_counter()
        text, chunks = _printed(ready)
    except ThinkpaneError as error:
        problem = error.problem
    else:
        found: JsonObject = {"text": text, "milliseconds": round((perf_counter() - started) * 1000, 3)}
        return found | {CHUNKS: cast("list[JsonValue]", chunks)} if 0 < len(chunks) <= MOST_CHUNKS else found
    return problem_result(problem)


def problem_result(problem: Problem) -> JsonObject:
    """A job's result where the render failed."""
    found = cast("JsonObject", {"problem": problem.as_json()})
    return found | {"spent": True} if problem.kind in EXHAUSTED else found


def render_many_job(payload: JsonObject) -> JsonObject:
    """Many renders in one go: {requests} in, {results} out in order; equal sources are compiled once.

    Together they may print what two prompts at the cap would; those past it have the problem of kind "output".
    """
    results: list[JsonValue] = []
    spent = False
    left = MEMORY_OF_TEXT
    for request in cast("list[JsonObject]", payload["requests"]):
        result = render_job(request)
        left -= sys.getsizeof(result.get("text"))
        if left < 0:
            result = problem_result(_too_much().problem)
        spent = bool(result.pop("spent", False)) or spent
        results.append(result)
    found: JsonObject = {"results": results}
    return found | {"spent": True} if spent else found


@dataclass(frozen=True, slots=True)
class Prepared:
    """A render that is ready to run: what the template gets, and where its final message goes on."""

    source: str
    context: JsonObject
    messages: list[JsonObject]
    now: datetime | None
    going_on: Continuation | None
    ends: Ends

    def kept(self, text: str) -> tuple[int, int]:
        """Where the part of a rendered text lies that stays, from and to before."""
        start = len(self.ends.cut_start) if text.startswith(self.ends.cut_start) else 0
        end = len(text) - len(self.ends.cut_end) if text.endswith(self.ends.cut_end) else len(text)
        return start, max(start, end)


def prepared(payload: JsonObject) -> Prepared:
    """Checks a RenderRequest's JSON and makes of it what the template gets; raises ThinkpaneError."""
    source = cast("str", payload["source"])
    asked = cast("bool | str", payload["continue_final_message"])
    generate = payload["add_generation_prompt"]
    if asked and generate:
        raise fault("continue_final_message and add_generation_prompt are not compatible: ask for one of them.")
    messages = _messages(payload)
    going_on: Continuation | None = None
    if asked:
        if isinstance(messages, str):
            raise fault("continue_final_message is set, but “messages” is one text without a final message.")
        going_on = continuation(messages, asked, source)
        messages = going_on.messages
    context: JsonObject = {
        **cast("JsonObject", payload["variables"]),
        "messages": messages if isinstance(messages, str) else list(messages),
        "tools": payload["tools"],
        "documents": payload["documents"],
        "add_generation_prompt": bool(generate) if generate is not None else not asked,
    }
    for name in cast("list[str]", payload["left_out"]):
        if not context[name]:
            del context[name]
    return Prepared(
        source,
        context,
        messages if isinstance(messages, list) else [],
        _time(payload["now"]),
        going_on,
        Ends.from_json(cast("JsonObject", payload["ends"])),
    )


def plain_text(ready: Prepared) -> str:
    """The prompt, rendered as transformers does; raises ThinkpaneError with the template's line."""
    return _printed(ready)[0]


def _printed(ready: Prepared) -> tuple[str, list[str]]:
    """The prompt, and what it is joined of; nothing where it was cut or put together after that."""
    template, clock = _compiled(ready.source)
    clock.frozen = ready.now
    try:
        chunks = _run(template, ready.context, ready.source, ready.messages)
    except ThinkpaneError as error:
        raise _of_text(error) if isinstance(ready.context["messages"], str) else error from None
    whole = "".join(chunks)
    text = ready.going_on.cut(whole) if ready.going_on else whole
    start, end = ready.kept(text)
    text = _within_cap(text[start:end] + ready.ends.suffix_text)
    return text, chunks if text is whole else []


def _messages(payload: JsonObject) -> list[JsonObject] | str:
    given = payload["messages"]
    # Some templates print `messages` as one text (MemReader); transformers refuses that, its environment does not.
    if isinstance(given, str):
        return given
    messages = message_objects(given)
    if not payload["normalise"]:
        return messages
    check_tools(payload["tools"], payload["documents"])
    return normalised(messages)


def _compiled(source: str) -> tuple[jinja2.Template, Clock]:
    return _told(lambda: compiled(source), lambda error: compile_problem(error, source))


def _run(template: jinja2.Template, context: JsonObject, source: str, messages: list[JsonObject]) -> list[str]:
    # Template.render would rewrite the traceback; the raw frames hold the variables that name the message at hand.
    chunks = cast("Any", template.root_render_func(template.new_context(context)))

    def stopped_at() -> int | None:
        return template.get_corresponding_lineno(chunks.gi_frame.f_lineno) if chunks.gi_frame else None

    return _told(lambda: _capped(chunks), lambda error: render_problem(error, source, messages, stopped_at()))


def _told(work: Callable[[], _Value], tell: Callable[[Exception], Problem]) -> _Value:
    try:
        return work()
    except ThinkpaneError:
        raise
    except Exception as error:  # noqa: BLE001 - a template may raise anything
        problem = tell(error)
    # Raised out here, where the template's frames (and what they hold) are gone.
    raise ThinkpaneError(problem)


def _of_text(error: ThinkpaneError) -> ThinkpaneError:
    """A template's fault over a conversation that is one text: most templates read a list, and say so in odd words."""
    problem = error.problem
    if problem.kind != "template":
        return error
    own = problem.message.partition(": ")[2] or problem.message
    sentence = f"“messages” is one text, and the template reads a list of messages: {own}"
    return ThinkpaneError(replace(problem, message=sentence))


def _capped(chunks: Iterable[str]) -> list[str]:
    kept: list[str] = []
    length = 0
    for chunk in chunks:
        if not isinstance(chunk, str):
            raise TypeError(f"sequence item {len(kept)}: expected str instance, {type(chunk).__name__} found")
        length += len(chunk)
        if length > OUTPUT_CAP:
            raise _too_long()
        kept.append(chunk)
    return kept


def _within_cap(text: str) -> str:
    if sys.getsizeof(text) > MEMORY_OF_TEXT:
        raise _too_long()
    if len(text) * 4 > OUTPUT_CAP and len(text.encode("utf-8", "surrogatepass")) > OUTPUT_CAP:
        raise _too_long()
    return text


def _too_long() -> ThinkpaneError:
    return ThinkpaneError(
        Problem("output", f"The template printed more than {OUTPUT_CAP // 1024 // 1024} MiB and was stopped.")
    )


def _too_much() -> ThinkpaneError:
    return ThinkpaneError(
        Problem("output", f"These renders together print more than {MEMORY_OF_TEXT // 1024 // 1024} MiB.")
    )


def _time(now: JsonValue) -> datetime | None:
    if now is None:
        return None
    try:
        return datetime.fromisoformat(str(now))
    except ValueError as error:
        raise fault(f"“{now}” is no ISO time, such as 2026-01-15T09:30:00.") from error

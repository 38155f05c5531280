"""What commands write: results to standard output in UTF-8 with plain line feeds, everything else to standard error."""

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar, cast

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.strict_json import dump

Found = TypeVar("Found")

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_ENDS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def write_exactly(text: str) -> None:
    """Writes `text` and nothing more.

    Raises ThinkpaneError (kind "output") where it holds half a surrogate pair, which UTF-8 cannot hold.
    """
    half = _SURROGATE.search(text)
    if half:
        raise ThinkpaneError(
            Problem(
                "output",
                f"The text holds half a surrogate pair (U+{ord(half[0]):04X}, character {half.start() + 1}), "
                "which UTF-8 cannot hold; --json shows it as an escape.",
            )
        )
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()


def write_line(text: str) -> None:
    """Writes one line of text."""
    write_exactly(text + "\n")


def write_json(value: Mapping[str, object], *, indent: int | None = 2) -> None:
    """Writes one JSON object; lone surrogates become escapes."""
    write_line(dump(cast("JsonValue", dict(value)), indent=indent))


def write_json_line(value: JsonObject) -> None:
    """Writes one JSON object on one line, for --jsonl."""
    write_json(value, indent=None)


def one_line(text: str) -> str:
    """Foreign text as one line, without control characters for the terminal and without half surrogate pairs."""
    return _SURROGATE.sub("\ufffd", _CONTROLS.sub("\ufffd", _LINE_ENDS.sub(" ", text).strip()))


def escaped(found: "re.Match[str]") -> str:
    """A control character as it is written in a program, for re.sub: what a terminal would obey is to be seen."""
    return f"\\x{ord(found[0]):02x}"


def write_answer(text: str) -> None:
    """Writes a reply's text: to a terminal with its control characters as escapes, elsewhere exactly.

    Raises ThinkpaneError as `write_exactly` does.
    """
    write_exactly(_OBEYED.sub(escaped, text) if sys.stdout.isatty() else text)


def write_error(sentence: str) -> None:
    """Writes one line to standard error; control characters in foreign text do not reach the terminal."""
    line = _CONTROLS.sub(escaped, _LINE_ENDS.sub(" ", sentence).strip())
    sys.stderr.write(line.encode(sys.stderr.encoding or "utf-8", "backslashreplace").decode("utf-8", "replace") + "\n")


def told(problem: Problem) -> str:
    """A problem as one line: where it is, then its sentence."""
    places = []
    # A fault of a file says its line in the sentence itself; every other line is the template's.
    if problem.line is not None and problem.kind not in ("json", "file", "template_source"):
        column = f", column {problem.column}" if problem.column is not None else ""
        places.append(f"template line {problem.line}{column}")
    if problem.message_index is not None and f"Message {problem.message_index + 1} " not in problem.message:
        field = f" ({problem.field})" if problem.field else ""
        places.append(f"message {problem.message_index + 1}{field}")
    return f"{', '.join(places)}: {problem.message}" if places else problem.message


def write_found(
    find: Callable[[], Found],
    as_json: Callable[[Found], Mapping[str, object]],
    lines: Callable[[Found], Iterable[str]],
    *,
    json: bool,
) -> int:
    """What a command found, as one JSON object or as lines for people; gives the exit status.

    With `json` a fault of the input is the object {error}, too; without it ThinkpaneError goes on to the caller.
    """
    try:
        found = find()
    except ThinkpaneError as error:
        if not json:
            raise
        write_json({"error": error.problem.as_json()})
        return 1
    if json:
        write_json(as_json(found))
    else:
        for line in lines(found):
            write_line(line)
    return 0

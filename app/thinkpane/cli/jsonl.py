"""--jsonl: one JSON object a line in, one a line out, in order; a bad line gives an error and the rest goes on."""

from collections.abc import Callable, Iterator, Mapping
from typing import cast

from thinkpane.cli.output import write_json_line
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.strict_json import parse_bytes


def answer_lines(
    data: bytes, answer: Callable[[JsonObject], JsonObject], defaults: Mapping[str, JsonValue] | None = None
) -> int:
    """Answers every line that is not blank, `id` echoed; gives 0, or 1 where no line could be read.

    answer: makes the result of one line's object; a ThinkpaneError it raises becomes that line's `error`.
    defaults: what the command line says of every line; a line's own word goes before it, within objects too.
    """
    read = 0
    for number, line in _lines(data):
        given: JsonObject = {}
        try:
            given = _object(number, line)
            read += 1
            result = answer(_over(defaults or {}, given))
        except ThinkpaneError as error:
            result = {"error": cast("JsonObject", error.problem.as_json())}
        echoed: JsonObject = {"id": given["id"]} if "id" in given else {}
        write_json_line(echoed | result)
    return 0 if read else 1


def _over(defaults: Mapping[str, JsonValue], line: JsonObject) -> JsonObject:
    found = dict(defaults)
    for name, value in line.items():
        below = found.get(name)
        found[name] = {**below, **value} if isinstance(below, dict) and isinstance(value, dict) else value
    return found


def _object(number: int, line: bytes) -> JsonObject:
    try:
        found = parse_bytes(line)
    except ThinkpaneError as error:
        raise ThinkpaneError(Problem("json", f"Input line {number}: {error.problem.message}")) from None
    if not isinstance(found, dict):
        raise ThinkpaneError(Problem("json", f"Input line {number} is no JSON object."))
    return found


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    # Only a line feed ends a line: JSON text may hold U+2028 and its kin.
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            yield number, line

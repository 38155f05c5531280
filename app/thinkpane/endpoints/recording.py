"""The .transcript form: a reply's bytes with their times, one JSON object a line, appended to as it comes.

The first line is the header {"thinkpane_transcript": 1, "title", "dialect", …}. Then come, in order: a head
{"ms", "status", "headers"}, with "protocol" and "proxy" where they are known, pieces of the body {"ms", "text"} or,
where a piece is no UTF-8, {"ms", "base64"}, and an end {"ms", "end": null or a problem}. A file without an end was cut
off; its pieces still count. A second head starts the answer anew: the first attempt came to nothing.
"""

import base64
import binascii
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from thinkpane.endpoints.connection import UNKNOWN, Via
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonObject, JsonValue

VERSION = 1
MARK = "thinkpane_transcript"
# Thirty years. JSON's whole numbers have no end, and those of hundreds of digits are no float.
_LATEST_MS = 10**12
_KNOWN = (MARK, "title", "dialect", "label", "match", "path")


@dataclass(frozen=True, slots=True)
class RecordingHeader:
    """What a recording is of.

    title: for people. dialect: id of the dialect its bytes are in. label: a tier or variant, "" where it is none.
    match: words by which a replay is chosen. path: "chat" or "raw", "" where it fits both. extra: further keys.
    """

    title: str
    dialect: str
    label: str = ""
    match: tuple[JsonValue, ...] = ()
    path: str = ""
    extra: Mapping[str, JsonValue] = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        """The header's line as a value."""
        found: JsonObject = {MARK: VERSION, "title": self.title, "dialect": self.dialect}
        if self.label:
            found["label"] = self.label
        if self.match:
            found["match"] = list(self.match)
        if self.path:
            found["path"] = self.path
        return found | dict(self.extra)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of the body. ms: milliseconds since the request."""

    ms: float
    data: bytes


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded reply.

    ended: its end was recorded, at end_ms, with `problem` where something ended it early. via: how it came.
    """

    header: RecordingHeader
    chunks: tuple[Chunk, ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    head_ms: float = 0.0
    problem: Problem | None = None
    ended: bool = False
    end_ms: float = 0.0
    via: Via = UNKNOWN

    @property
    def data(self) -> bytes:
        """The whole body."""
        return b"".join(chunk.data for chunk in self.chunks)


class RecordingWriter:
    """Writes a recording line by line; a Sink, so it can stand beside the reader of a reply."""

    def __init__(self, header: RecordingHeader, write: Callable[[bytes], object]) -> None:
        """Writes the header at once. write: takes whole lines and raises OSError where it cannot."""
        self._write = write
        self._line(header.as_json())

    def head(self, status: int, headers: Mapping[str, str], ms: float, via: Via = UNKNOWN) -> None:
        """The response's head."""
        line: JsonObject = {"ms": round(ms, 3), "status": status, "headers": dict(headers)}
        named = {"protocol": via.protocol, "proxy": via.proxy}
        self._line(line | {name: value for name, value in named.items() if value})

    def data(self, data: bytes, ms: float) -> None:
        """A piece of the body."""
        try:
            self._line({"ms": round(ms, 3), "text": data.decode("utf-8")})
        except UnicodeDecodeError:
            self._line({"ms": round(ms, 3), "base64": base64.b64encode(data).decode("ascii")})

    def over(self, problem: Problem | None, ms: float) -> None:
        """The end."""
        end: JsonValue = None if problem is None else {"kind": problem.kind, "message": problem.message}
        self._line({"ms": round(ms, 3), "end": end})

    def _line(self, value: JsonObject) -> None:
        self._write(strict_json.dump(value, indent=None).encode("utf-8") + b"\n")


def is_recording(source: bytes) -> bool:
    """Whether `source` begins as a recording does."""
    return source[:100].lstrip().replace(b" ", b"").startswith(b'{"' + MARK.encode() + b'":')


def read_recording(source: bytes | str, name: str = "") -> Recording:
    """The recording in `source`. Raises ThinkpaneError (kind "recording", with the line) where it is none.

    name: the file's, for the error. A last line that was cut off while it was written does not count.
    """
    try:
        return _read(source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass"))
    except ThinkpaneError as error:
        whose = f"{name}: " if name else ""
        raise ThinkpaneError(replace(error.problem, message=whose + error.problem.message)) from None


def _read(source: bytes) -> Recording:
    lines = source.split(b"\n")
    reading = _Reading(_header(_object(lines[0], 1)))
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        try:
            value = _object(line, number)
        except ThinkpaneError:
            if number == len(lines):
                break
            raise
        reading.take(value, number)
    return reading.recording()


class _Reading:
    """The lines after the header, added up."""

    def __init__(self, header: RecordingHeader) -> None:
        self._header = header
        self._chunks: list[Chunk] = []
        self._status, self._headers, self._head_ms = 200, dict[str, str](), 0.0
        self._problem: Problem | None = None
        self._ended, self._end_ms = False, 0.0
        self._via = UNKNOWN

    def take(self, value: JsonObject, number: int) -> None:
        """One line."""
        ms = value.get("ms")
        if not isinstance(ms, int | float) or isinstance(ms, bool) or not 0 <= ms <= _LATEST_MS:
            raise _fault(number, "its “ms” is no time in milliseconds")
        if "status" in value:
            self._take_head(value, float(ms), number)
        elif "end" in value:
            self._ended, self._end_ms, self._problem = True, float(ms), _problem(value["end"])
        elif isinstance(text := value.get("text"), str):
            self._chunks.append(Chunk(float(ms), text.encode("utf-8", "surrogatepass")))
        elif isinstance(coded := value.get("base64"), str):
            self._chunks.append(Chunk(float(ms), _decoded(coded, number)))
        else:
            raise _fault(number, "it has neither “text” nor “base64”")

    def recording(self) -> Recording:
        """What came together."""
        return Recording(
            self._header,
            tuple(self._chunks),
            self._status,
            self._headers,
            self._head_ms,
            self._problem,
            self._ended,
            self._end_ms if self._ended else (self._chunks[-1].ms if self._chunks else self._head_ms),
            self._via,
        )

    def _take_head(self, value: JsonObject, ms: float, number: int) -> None:
        status, headers = value["status"], value.get("headers", {})
        if not isinstance(status, int) or isinstance(status, bool) or not 100 <= status <= 999:
            raise _fault(number, "its “status” is no HTTP status")
        if not isinstance(headers, dict) or not all(isinstance(each, str) for each in headers.values()):
            raise _fault(number, "its “headers” are no object of texts")
        self._status, self._head_ms = status, ms
        self._headers = {name: str(content) for name, content in headers.items()}
        named = (value.get(name) for name in ("protocol", "proxy"))
        self._via = Via(*(each if isinstance(each, str) else "" for each in named))
        self._chunks = []


def _header(value: JsonObject) -> RecordingHeader:
    if MARK not in value:
        raise _fault(1, f"it is no header with “{MARK}”")
    if value[MARK] != VERSION:
        raise _fault(1, f"version {value[MARK]} is not known here, only {VERSION}")
    texts = {name: value.get(name, "") for name in ("title", "dialect", "label", "path")}
    wrong = [name for name, text in texts.items() if not isinstance(text, str)]
    match = value.get("match", [])
    if wrong:
        raise _fault(1, f"its “{wrong[0]}” is no text")
    if not isinstance(match, list):
        raise _fault(1, "its “match” is no list")
    if not texts["dialect"]:
        raise _fault(1, "it does not say in which “dialect” the reply is")
    extra = {name: content for name, content in value.items() if name not in _KNOWN}
    words = {name: str(text) for name, text in texts.items()}
    return RecordingHeader(
        words["title"], words["dialect"], words["label"], tuple(map(str, match)), words["path"], extra
    )


def _object(line: bytes, number: int) -> JsonObject:
    try:
        value = strict_json.parse_bytes(line)
    except ThinkpaneError as error:
        raise _fault(number, error.problem.message.rstrip(".")) from None
    if not isinstance(value, dict):
        raise _fault(number, "it is no JSON object")
    return value


def _decoded(coded: str, number: int) -> bytes:
    try:
        return base64.b64decode(coded, validate=True)
    except binascii.Error:
        raise _fault(number, "its “base64” is none") from None


def _problem(value: JsonValue) -> Problem | None:
    if not isinstance(value, dict):
        return None
    return Problem(str(value.get("kind", "incomplete")), str(value.get("message", "The reply ended early.")))


def _fault(number: int, why: str) -> ThinkpaneError:
    sentence = f"Line {number} of the transcript cannot be read: {why}."
    return ThinkpaneError(Problem("recording", sentence, line=number))

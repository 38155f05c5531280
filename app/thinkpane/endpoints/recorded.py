"""The Demo endpoint: replays recorded replies at their own pace, through the decoder that reads live ones.

It needs no key and no network, and says of itself that it is recorded. What is asked decides which recording answers.
A recording's header names the texts that must occur in it; the recording that fits and names the most of them wins:

    match: in any case. match_raw: in the prompt; match_end: at the prompt's very end.
    match_chat: on the chat path, in the JSON of messages, tools, documents, variables, thinking and effort.

An entry that is a list stands for whichever of its texts is found. A header without any of these fits everything.
"""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable

from thinkpane.endpoints.dialects._api import Call
from thinkpane.endpoints.recording import Recording, RecordingHeader, read_recording
from thinkpane.endpoints.sink import Handle, Sink
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.strict_json import dump
from thinkpane.resources import entry

FOLDER = "demos"
ENDING = ".transcript"


@dataclass(frozen=True, slots=True)
class Replayable:
    """A recording that is read only when it is played. read: raises ThinkpaneError where it cannot be."""

    header: RecordingHeader
    read: Callable[[], Recording]


@lru_cache(maxsize=1)
def built_in() -> tuple[Replayable, ...]:
    """The recordings that come with the program, by file name."""
    files = sorted((each for each in entry(FOLDER).iterdir() if each.name.endswith(ENDING)), key=lambda each: each.name)
    return tuple(map(_replayable, files))


def _replayable(file: Traversable) -> Replayable:
    with file.open("rb") as lines:
        header = read_recording(lines.readline(), file.name).header
    return Replayable(header, lambda: read_recording(file.read_bytes(), file.name))


def chosen(call: Call, among: Iterable[Replayable]) -> Replayable:
    """The recording that answers `call`; of several that fit equally well, the first.

    Raises ThinkpaneError (kind "demo") where none fits; one of the built-in ones fits everything.
    """
    asked = _asked(call)
    best: tuple[int, int] = (-1, -1)
    found: Replayable | None = None
    for each in among:
        fit = _fit(each.header, call, asked)
        if fit is not None and fit > best:
            best, found = fit, each
    if found is None:
        raise ThinkpaneError(Problem("demo", "There is no recorded reply for this request."))
    return found


def _asked(call: Call) -> str:
    if call.path == "raw":
        return call.prompt or ""
    value: JsonObject = {
        "messages": call.messages,
        "tools": call.tools,
        "documents": call.documents,
        "variables": dict(call.variables),
        "thinking": call.thinking,
        "effort": call.effort,
    }
    return dump(value, indent=None)


def _fit(header: RecordingHeader, call: Call, asked: str) -> tuple[int, int] | None:
    """How many texts the header names and how long they are together; None where one of them does not occur."""
    if header.path not in ("", call.path):
        return None
    hits = [_longest(each, asked.__contains__) for each in (*header.match, *_entries(header, f"match_{call.path}"))]
    end = header.extra.get("match_end")
    if end is not None and call.path == "raw":
        hits.append(_longest(end, asked.endswith))
    return (len(hits), sum(hits)) if all(hits) else None


def _entries(header: RecordingHeader, name: str) -> list[JsonValue]:
    found = header.extra.get(name)
    return found if isinstance(found, list) else []


def _longest(wanted: JsonValue, is_found: Callable[[str], bool]) -> int:
    """The length of the longest of the texts that is found, 0 where none is."""
    texts = wanted if isinstance(wanted, list) else [wanted]
    return max((len(text) for text in texts if isinstance(text, str) and is_found(text)), default=0)


class Demo:
    """Recordings as an endpoint (endpoints/sink.py, Replayer)."""

    def __init__(self, recordings: Iterable[Replayable] | None = None) -> None:
        """recordings: what it chooses from, None = the built-in ones."""
        self._recordings = None if recordings is None else tuple(recordings)

    def title(self, call: Call) -> str:
        """What the recording that answers `call` is called. Raises ThinkpaneError where there is none."""
        return self._chosen(call).header.title

    def dialect(self, call: Call) -> str:
        """Id of the dialect that it was made in. Raises ThinkpaneError where there is none."""
        return self._chosen(call).header.dialect

    def replay(self, call: Call, sink: Sink, speed: float = 1.0) -> Handle:
        """Plays it into `sink` from a thread of its own. speed: 1 = as recorded, 2 = twice as fast, 0 = at once.

        Raises ThinkpaneError where there is none; one that turns out to be damaged ends in `sink.over`.
        """
        return _Replay(self._chosen(call).read, sink, speed)

    def _chosen(self, call: Call) -> Replayable:
        return chosen(call, built_in() if self._recordings is None else self._recordings)


class _Replay:
    """One recording being played."""

    def __init__(self, read: Callable[[], Recording], sink: Sink, speed: float) -> None:
        self._read = read
        self._sink = sink
        self._speed = speed
        self._stopped = threading.Event()
        self._began = time.monotonic()
        self._reached = 0.0
        threading.Thread(target=self._play, name="thinkpane-demo", daemon=True).start()

    def stop(self) -> None:
        """Ends it; the wait for the next piece is cut short."""
        self._stopped.set()

    def _play(self) -> None:
        try:
            recording = self._read()
        except ThinkpaneError as error:
            self._sink.over(error.problem, self._elapsed())
            return
        self._bring(recording)
        if self._stopped.is_set():
            self._sink.over(Problem("stopped", "Stopped."), self._elapsed())
        else:
            self._sink.over(recording.problem, self._at(recording.end_ms))

    def _bring(self, recording: Recording) -> None:
        if not self._until(recording.head_ms):
            return
        self._sink.head(recording.status, recording.headers, self._at(recording.head_ms), recording.via)
        for chunk in recording.chunks:
            if not self._until(chunk.ms):
                return
            self._sink.data(chunk.data, self._at(chunk.ms))
        self._until(recording.end_ms)

    def _at(self, ms: float) -> float:
        return ms / self._speed if self._speed else ms

    def _elapsed(self) -> float:
        """Milliseconds since the start; of the recording where it plays at once, so that no later time is smaller."""
        return (time.monotonic() - self._began) * 1000 if self._speed else self._reached

    def _until(self, ms: float) -> bool:
        """Waits for that moment of the recording, counted from the start so that delays do not add up.

        False where Stop came first.
        """
        left = (self._at(ms) - self._elapsed()) / 1000 if self._speed else 0.0
        self._reached = self._at(ms)
        return not self._stopped.wait(max(0.0, left))

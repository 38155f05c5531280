"""The Demo endpoint: replays recorded replies at their own pace, through the decoder that reads live ones.

It needs no key and no network, and says of itself that it is recorded. Which recording answers is decided by what is
asked: a recording's header lists texts that must all occur in the prompt (`match`) or, on the chat path, in the
conversation and its variables (`match_chat`, else `match`); where an entry is a list, one of it must. Of those that
fit, the one that names most wins.
"""

import threading
import time
from collections.abc import Iterable
from functools import lru_cache

from thinkpane.endpoints.dialects._api import Call
from thinkpane.endpoints.recording import Recording, read_recording
from thinkpane.endpoints.sink import Handle, Sink
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump
from thinkpane.resources import entry

FOLDER = "demos"
ENDING = ".transcript"


@lru_cache(maxsize=1)
def recordings() -> tuple[Recording, ...]:
    """The built-in recordings, by file name."""
    files = sorted((each for each in entry(FOLDER).iterdir() if each.name.endswith(ENDING)), key=lambda each: each.name)
    return tuple(read_recording(each.read_bytes()) for each in files)


def chosen(call: Call, among: Iterable[Recording] | None = None) -> Recording:
    """The recording that answers `call`.

    Raises ThinkpaneError (kind "demo") where none fits; one of the built-in ones fits everything.
    """
    asked = _asked(call)
    best: tuple[int, int] = (-1, -1)
    found: Recording | None = None
    for recording in recordings() if among is None else among:
        named = _named(recording, call)
        hits = [_hit(each, asked) for each in named]
        score = (len(named), sum(hits))
        if all(hits) and score > best:
            best, found = score, recording
    if found is None:
        raise ThinkpaneError(Problem("demo", "There is no recorded reply for this request."))
    return found


def _named(recording: Recording, call: Call) -> tuple[JsonValue, ...]:
    other = recording.header.extra.get("match_chat")
    return tuple(other) if call.prompt is None and isinstance(other, list) else recording.header.match


def _hit(wanted: JsonValue, asked: str) -> int:
    """How long the text is that occurs; 0 where none does."""
    texts = wanted if isinstance(wanted, list) else [wanted]
    return max((len(text) for text in texts if isinstance(text, str) and text in asked), default=0)


def _asked(call: Call) -> str:
    if call.prompt is not None:
        return call.prompt
    return dump({"messages": call.messages, "tools": call.tools, "variables": dict(call.variables)}, indent=None)


class Demo:
    """The built-in recordings as an endpoint (endpoints/sink.py, Replayer)."""

    def title(self, call: Call) -> str:
        """What the recording that answers `call` is called."""
        return chosen(call).header.title

    def dialect(self, call: Call) -> str:
        """Id of the dialect that it was made in."""
        return chosen(call).header.dialect

    def replay(self, call: Call, sink: Sink, speed: float = 1.0) -> Handle:
        """Plays it into `sink` from a thread of its own. speed: 1 = as recorded, 2 = twice as fast, 0 = at once."""
        return _Replay(chosen(call), sink, speed)


class _Replay:
    def __init__(self, recording: Recording, sink: Sink, speed: float) -> None:
        self._recording = recording
        self._sink = sink
        self._speed = speed
        self._stopped = threading.Event()
        self._started = time.monotonic()
        threading.Thread(target=self._play, name="thinkpane-demo", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()

    def _play(self) -> None:
        recording = self._recording
        if self._until(recording.head_ms):
            self._sink.head(recording.status, recording.headers, self._at(recording.head_ms))
            for chunk in recording.chunks:
                if not self._until(chunk.ms):
                    break
                self._sink.data(chunk.data, self._at(chunk.ms))
        if self._stopped.is_set():
            self._sink.over(Problem("stopped", "Stopped."), (time.monotonic() - self._started) * 1000)
        else:
            self._sink.over(recording.problem, self._at(recording.end_ms))

    def _at(self, ms: float) -> float:
        return ms / self._speed if self._speed else ms

    def _until(self, ms: float) -> bool:
        """Waits for that moment of the recording; False where Stop came first."""
        left = ms / 1000 / self._speed - (time.monotonic() - self._started) if self._speed else 0.0
        return not self._stopped.wait(max(0.0, left))

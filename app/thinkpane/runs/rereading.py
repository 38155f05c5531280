"""Reads the stored bytes of a run once more, with other settings. Pure but for a recording that was read from disk."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thinkpane.endpoints.recording import Chunk
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.runs.clock import RunClock
from thinkpane.runs.how import How
from thinkpane.runs.last_events import last_events
from thinkpane.streaming.transcript import Transcript

if TYPE_CHECKING:
    from thinkpane.runs.run import Run

KEPT_WARNINGS = ("fell-back-to-buffered", "not-kept-on-disk", "keep-alive-only", "stopped")
"""What is said of the run itself, not of how its bytes were read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a reply, and what came of it: its own transcript, and the times by it."""

    how: How
    transcript: Transcript
    clock: RunClock


def reread(run: "Run", how: How) -> Reading:
    """The bytes that `run` was answered with, read as `how` says, with the times at which they came.

    Raises ThinkpaneError (kind "reread") where there is nothing to read: the run is not over, no body came, only an
    error, or more came than is kept in memory.
    """
    if not run.is_over:
        raise _refusal("The reply is still coming; it can be read anew when it is over.")
    if run.status >= 400:
        raise _refusal("The server answered with an error; there is no reply to read anew.")
    if run.is_cut_short:
        raise _refusal("The reply is larger than what is kept in memory; “thinkpane decode” reads its journal anew.")
    chunks = stored_chunks(run)
    if not chunks:
        raise _refusal("No byte of a reply came, so there is nothing to read anew.")
    found = read_chunks(chunks, how, run.transport_problem, stopped=run.was_stopped, end=run.clock.elapsed)
    known = {warned.id for warned in found.transcript.warnings}
    kept = [each for each in run.original.transcript.warnings if each.id in KEPT_WARNINGS and each.id not in known]
    found.transcript.warnings[:0] = kept
    return found


def stored_chunks(run: "Run") -> list[Chunk]:
    """The body that answered the last request of the run, byte for byte, with the milliseconds since the run began."""
    return [Chunk(entry.ms, entry.raw) for entry in run.wire[run.answered_from :] if entry.kind == "data"]


def read_chunks(
    chunks: Iterable[Chunk], how: How, problem: Problem | None = None, *, stopped: bool = False, end: float = 0.0
) -> Reading:
    """A body read as `how` says. problem: what ended the connection early; end: seconds at which it ended."""
    transcript, clock = Transcript(), RunClock(lambda: 0.0)
    decoder = how.decoder()
    at = 0.0
    for chunk in chunks:
        at = chunk.ms / 1000
        clock.saw_byte(at)
        for event in decoder.feed(chunk.data):
            transcript.apply(event, at)
            clock.saw(event, at)
        if decoder.is_over:
            problem = None
            break
    at = max(at, end)
    for event in last_events(decoder, problem, stopped=stopped):
        transcript.apply(event, at)
        clock.saw(event, at)
    clock.freeze(at)
    return Reading(how, transcript, clock)


def _refusal(sentence: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("reread", sentence))

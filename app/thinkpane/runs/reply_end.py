"""How a reply that is over ended, in one set of words for the window, its list of earlier runs and comparisons."""

from typing import Final

from thinkpane.errors import Problem
from thinkpane.streaming.transcript import Transcript

DONE: Final = "done"
STOPPED: Final = "stopped"
CUT_OFF: Final = "cut off"
BY_LIMIT: Final = "cut off by the token limit"
RUNNING: Final = "running"
"""Of a run that a program still writes down."""

LIMITS = ("length", "max_tokens", "max_output_tokens", "MAX_TOKENS")
"""Words by which servers say that a limit ended the reply."""


def end_word(transcript: Transcript) -> str:
    """How it ended; one that is over without an end was stopped."""
    if transcript.problem is not None:
        return _fault_word(transcript.problem, came=bool(transcript.blocks))
    if not transcript.ended or not transcript.is_clean:
        return STOPPED
    return BY_LIMIT if transcript.finish in LIMITS else DONE


def is_unfinished(transcript: Transcript) -> bool:
    """Whether more of the reply might have come: a fault or a person ended it."""
    return transcript.problem is not None or not transcript.ended


def _fault_word(fault: Problem, *, came: bool) -> str:
    """Its number where a server said one. came: a part of the reply came before, so that nothing was refused."""
    if fault.kind == "incomplete":
        return CUT_OFF
    status = fault.detail.get("status")
    if not isinstance(status, int) or isinstance(status, bool) or status < 400:
        return "error"
    return f"error {status}" if status >= 500 or came else f"refused {status}"

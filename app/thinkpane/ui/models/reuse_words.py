"""Cache reuse between turns in words."""

from thinkpane.analysis.generated import Basis
from thinkpane.analysis.prefix import Kept, Reuse, Turn

_LOST: dict[Kept, str] = {
    "all": "",
    "answer": "answer written otherwise",
    "generation prompt": "only the generation prompt lost",
    "history": "history rewritten",
}
_BASIS: dict[Basis, str] = {
    "completion": "answer as generated",
    "reply": "answer as it came",
    "template": "answer rebuilt",
}
_BASIS_HINTS: dict[Basis, str] = {
    "completion": "The answer is what the model wrote behind the prompt, character by character.",
    "reply": "The answer’s thinking, text and calls are as they came; the template wrote what is around them.",
    "template": "The answer did not come in this window: the template wrote it from the message.",
}


def turn_words(turn: Turn, number: int, what: str) -> str:
    """One turn in a line. number: from 1. what: "token" or "character"."""
    following = "a next one" if turn.assumed else number + 1
    head = f"Turn {number} → {following} reuses {turn.reused:,} of {turn.total:,} {what}s ({_BASIS[turn.basis]})"
    if turn.kept == "all":
        return f"{head}, {turn.length - turn.reused:,} new"
    line = f", line {turn.line:,}" if turn.line else ""
    return f"{head} · {_LOST[turn.kept]}: {turn.cause}{line}"


def turn_hint(turn: Turn, number: int, what: str) -> str:
    """More of a turn, for its tooltip."""
    basis = _BASIS_HINTS[turn.basis]
    if turn.kept == "all":
        return f"{turn_words(turn, number, what)}\n{basis}"
    place = f"\nFrom {turn.place}." if turn.place is not None else ""
    first = f"First different {what}: “{turn.token}”.{place}"
    return f"{turn_words(turn, number, what)}\n{first}\n{basis}\nClick to see the difference."


def reuse_words(found: Reuse, what: str) -> str:
    """The newest turn, and what was left out; "" where there are no turns."""
    if found.problem is not None and not found.turns:
        return f"Cache reuse is not known: {found.problem.message}"
    if not found.turns:
        return ""
    words = turn_words(found.turns[-1], first_number(found) + len(found.turns) - 1, what)
    if found.dated is not None:
        words += (
            f" · a date stands at character {found.dated + 1:,}: the next day’s prompts are the same only up to there"
        )
    return f"{words} · {found.skipped:,} earlier turns not looked at" if found.skipped else words


def first_number(found: Reuse) -> int:
    """The number of the first turn that is shown, from 1."""
    return found.skipped + 1

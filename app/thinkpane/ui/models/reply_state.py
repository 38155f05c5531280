"""How a reply stands, in a word and in figures, from its transcript."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from thinkpane.formats.json_values import JsonValue
from thinkpane.runs.reply_end import BY_LIMIT, CUT_OFF, DONE, STOPPED, end_word
from thinkpane.streaming.blocks import ThinkingBlock
from thinkpane.streaming.transcript import Transcript

Tone: TypeAlias = Literal["", "good", "warning", "bad"]

_TONES: dict[str, Tone] = {DONE: "good", STOPPED: "warning", BY_LIMIT: "warning", CUT_OFF: "bad"}


class TokenEstimate:
    """About how many tokens a growing text is: four ASCII characters each, and one for each other character."""

    def __init__(self) -> None:
        self.size = 0
        """Characters that were counted."""
        self._ascii = 0

    def add(self, text: str) -> None:
        """More of the text; costs what that does."""
        self.size += len(text)
        self._ascii += len(text) if text.isascii() else len(text.encode("ascii", "ignore"))

    @property
    def tokens(self) -> int:
        """The estimate for all of it."""
        return -(-self._ascii // 4) + self.size - self._ascii


@dataclass(frozen=True, slots=True)
class ReplyState:
    """word: for a badge; tone: its colour's name."""

    word: str
    tone: Tone = ""


def state_of(transcript: Transcript, *, over: bool) -> ReplyState:
    """How the reply stands. over: no more events come; one that is over without an end was stopped."""
    if transcript.problem is None and not over and not transcript.ended:
        return ReplyState("streaming" if transcript.blocks else "waiting")
    word = end_word(transcript)
    return ReplyState(word, _TONES.get(word, "bad"))


def short_word(state: ReplyState) -> str:
    """The word where there is room for a few letters only."""
    return "token limit" if state.word == BY_LIMIT else state.word


def first_token_seconds(transcript: Transcript) -> float | None:
    """Seconds from the start of the run to its first text, None before it."""
    return min((block.started for block in transcript.blocks), default=None)


def counts_tokens(transcript: Transcript) -> bool:
    """Whether the server said how many tokens there were, or how fast they came."""
    own = (transcript.timings or {}).get("predicted_per_second")
    return (isinstance(own, int | float) and own > 0) or bool(
        _count(transcript.usage or {}, "completion_tokens", "output_tokens")
    )


def speed(transcript: Transcript, *, in_characters: bool = False) -> str:
    """How fast it came: the server's own figure, else its token count over the time, else characters; "" unknown.

    in_characters: in characters, whatever the server said, to stand beside one of which it says nothing.
    """
    timings = transcript.timings or {}
    own = timings.get("predicted_per_second")
    if isinstance(own, int | float) and own > 0 and not in_characters:
        return f"{own:.0f} tok/s"
    seconds = max((block.latest for block in transcript.blocks), default=0.0) - (first_token_seconds(transcript) or 0.0)
    if seconds <= 0:
        return ""
    tokens = _count(transcript.usage or {}, "completion_tokens", "output_tokens")
    if tokens and not in_characters:
        return f"{tokens / seconds:.0f} tok/s"
    return f"{sum(block.growing.size for block in transcript.blocks) / seconds:.0f} chars/s"


def thinking_tokens(transcript: Transcript) -> int | None:
    """How many tokens the server counted as thinking, None where it does not say."""
    details = (transcript.usage or {}).get("completion_tokens_details")
    return _count(details, "reasoning_tokens") if isinstance(details, dict) else None


def is_growing(transcript: Transcript, block: ThinkingBlock, *, over: bool) -> bool:
    """Whether more of that block may come: nothing else came after it, and the reply goes on."""
    return not over and not transcript.ended and transcript.blocks[-1] is block


def block_seconds(transcript: Transcript, block: ThinkingBlock, now: float) -> float:
    """How long that block took: until what followed it began, else until `now` (seconds since the run began)."""
    place = next(at for at, each in enumerate(transcript.blocks) if each is block)
    after = transcript.blocks[place + 1 : place + 2]
    return max((after[0].started if after else now) - block.started, block.latest - block.started, 0.0)


def waited(seconds: float) -> str:
    """How long one waits, for a badge."""
    return "waiting" if seconds < 1 else f"waiting {seconds:.0f} s"


def _count(values: dict[str, JsonValue], *names: str) -> int | None:
    for name in names:
        found = values.get(name)
        if isinstance(found, int) and not isinstance(found, bool):
            return found
    return None

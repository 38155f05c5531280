"""Whether two replies to one conversation agree, where they first part, and what may be behind it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from thinkpane.errors import ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.diff import common_start
from thinkpane.runs.reply_end import end_word, is_unfinished
from thinkpane.streaming.blocks import ToolCall
from thinkpane.streaming.transcript import Transcript

Alike: TypeAlias = Literal["same", "trimmed", "differs", "untold"]
"""trimmed: the same but for white space at the ends, which servers cut off; untold: it is not known."""

Verdict: TypeAlias = Literal["agree", "differ", "unfinished", "cannot tell"]
"""unfinished: as far as both came they do not differ, and more of one might have come."""

Chance: TypeAlias = Literal["", "seeded", "sampled", "unseeded"]
"""What sampling leaves to chance: "" = nothing, temperature is 0; seeded: a seed repeats the draws; sampled: all, and
no seed is sent; unseeded: all, for the seed that is sent fixes none."""

QUOTED = 32
"""Characters of each reply that are shown from where they part."""

_PROMPT_COUNTS = ("prompt_tokens", "input_tokens", "prompt_eval_count")
_REPLY_COUNTS = ("completion_tokens", "output_tokens", "eval_count")


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two texts first differ. part: "thinking" or "answer". at: code points before it, from 0.

    one, other: what each goes on with, cut; "" where it is over.
    """

    part: str
    at: int
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two replies compare. why: why it cannot be told, "" where it can.

    came: what there is of "thinking", "answer" and "calls" in either. call_counts: the tool calls of each.
    finish, prompt_tokens, reply_tokens: what each said, None = nothing. parting: the first difference in the texts that
    are not alike. whole: both came to their end, so that all of them is compared. split: thinking and answer together
    are the same text, and only what counts as thinking is not; then the characters of thinking of each.
    ends: how each ended (runs/reply_end.py) where that left it unfinished, else "".
    """

    came: tuple[str, ...]
    thinking: Alike
    answer: Alike
    calls: Alike
    call_counts: tuple[int, int]
    finish: tuple[str | None, str | None]
    prompt_tokens: tuple[int | None, int | None]
    reply_tokens: tuple[int | None, int | None]
    parting: Parting | None = None
    whole: bool = True
    why: str = ""
    split: tuple[int, int] | None = None
    ends: tuple[str, str] = ("", "")

    @property
    def is_same_so_far(self) -> bool:
        """Whether all that came of either is the same as far as both came."""
        return all(getattr(self, part) in ("same", "trimmed") for part in self.came)

    @property
    def verdict(self) -> Verdict:
        """Whether the replies agree: their texts, their calls and how they finished."""
        if self.why:
            return "cannot tell"
        parts = (self.thinking, self.answer, self.calls, told_alike(self.finish))
        if "differs" in parts:
            return "differ"
        return "agree" if self.whole else "unfinished"

    def as_json(self) -> JsonObject:
        """The object that `thinkpane send --path both --json` prints (docs/cli.md)."""
        found: JsonObject = {"verdict": self.verdict}
        if self.why:
            found["why"] = self.why
        found |= {"thinking": self.thinking, "answer": self.answer, "tool_calls": self.calls, "whole": self.whole}
        for name in ("finish", "prompt_tokens", "reply_tokens"):
            found[name] = list(getattr(self, name))
        if self.parting is not None:
            place = self.parting
            found["first_difference"] = {"part": place.part, "at": place.at, "texts": [place.one, place.other]}
        return found


def compare(one: Transcript, other: Transcript, names: tuple[str, str] = ("Chat", "Raw")) -> Agreement:
    """Compares two replies that are over. names: what the sentences call them."""
    texts = (("thinking", one.thinking, other.thinking), ("answer", one.answer, other.answer))
    whole = not is_unfinished(one) and not is_unfinished(other)
    alike = {part: _alike(first, second, whole=whole) for part, first, second in texts}
    # What was cut short may lack its calls and its end for that reason alone.
    calls = _calls_alike(one.tool_calls, other.tool_calls) if whole else "untold"
    counts = len(one.tool_calls), len(other.tool_calls)
    came = [part for part, first, second in texts if first or second] + (["calls"] if any(counts) else [])
    return Agreement(
        tuple(came),
        alike["thinking"],
        alike["answer"],
        calls,
        counts,
        (one.finish or None, other.finish or None) if whole else (None, None),
        (_count(one.usage, _PROMPT_COUNTS), _count(other.usage, _PROMPT_COUNTS)),
        (_count(one.usage, _REPLY_COUNTS), _count(other.usage, _REPLY_COUNTS)) if whole else (None, None),
        next((_parting(*each) for each in texts if alike[each[0]] == "differs"), None),
        whole,
        _why_not(one, other, names),
        _split(one, other) if whole and "differs" in alike.values() else None,
        (_end(one), _end(other)),
    )


def chance(params: Mapping[str, JsonValue]) -> Chance:
    """What these sampling parameters leave to chance; a temperature that is not sent is the server's own, above 0."""
    temperature, top_k = params.get("temperature"), params.get("top_k")
    if temperature in (0, 0.0) and not isinstance(temperature, bool):
        return ""
    if top_k == 1 and not isinstance(top_k, bool):
        return ""
    seed = params.get("seed")
    if isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0:
        return "seeded"
    return "sampled" if seed is None else "unseeded"


def told_alike(pair: tuple[object, object]) -> Alike:
    """Whether what two servers said is the same, where both said something."""
    if None in pair:
        return "untold"
    return "same" if pair[0] == pair[1] else "differs"


def _alike(one: str, other: str, *, whole: bool) -> Alike:
    if one == other:
        return "same"
    if one.strip() == other.strip():
        return "trimmed"
    if not whole:
        # As far as both go, one may just have come further; of one that is empty nothing is known.
        short, long = sorted((one.strip(), other.strip()), key=len)
        if not short:
            return "untold"
        return "same" if long.startswith(short) else "differs"
    return "differs"


def _split(one: Transcript, other: Transcript) -> tuple[int, int] | None:
    """Characters of thinking of each, where the two texts are one text that was parted at different places."""
    first, second = (each.thinking.strip() + each.answer.strip() for each in (one, other))
    same = "".join(first.split()) == "".join(second.split())
    return (len(one.thinking.strip()), len(other.thinking.strip())) if same else None


def _parting(part: str, one: str, other: str) -> Parting:
    """Leading white space that one server cut off is no place to part at."""
    skipped = len(one) - len(one.lstrip())
    first, second = one.lstrip(), other.lstrip()
    at = common_start(first, second)
    return Parting(part, skipped + at, first[at : at + QUOTED], second[at : at + QUOTED])


def _calls_alike(one: Sequence[ToolCall], other: Sequence[ToolCall]) -> Alike:
    if len(one) != len(other):
        return "differs"
    pairs = zip(one, other, strict=True)
    return "same" if all(a.name == b.name and _value(a) == _value(b) for a, b in pairs) else "differs"


def _value(call: ToolCall) -> object:
    """The arguments as a value: servers write the same JSON with other blanks."""
    try:
        return strict_json.parse(call.arguments)
    except ThinkpaneError:
        return call.arguments


def _count(usage: JsonObject | None, names: tuple[str, ...]) -> int | None:
    found = ((usage or {}).get(name) for name in names)
    return next((each for each in found if isinstance(each, int) and not isinstance(each, bool)), None)


def _end(transcript: Transcript) -> str:
    return end_word(transcript) if is_unfinished(transcript) else ""


def _why_not(one: Transcript, other: Transcript, names: tuple[str, str]) -> str:
    """Why nothing can be compared: replies of which nothing came, because of a fault or because they were stopped."""
    pairs = zip((one, other), names, strict=True)
    return " ".join(filter(None, (_nothing_came(transcript, name) for transcript, name in pairs)))


def _nothing_came(transcript: Transcript, name: str) -> str:
    if not transcript.blocks and transcript.problem is not None:
        return f"{name} brought no reply: {_with_stop(transcript.problem.message)}"
    if not transcript.blocks and not transcript.ended:
        return f"{name} was stopped before anything came."
    return ""


def _with_stop(sentence: str) -> str:
    """A sentence of a server with its full stop, so that another can follow it."""
    return sentence if sentence.endswith((".", "!", "?", "…")) else f"{sentence}."

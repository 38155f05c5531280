"""Why a server's prompt and ours differ, as far as it can be told: a change that makes ours the same is the cause."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.diff import common_end, common_start

CauseKind: TypeAlias = Literal[
    "template", "bos", "generation prompt", "profile", "defaults", "date", "white space", "unknown"
]

_SHORT = 48
"""Characters that a token at the start of a prompt has at most."""

_DAYS = r"\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun"
_DATE = re.compile(rf"(?i)(?:{_DAYS}|[a-z]{{0,6}}|[\s.,:/+-])*")
_NEAR_DATE = re.compile(rf"(?i)({_DAYS}).*\d|\d.*({_DAYS})", re.DOTALL)

THINKING = ("enable_thinking", "thinking")
"""Variables by which templates switch thinking, and which servers set by default."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is done otherwise in our render; profile "" and None leave it as it is."""

    profile: str = ""
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    generation: bool | None = None
    carry: bool | None = None


Render: TypeAlias = Callable[[Change], str | None]
"""Our prompt with that change, None where there is none."""


@dataclass(frozen=True, slots=True)
class Cause:
    """kind: a fixed word; sentence: for people."""

    kind: CauseKind
    sentence: str


@dataclass(frozen=True, slots=True)
class Sides:
    """What is known when the prompts differ.

    server: its title, for sentences. profiles: those of ours that stand for the server, the likeliest first.
    our_template, their_template: the template texts, the server's "" where it does not tell.
    """

    ours: str
    theirs: str
    server: str
    profile: str
    profiles: tuple[str, ...] = ()
    our_template: str = ""
    their_template: str = ""


def cause_of(sides: Sides, render: Render) -> Cause:
    """The likely cause. render: asked a few times, only where looking at the texts does not tell."""
    return _bos(sides) or _generation(sides, render) or _changed(sides, render) or _seen(sides)


def _bos(sides: Sides) -> Cause | None:
    longer, shorter = sorted((sides.ours, sides.theirs), key=len, reverse=True)
    extra = longer[: len(longer) - len(shorter)]
    if not extra or len(extra) > _SHORT or longer[len(extra) :] != shorter or any(map(str.isspace, extra)):
        return None
    has, lacks = ("Thinkpane", sides.server) if longer is sides.ours else (sides.server, "Thinkpane")
    return Cause("bos", f"BOS: “{extra}” stands at the beginning of the prompt of {has}, not of {lacks}.")


def _generation(sides: Sides, render: Render) -> Cause | None:
    ours, theirs = sides.ours, sides.theirs
    if not (ours.startswith(theirs) or theirs.startswith(ours)):
        return None
    longer = ours if len(ours) > len(theirs) else theirs
    extra = longer[min(len(ours), len(theirs)) :]
    if not extra.strip():
        which = "ours" if longer is ours else f"{sides.server}'s"
        return Cause("white space", f"Only {which} ends in {_shown(extra)}.")
    for generation, said in ((False, "does not open"), (True, "opens")):
        if render(Change(generation=generation)) == theirs:
            return Cause(
                "generation prompt", f"Generation prompt: {sides.server} {said} the reply, our prompt differs."
            )
    return None


def _changed(sides: Sides, render: Render) -> Cause | None:
    """The first change that makes our prompt the server's."""
    if sides.their_template and sides.our_template and not _same_text(sides.our_template, sides.their_template):
        return Cause("template", f"Template: {sides.server} uses another template than the one that is open here.")
    for name in sides.profiles:
        if name != sides.profile and render(Change(profile=name)) == sides.theirs:
            return Cause("profile", f"Profile: with “{name}” instead of “{sides.profile}” the prompts are the same.")
    if render(Change(carry=True)) == sides.theirs:
        return Cause("defaults", "Controls: the prompt shown leaves out the decision that the chat request carries.")
    profile = next(iter(sides.profiles), "")
    for value in (True, False):
        if render(Change(profile, dict.fromkeys(THINKING, value))) == sides.theirs:
            with_profile = f" and the profile “{profile}”" if profile and profile != sides.profile else ""
            said = "true" if value else "false"
            return Cause(
                "defaults", f"Defaults: the same with thinking set to {said}{with_profile}; it is not set here."
            )
    return None


def _seen(sides: Sides) -> Cause:
    """What the place of the first difference looks like, where no change explains it."""
    start = common_start(sides.ours, sides.theirs)
    end = common_end(sides.ours[start:], sides.theirs[start:])
    ours, theirs = (text[start : len(text) - end] for text in (sides.ours, sides.theirs))
    # A digit that both have in common belongs to the date all the same.
    around = [text[max(0, start - 12) : len(text) - max(0, end - 12)] for text in (sides.ours, sides.theirs)]
    if (
        len(ours) + len(theirs) < 120
        and _DATE.fullmatch(ours)
        and _DATE.fullmatch(theirs)
        and (any(each.isdigit() for each in ours + theirs) or all(_NEAR_DATE.search(each) for each in around))
    ):
        return Cause("date", f"Date: ours has “{ours}” where {sides.server} has “{theirs}”.")
    if not ours.strip() and not theirs.strip():
        return Cause("white space", f"White space: ours has {_shown(ours)}, {sides.server} {_shown(theirs)}.")
    return Cause("unknown", "The cause cannot be told; the difference shows where it begins.")


def _same_text(one: str, other: str) -> bool:
    return one.replace("\r\n", "\n").strip() == other.replace("\r\n", "\n").strip()


def _shown(text: str) -> str:
    return repr(text[:40]) if text else "none"

"""How the count of tokens changed from one prompt to another, by who owns them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from thinkpane.prompt.diff import PromptDiff
from thinkpane.prompt.diff_units import Units, Words
from thinkpane.prompt.owners import Group, GroupKind, Owners, Stretch
from thinkpane.prompt.prompt import Prompt

_ORDER: Final[tuple[GroupKind, ...]] = (
    "template",
    "tools",
    "documents",
    "messages",
    "message",
    "variables",
    "unknown",
)
_NAMES: Final = {"template": "scaffolding", "messages": "raw text", "unknown": "not known"}


@dataclass(frozen=True, slots=True)
class OwnerChange:
    """One owner's part of a difference. owner: “message 2 (user)”, …; removed, added: tokens, or characters."""

    owner: str
    removed: int
    added: int

    def __str__(self) -> str:
        """In a line: “message 2 (user) −3 +10”."""
        signs = [f"−{self.removed:,}" if self.removed else "", f"+{self.added:,}" if self.added else ""]
        return " ".join([self.owner, *filter(None, signs)])


def owner_changes(
    found: PromptDiff, one: Prompt, other: Prompt, units: Units | None = None, other_units: Units | None = None
) -> tuple[OwnerChange, ...] | None:
    """By owner: scaffolding, tools, documents, the messages in order, variables; None where one prompt has no owners.

    one, other, units, other_units: what `found` compared (diff.compare).
    """
    if one.owners is None or other.owners is None or one.text != found.before or other.text != found.after:
        return None
    if units is None or other_units is None:
        units, other_units = Words(one.text), Words(other.text)
    removed = _counts(one, one.owners, [each.before for each in found.changes], units)
    added = _counts(other, other.owners, [each.after for each in found.changes], other_units)
    names = sorted({**removed, **added})
    return tuple(OwnerChange(key[2], removed.get(key, 0), added.get(key, 0)) for key in names)


def group_name(group: Group, prompt: Prompt) -> str:
    """What an owner is called, messages by their number in the document: “message 2 (user)”."""
    if group.kind != "message" or group.index is None:
        return _NAMES.get(group.kind, group.kind)
    given, origins = prompt.origins.given, prompt.origins.messages
    message = given[group.index] if isinstance(given, list) and group.index < len(given) else None
    role = message.get("role") if isinstance(message, dict) else None
    own = origins[group.index] if group.index < len(origins) else None
    name = f"message {own + 1}" if own is not None else "a message added before rendering"
    return f"{name} ({role})" if isinstance(role, str) else name


def _counts(
    prompt: Prompt, owners: Owners, stretches: Sequence[Stretch], units: Units
) -> dict[tuple[int, int, str], int]:
    """Tokens by owner; the keys sort as the owners are told."""
    found: dict[tuple[int, int, str], int] = {}
    for stretch in stretches:
        for group, count in _grouped(owners, stretch, units):
            key = (_ORDER.index(group.kind), group.index or 0, group_name(group, prompt))
            found[key] = found.get(key, 0) + count
    return {key: count for key, count in found.items() if count}


def _grouped(owners: Owners, stretch: Stretch, units: Units) -> Iterator[tuple[Group, int]]:
    """The tokens or characters of a stretch, owner after owner; a token is counted where its first character is."""
    if stretch[0] == stretch[1]:
        return
    spans = owners.between(*stretch)
    if not units.exact:
        for each in spans:
            yield each.owner.group, min(each.end, stretch[1]) - max(each.start, stretch[0])
        return
    cut = units.cut(*stretch)
    span = next(spans, None)
    for start, count in zip(cut.starts, cut.tokens, strict=True):
        while span is not None and span.end <= start:
            span = next(spans, None)
        yield span.owner.group if span is not None else Group("unknown"), count

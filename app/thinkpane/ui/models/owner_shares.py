"""How much of a prompt belongs to whom, as the owner bar shows it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.budget import Budget, Measure
from thinkpane.prompt.parts import Part, PartKind

_ORDER: tuple[PartKind, ...] = (
    "scaffolding", "tier", "tool", "document", "messages", "message", "thinking", "variables", "unknown"
)  # fmt: skip
_RANKS = {kind: rank for rank, kind in enumerate(_ORDER)}
_NAMES: Mapping[PartKind, str] = {
    "scaffolding": "scaffolding",
    "tier": "tier text",
    "tool": "tools",
    "document": "documents",
    "messages": "raw text",
    "thinking": "earlier thinking",
    "variables": "variables",
    "unknown": "not known",
}
"""All of a kind is one share, but for messages."""


@dataclass(frozen=True, slots=True)
class Share:
    """One owner's part. name: what it is called; tokens: how many; role: the message's, "" for what is none."""

    kind: PartKind
    parts: tuple[Part, ...]
    name: str
    tokens: int
    role: str = ""


def shares_of(budget: Budget) -> list[Share]:
    """The shares: scaffolding, tier text, tools, documents, the messages in order, thinking, variables; none of those
    that have no tokens."""
    by_share: dict[Part, list[Part]] = {}
    for part in sorted(budget.tokens, key=lambda each: (_RANKS[each.kind], each.index or 0)):
        by_share.setdefault(part if part.kind == "message" else Part(part.kind), []).append(part)
    message = _namer(budget)
    found = []
    for share, parts in by_share.items():
        tokens = sum(budget.tokens[each] for each in parts)
        name, role = message(share.index) if share.kind == "message" else (_NAMES[share.kind], "")
        if tokens:
            found.append(Share(share.kind, tuple(parts), name, tokens, role))
    return found


def legend(shares: Sequence[Share], measure: Measure) -> str:
    """The shares in one line, the messages as one sum; "" for none."""
    if not shares:
        return ""
    about = "≈ " if measure == "estimate" else ""
    messages = [each for each in shares if each.kind == "message"]
    parts: list[str] = []
    for each in shares:
        if each.kind != "message" or len(messages) == 1:
            parts.append(f"{each.name} {about}{each.tokens:,}")
        elif each is messages[0]:
            parts.append(f"{len(messages)} messages {about}{sum(one.tokens for one in messages):,}")
    return f"{'Estimated tokens' if about else 'Tokens'} by owner: {' · '.join(parts)}"


def share_words(share: Share, shares: Sequence[Share], measure: Measure) -> str:
    """One share in words: its tokens of all, and its percentage; "≈" before numbers that are not exact."""
    total = sum(each.tokens for each in shares)
    part = 100 * share.tokens / max(total, 1)
    percent = f"{part:.0f}" if part >= 1 else "under 1"
    about = "" if measure == "exact" else "≈ "
    of = f"{total:,} tokens" if measure != "estimate" else f"≈ {total:,} tokens, an estimate"
    return f"{share.name}: {about}{share.tokens:,} of {of}, {percent} %"


def _namer(budget: Budget) -> Callable[[int | None], tuple[str, str]]:
    origins = budget.prompt.origins
    given: Sequence[JsonValue] = origins.given if isinstance(origins.given, list) else []

    def named(index: int | None) -> tuple[str, str]:
        message = given[index] if index is not None and index < len(given) else None
        role = message.get("role") if isinstance(message, dict) else None
        own = origins.messages[index] if index is not None and index < len(origins.messages) else None
        name = f"message {own + 1}" if own is not None else "a message added before rendering"
        return (f"{name} ({role})", role) if isinstance(role, str) else (name, "")

    return named

"""How much of a prompt belongs to whom, as the owner bar shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.owners import Group, GroupKind
from thinkpane.prompt.prompt import Prompt

_ORDER: tuple[GroupKind, ...] = ("template", "tools", "documents", "messages", "message", "variables", "unknown")
_NAMES: Mapping[GroupKind, str] = {
    "template": "template",
    "tools": "tools",
    "documents": "documents",
    "messages": "raw text",
    "variables": "variables",
    "unknown": "not known",
}


@dataclass(frozen=True, slots=True)
class Share:
    """One owner's part. name: what it is called; characters: how many; role: the message's, "" for what is none."""

    group: Group
    name: str
    characters: int
    role: str = ""


def shares_of(prompt: Prompt) -> list[Share]:
    """The shares of a traced prompt: template, tools, documents, the messages in order, variables; [] untraced."""
    if prompt.owners is None:
        return []
    messages = prompt.origins.given
    given = messages if isinstance(messages, list) else []
    ordered = sorted(prompt.owners.counts.items(), key=lambda each: (_ORDER.index(each[0].kind), each[0].index or 0))
    return [_share(group, count, given, prompt.origins.messages) for group, count in ordered]


def legend(shares: Sequence[Share]) -> str:
    """The shares in one line, the messages as one sum; "" for none."""
    if not shares:
        return ""
    messages = [each for each in shares if each.group.kind == "message"]
    parts: list[str] = []
    for each in shares:
        if each.group.kind != "message" or len(messages) == 1:
            parts.append(f"{each.name} {each.characters:,}")
        elif each is messages[0]:
            parts.append(f"{len(messages)} messages {sum(one.characters for one in messages):,}")
    return f"Characters by owner: {' · '.join(parts)}"


def share_words(share: Share, shares: Sequence[Share]) -> str:
    """One share in words, with its percentage."""
    part = 100 * share.characters / max(sum(each.characters for each in shares), 1)
    percent = f"{part:.0f}" if part >= 1 else "under 1"
    return f"{share.name}: {share.characters:,} character{'' if share.characters == 1 else 's'}, {percent} %"


def _share(group: Group, count: int, given: Sequence[JsonValue], origins: Sequence[int | None]) -> Share:
    if group.kind != "message" or group.index is None:
        return Share(group, _NAMES[group.kind], count)
    message = given[group.index] if group.index < len(given) else None
    role = message.get("role") if isinstance(message, dict) else None
    own = origins[group.index] if group.index < len(origins) else None
    name = f"message {own + 1}" if own is not None else "a message added before rendering"
    return Share(
        group, f"{name} ({role})" if isinstance(role, str) else name, count, role if isinstance(role, str) else ""
    )

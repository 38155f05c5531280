"""Whose part of the prompt a special token opens, told from the token itself and the word after it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

SegmentRole: TypeAlias = Literal["", "system", "user", "assistant", "tool", "thinking"]
"""Whose part of the prompt a segment belongs to; "" = nobody's (scaffolding before the first role)."""

ROLE_WORDS: Mapping[str, SegmentRole] = {
    "system": "system",
    "developer": "system",
    "sys": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "model": "assistant",
    "chatbot": "assistant",
    "bot": "assistant",
    "gpt": "assistant",
    "tool": "tool",
    "observation": "tool",
    "function": "tool",
    "ipython": "tool",
    "environment": "tool",
}
_ROLES: Mapping[str, SegmentRole] = {each: each for each in ("system", "user", "assistant", "tool", "thinking")}

# Words beside a role's that leave it a role: <|USER_TOKEN|> is one, <tool_call> is not.
_NEUTRAL = frozenset(
    (
        "token",
        "turn",
        "start",
        "begin",
        "of",
        "im",
        "header",
        "id",
        "role",
        "message",
        "prompt",
        "response",
        "responses",
    )
) | frozenset(("result", "results", "output", "outputs"))
_THINKING = frozenset(("think", "thinking", "thought", "reasoning"))
_ENDS = frozenset(("end", "eot", "eom"))
_OPENS = frozenset(("start", "begin", "header", "turn"))
_WRAPS = frozenset(("response", "responses", "result", "results", "output", "outputs"))
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_INSTRUCTION: Mapping[str, SegmentRole] = {"[INST]": "user", "[/INST]": "assistant"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a token does. role: whose text follows, None = it says nothing. announces: a role's word may follow it.

    enters, leaves: it opens or closes a stretch inside of a turn (thinking, a tool's result), after which the turn
    goes on.
    """

    role: SegmentRole | None = None
    announces: bool = False
    enters: bool = False
    leaves: bool = False


class Meanings:
    """The meanings of a template's tokens. roles: token -> role, from template.toml. thinking: its pair, if known."""

    def __init__(self, roles: Mapping[str, str], thinking: Sequence[str] = ()) -> None:
        self._known = {token: Meaning(_ROLES[role]) for token, role in roles.items() if role in _ROLES}
        if len(thinking) == 2:
            self._known[thinking[0]] = Meaning("thinking", enters=True)
            self._known[thinking[1]] = Meaning("thinking", leaves=True)

    def of(self, token: str) -> Meaning:
        """What `token` does."""
        found = self._known.get(token)
        return found if found is not None else shape_meaning(token)


@cache
def shape_meaning(token: str) -> Meaning:
    """What a token does by its look alone."""
    if token in _INSTRUCTION:
        return Meaning(_INSTRUCTION[token])
    words = frozenset(word.lower() for word in _WORDS.findall(token))
    closes = "/" in token[:3] or bool(words & _ENDS)
    if words & _THINKING and words <= _THINKING | _NEUTRAL | _ENDS:
        return Meaning("thinking", enters=not closes, leaves=closes)
    named = {ROLE_WORDS[word] for word in words if word in ROLE_WORDS}
    if len(named) == 1 and words <= frozenset(ROLE_WORDS) | _NEUTRAL | _ENDS:
        role = named.pop()
        if words & _WRAPS:
            return Meaning(role, enters=not closes, leaves=closes)
        return Meaning() if closes else Meaning(role)
    return Meaning(announces=not closes and bool(words & _OPENS))

"""How much of a model's context a prompt takes, with the reply that is asked for, in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from thinkpane.endpoints.dialects.openai_completions import DEFAULT_MAX_TOKENS
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.context_length import ContextLength
from thinkpane.ui.widgets.badge import Tone

NEAR: Final = 0.9
"""The part of the context from which it is told to be nearly full."""

_LIMITS = ("max_tokens", "max_completion_tokens")


@dataclass(frozen=True, slots=True)
class Room:
    """used: tokens of the prompt; about: they are an estimate. asked: tokens of the reply, 0 = no number is sent."""

    used: int
    about: bool
    asked: int
    length: ContextLength

    @property
    def tone(self) -> Tone:
        """ "bad" over the limit, "warning" near it."""
        wanted = self.used + self.asked
        return "bad" if wanted > self.length.tokens else "warning" if wanted >= NEAR * self.length.tokens else ""

    @property
    def words(self) -> str:
        """The part of the context that is taken; what is too much, where something is."""
        limit, wanted = self.length.tokens, self.used + self.asked
        about = "≈ " if self.about else ""
        reply = f" with {self.asked:,} asked for"
        said = f"Context of {limit:,} ({self.length.place}): {about}"
        if self.used > limit or wanted > limit:
            over, also = (self.used - limit, "") if self.used > limit else (wanted - limit, reply)
            return f"{said}{over:,} token{'' if over == 1 else 's'} too many{also}"
        also = f", {about}{_percent(wanted, limit)}{reply}" if self.asked else ""
        return f"{said}{_percent(self.used, limit)} taken{also}"

    @property
    def short(self) -> str:
        """The same in a few words, for where it is told because it is near the limit or over it."""
        limit, wanted = self.length.tokens, self.used + self.asked
        if wanted > limit:
            return f"{wanted - limit:,} token{'' if wanted - limit == 1 else 's'} over the context"
        return f"context {_percent(wanted, limit)} full"

    @property
    def hint(self) -> str:
        """Who says how long the context is."""
        return f"The context holds {self.length.tokens:,} tokens, by {self.length.name} in {self.length.place}."


def asked_tokens(params: Mapping[str, JsonValue], path: str) -> int:
    """How many tokens the reply may have: what is set, else what is always sent on the raw path; 0 = no number is."""
    for name in _LIMITS:
        value = params.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    return DEFAULT_MAX_TOKENS if path == "raw" else 0


def _percent(part: int, whole: int) -> str:
    share = 100 * part / whole
    return f"{share:.0f} %" if share >= 10 else f"{share:.1f} %"

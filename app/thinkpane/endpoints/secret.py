"""A key while it is in memory: bound to one origin, valid as a header, and never shown by accident. And passwords."""

from dataclasses import dataclass, field

from thinkpane.endpoints.profile import origin_of
from thinkpane.errors import Problem, ThinkpaneError


@dataclass(frozen=True, slots=True)
class Secret:
    """A key and the only origin (scheme://host:port) that may see it. Its repr and str leave the value out.

    Spaces and line ends around the value are cut off. Raises ThinkpaneError (kind "key"), in words without the value,
    where it is empty or no header can hold it, and where origin is none.
    """

    value: str = field(repr=False)
    origin: str

    def __post_init__(self) -> None:
        trimmed = self.value.strip()
        if not trimmed:
            raise _refused("The key is empty.")
        for place, character in enumerate(trimmed, 1):
            if not character.isascii():
                raise _refused(f"The key has a non-ASCII character (U+{ord(character):04X}) at position {place}.")
            if not character.isprintable():
                raise _refused(f"The key has a control character (U+{ord(character):04X}) at position {place}.")
        origin = origin_of(self.origin)
        if not origin:
            raise _refused("The key is bound to no web address, so it cannot be sent anywhere.")
        object.__setattr__(self, "value", trimmed)
        object.__setattr__(self, "origin", origin)

    @property
    def user(self) -> None:
        """A key has no user."""
        return None

    def __str__(self) -> str:
        return f"key for {self.origin}"


@dataclass(frozen=True, slots=True)
class Password:
    """A proxy's password, and its user; known only to be masked where they are echoed, so that any text may be one."""

    value: str = field(repr=False)
    user: str = field(repr=False)


def _refused(sentence: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("key", sentence))

"""What an expression of a template may be: constants, the value of a variable, a message's text or a piece of it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, TypeVar

KEPT = 512
"""Constants of one value that are kept; a template that lists more does not ask a person to choose."""

Constant: TypeAlias = tuple[str, Any]
"""Its type's name and itself: 1, 1.0 and True are three values to a template."""

Kind: TypeAlias = Literal["messages", "message", "content", "part", "role", "tools"]

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Text:
    """A message's text or a piece of it.

    opening, closing: the marks between which it stands, "" = none. cut: the mark at which it was split, so that this
    is a list of pieces. any_case: it was made lower or upper case.
    """

    opening: str = ""
    closing: str = ""
    cut: str = ""
    any_case: bool = False

    def piece(self, first: bool) -> "Text":
        """One piece of a text that was split: the first, before the mark, or a later one, behind it."""
        if not self.cut:
            return self
        if first:
            return replace(self, cut="", closing=self.cut if self.opening else "")
        return replace(self, opening=self.cut, closing="", cut="")


@dataclass(frozen=True, slots=True)
class Value:
    """What one expression may be; all of it is "may".

    constants: the expression itself. members: what stands in it, as a list's entries or a dictionary's keys.
    entries: a dictionary's values. variables: names of variables whose value it is, made lower case, trimmed or turned
    into text at most; `name.field` and `name[]` are a field and an entry. texts: messages' texts that it is or holds.
    kinds: what else of a request it is. Tuples, in the order of the template, so that findings are too.
    """

    constants: tuple[Constant, ...] = ()
    members: tuple[Constant, ...] = ()
    entries: tuple[Constant, ...] = ()
    variables: tuple[str, ...] = ()
    texts: tuple[Text, ...] = ()
    kinds: tuple[Kind, ...] = ()

    def __or__(self, other: "Value") -> "Value":
        if other is NOTHING or other == self:
            return self
        return Value(
            _joined(self.constants, other.constants),
            _joined(self.members, other.members),
            _joined(self.entries, other.entries),
            _joined(self.variables, other.variables),
            _joined(self.texts, other.texts),
            _joined(self.kinds, other.kinds),
        )


NOTHING = Value()
MESSAGE_TEXT = Value(texts=(Text(),), kinds=("content",))


def constant(value: Any) -> Value:
    """The value that is just this constant."""
    return Value(constants=((type(value).__name__, value),))


def any_of(values: Iterable[Value]) -> Value:
    """What is one of these."""
    found = NOTHING
    for each in values:
        found |= each
    return found


def _joined(one: tuple[_Item, ...], other: tuple[_Item, ...]) -> tuple[_Item, ...]:
    return tuple(dict.fromkeys((*one, *other)))[:KEPT] if other else one

"""Markup that keeps owners. Templates meet it through `safe` and `escape`; its text is what markupsafe's would be."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar, SupportsIndex, cast

from markupsafe import Markup, escape

from thinkpane.engine.owned_text import OwnedText, Run, attributed, by_character, has_runs, joined, runs_of


class OwnedMarkup(Markup):
    """Markup with runs that cover it; what is not defined here is owned as far as its text tells by itself."""

    __slots__ = ("_runs",)
    _carries_runs: ClassVar[bool] = True
    _runs: list[Run]

    def __new__(cls, text: Any = "", runs: list[Run] | None = None) -> "OwnedMarkup":
        self = super().__new__(cls, text)
        self._runs = ([Run(len(self))] if self else []) if runs is None else runs
        return self

    def __str__(self) -> str:
        return OwnedText(str.__str__(self), self._runs)

    def __add__(self, other: Any) -> "OwnedMarkup":
        if not isinstance(other, str) and not hasattr(other, "__html__"):
            return NotImplemented
        return _marked(joined((self, owned_escape(other))))

    def __radd__(self, other: Any) -> "OwnedMarkup":
        if not isinstance(other, str) and not hasattr(other, "__html__"):
            return NotImplemented
        return _marked(joined((owned_escape(other), self)))

    def __mul__(self, count: SupportsIndex) -> "OwnedMarkup":
        return _marked(OwnedText(str.__str__(self), self._runs) * count)

    __rmul__ = __mul__

    def __getitem__(self, index: Any) -> "OwnedMarkup":
        return _marked(OwnedText(str.__str__(self), self._runs)[index])

    def strip(self, chars: str | None = None, /) -> "OwnedMarkup":
        return _marked(OwnedText(str.__str__(self), self._runs).strip(chars))

    def lstrip(self, chars: str | None = None, /) -> "OwnedMarkup":
        return _marked(OwnedText(str.__str__(self), self._runs).lstrip(chars))

    def rstrip(self, chars: str | None = None, /) -> "OwnedMarkup":
        return _marked(OwnedText(str.__str__(self), self._runs).rstrip(chars))


def _following(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of Markup whose results keep the owners of what they were made of."""

    @wraps(method)
    def following(self: OwnedMarkup, *args: Any, **kwargs: Any) -> Any:
        return _owned_by(method(self, *args, **kwargs), (self, *args, *kwargs.values()))

    return following


def _owned_by(result: Any, operands: tuple[Any, ...]) -> Any:
    if isinstance(result, list | tuple):
        return type(result)(_owned_by(each, operands) for each in result)
    flat = [inner for each in operands for inner in (each if isinstance(each, tuple) else (each,))]
    owned = attributed(result, flat)
    return _marked(owned) if isinstance(result, Markup) else owned


for _name in (
    *("upper", "lower", "title", "capitalize", "swapcase", "casefold", "replace", "translate", "expandtabs", "__mod__"),
    *("split", "rsplit", "splitlines", "partition", "rpartition", "removeprefix", "removesuffix", "join"),
    *("center", "ljust", "rjust", "zfill", "unescape", "striptags"),
):
    setattr(OwnedMarkup, _name, _following(getattr(Markup, _name)))


def _marked(text: str) -> OwnedMarkup:
    return OwnedMarkup(text, runs_of(text))


def owned_markup(markup: Markup, source: object) -> Markup:
    """`markup`, which a filter made of `source`, with the owners of `source`."""
    if not has_runs(source):
        return markup
    text = str.__str__(markup)
    runs = by_character(text, cast("str", source), lambda each: str.__str__(escape(each)))
    return OwnedMarkup(markup, attributed(text, (source,))._runs if runs is None else runs)


def owned_escape(value: Any) -> Markup:
    """`markupsafe.escape` that keeps owners."""
    return value if has_runs(value) and isinstance(value, Markup) else owned_markup(escape(value), value)

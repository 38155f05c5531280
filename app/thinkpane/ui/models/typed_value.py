"""What a person types for a variable or parameter, as the JSON value it stands for, and back."""

from collections.abc import Sequence
from typing import Final

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump, parse


class Unset:
    """The type of `UNSET`."""


UNSET: Final = Unset()
"""Nothing was typed: the variable is not passed at all."""


def typed_value(text: str, known: Sequence[JsonValue] = ()) -> "JsonValue | Unset":
    """The value of a typed text: one of `known` as it is shown, text where all of those are, JSON, else text.

    Quotation marks make text of anything: "3" in them is no number, and a pair of them is the empty text.
    """
    if not text.strip():
        return UNSET
    for value in known:
        if shown_value(value, known) == text.strip():
            return value
    if known and all(isinstance(value, str) for value in known) and not text.lstrip().startswith('"'):
        return text
    try:
        return parse(text)
    except ThinkpaneError:
        return text


def shown_value(value: "JsonValue | Unset", known: Sequence[JsonValue] = ()) -> str:
    """The text that `typed_value` reads as `value`."""
    if isinstance(value, Unset):
        return ""
    if not isinstance(value, str):
        return dump(value, indent=None)
    if known and all(isinstance(each, str) for each in known):
        plain = bool(value.strip()) and not value.lstrip().startswith('"')
        return value if plain else dump(value, indent=None)
    return dump(value, indent=None) if _reads_as_json(value) else value


def _reads_as_json(text: str) -> bool:
    if not text.strip():
        return True
    try:
        parse(text)
    except ThinkpaneError:
        return False
    return True

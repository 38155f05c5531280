"""Which values of sampling parameters make sense: bounds that the published interfaces agree on.

Rule: the bounds of OpenAI's and vLLM's references; a seed of -1 is llama.cpp's word for any.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump


@dataclass(frozen=True, slots=True)
class Bounds:
    """low, high: the least and the greatest value, None = none; whole: no fraction."""

    low: float
    high: float | None = None
    whole: bool = False


BOUNDS: Final[Mapping[str, Bounds]] = {
    "temperature": Bounds(0, 5),
    "top_p": Bounds(0, 1),
    "min_p": Bounds(0, 1),
    "top_k": Bounds(-1, whole=True),
    "max_tokens": Bounds(1, whole=True),
    "max_completion_tokens": Bounds(1, whole=True),
    "seed": Bounds(-1, whole=True),
    "presence_penalty": Bounds(-2, 2),
    "frequency_penalty": Bounds(-2, 2),
    "repetition_penalty": Bounds(0),
}


def odd_value(name: str, value: JsonValue) -> str:
    """What is odd about a parameter's value, one sentence; "" = nothing, or nothing is known of it."""
    bounds = BOUNDS.get(name)
    if bounds is None or value is None:
        return ""
    shown = dump(value, indent=None)[:60]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or (bounds.whole and value != int(value)):
        return f"“{name}” is {shown}; it has to be a {'whole ' if bounds.whole else ''}number."
    if value < bounds.low or (bounds.high is not None and value > bounds.high):
        upper = f" to {bounds.high:g}" if bounds.high is not None else " on"
        return f"“{name}” is {shown}; it goes from {bounds.low:g}{upper}."
    return ""

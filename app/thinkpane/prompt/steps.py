"""What is done to a conversation before it is rendered: the GLMT steps, each with a switch and its decision in words.

A step never changes the document: it gives a new conversation and variables, and says what it did and why.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkpane.formats.json_values import JsonValue


@dataclass(frozen=True, slots=True)
class Decision:
    """What one step decided. step: its id; text: one sentence for the window; acted: it changed something."""

    step: str
    text: str
    acted: bool = False
    detail: Mapping[str, JsonValue] = field(default_factory=dict)

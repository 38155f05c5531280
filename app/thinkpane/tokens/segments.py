"""A prompt cut at its special tokens."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

SegmentRole: TypeAlias = Literal["", "system", "user", "assistant", "tool", "thinking"]
"""Whose part of the prompt a segment belongs to; "" = nobody's (scaffolding before the first role)."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One stretch of the prompt. start, end: code points in it. special: it is a special token."""

    start: int
    end: int
    special: bool
    role: SegmentRole = ""

"""What is found wrong with a template's text, and what a repair did, as values."""

from dataclasses import dataclass
from typing import Literal

Confidence = Literal["certain", "likely", "possible"]

NO_TEMPLATE = "no-template"
ENTITIES = "html-entities"
FENCE = "markdown-fence"
ESCAPES = "json-escapes"
BORDERS = "table-borders"
PAGE_TEXT = "page-text"
INDENTATION = "folded-indentation"
LINE_BREAKS = "folded-line-breaks"
TAGS = "stripped-tags"
PLACEHOLDER = "object-placeholder"
TRUNCATION = "truncation"


@dataclass(frozen=True, slots=True)
class Damage:
    """One kind of damage. line: its first place, from 1. sentence: what it is and what it does, for a person.

    confidence: certain = the text cannot have been written so; likely; possible = may be meant.
    """

    kind: str
    line: int
    sentence: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Step:
    """One repair that changed something, or says why it did not. before, after: the whole text."""

    kind: str
    sentence: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Repaired:
    """text: after all steps."""

    text: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Mended:
    """What one kind's repair gives: the text, and a sentence on what was done, what was assumed, what stays lost."""

    text: str
    sentence: str

"""Damage of pasted and scraped templates: finding it, and repairing what a person asks for.

The kinds come from templates as pages, tables and JSON files show them. Nothing is changed unasked, and what cannot
be known is said. No Jinja is run here.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import replace

from thinkpane.templates.damage import (
    borders,
    entities,
    escapes,
    fences,
    indentation,
    line_breaks,
    no_template,
    page_text,
    placeholder,
    stripped_tags,
    truncation,
)
from thinkpane.templates.damage.families import FAMILIES, likely_family
from thinkpane.templates.damage.values import (
    BORDERS,
    ENTITIES,
    ESCAPES,
    FENCE,
    INDENTATION,
    LINE_BREAKS,
    PAGE_TEXT,
    PLACEHOLDER,
    TAGS,
    TRUNCATION,
    Damage,
    Mended,
    Repaired,
    Step,
)

__all__ = ["FAMILIES", "KINDS", "Damage", "Repaired", "Step", "inspect", "likely_family", "repair"]

LONGEST = 4 * 2**20
"""Characters of a text that is looked at; longer ones are no templates (files.TEMPLATE_LIMIT)."""

_KNOWN_BY = 30
"""Characters by which a line is found again."""

_NAMED_LINE = re.compile(r"\bof line \d")
_WORDS = re.compile(r"\w[\w ]{5,}")

_Find = Callable[[str], Damage | None]
_Mend = Callable[[str, str | None], Mended]

_ORDER: dict[str, tuple[_Find, _Mend]] = {
    FENCE: (fences.find, fences.mend),
    ENTITIES: (entities.find, entities.mend),
    BORDERS: (borders.find, borders.mend),
    ESCAPES: (escapes.find, escapes.mend),
    PAGE_TEXT: (page_text.find, page_text.mend),
    INDENTATION: (indentation.find, indentation.mend),
    LINE_BREAKS: (line_breaks.find, line_breaks.mend),
    TAGS: (stripped_tags.find, stripped_tags.mend),
    PLACEHOLDER: (placeholder.find, placeholder.mend),
    TRUNCATION: (truncation.find, truncation.mend),
}

KINDS = tuple(_ORDER)
"""The kinds that `repair` takes, in the order in which they are repaired: what was added last is taken off first."""


def inspect(text: str) -> tuple[Damage, ...]:
    """What is wrong with `text`, in the order of `KINDS`; only "no-template" where there is none in it.

    Damage under other damage is found too: each kind is looked for in the text as it is without the ones before it.
    """
    given = text = text[:LONGEST]
    nothing = no_template.find(given)
    if nothing:
        return (nothing,)
    found: list[Damage] = []
    for find, mend in _ORDER.values():
        damage = find(text)
        if damage:
            found.append(_placed(damage, given, text, find))
            text = mend(text, None).text
    return tuple(found)


def _placed(damage: Damage, given: str, peeled: str, find: _Find) -> Damage:
    """Damage of the text without the damage before, with its line in `given`; lines that its sentence names stay those
    of the peeled text, which is said."""
    sentence = damage.sentence
    if given.count("\n") != peeled.count("\n") and _NAMED_LINE.search(sentence):
        sentence += " (Lines as they are once the damage above is repaired.)"
    return replace(damage, line=_line_in(given, peeled, damage.line, find), sentence=sentence)


def _line_in(given: str, peeled: str, line: int, find: _Find) -> int:
    """The line of `given` that became a line of the text without the damage before: found by its words."""
    if given == peeled:
        return line
    direct = find(given)
    if direct:
        return direct.line
    words = peeled.split("\n")[line - 1].strip()
    # Quotes and line ends may be escaped in `given`, words are not.
    runs = sorted(_WORDS.findall(words), key=len, reverse=True)
    at = next((place for each in (words[:_KNOWN_BY], *runs) if each and (place := given.find(each)) >= 0), 0)
    return given.count("\n", 0, at) + 1


def repair(text: str, kinds: Collection[str], family: str | None = None) -> Repaired:
    """`text` with the damage of `kinds` repaired, each step with the text before and after it.

    family: one of `FAMILIES`, the person's consent to put its tags where tags were lost; None leaves them out.
    A kind that is not in the text makes no step. Raises ValueError for a kind or a family that is not known.
    """
    unknown = set(kinds) - set(KINDS)
    if unknown:
        raise ValueError(f"unknown kinds of damage: {', '.join(sorted(unknown))}")
    steps: list[Step] = []
    for kind, (find, mend) in _ORDER.items():
        if kind in kinds and find(text):
            mended = mend(text, family)
            steps.append(Step(kind, mended.sentence, text, mended.text))
            text = mended.text
    return Repaired(text, tuple(steps))

"""Owners in a person's words: where some characters came from, and what in the template wrote them."""

from dataclasses import replace

from thinkpane.prompt.owners import OwnedSpan, Owner, Owners, Stretch
from thinkpane.prompt.places import Place
from thinkpane.prompt.prompt import Prompt

_LONGEST_SNIPPET = 80
_MOST_SPANS = 300
"""Spans of a selection that are looked at: what is told is a list of a few owners."""


def place_of(prompt: Prompt, span: OwnedSpan) -> Place | None:
    """Where in the document the span came from, None for the template's own text."""
    return prompt.origins.place(span)


def came_from(prompt: Prompt, span: OwnedSpan) -> str:
    """Where the span came from: a place, the template, or nobody knows."""
    place = place_of(prompt, span)
    if place is not None:
        return str(place)
    return "the template's own text" if span.owner.line else "no owner is known"


def written_by(prompt: Prompt, owner: Owner) -> str:
    """Template line, column, the macro calls it went through, and what stands there; "" where no line is known."""
    if not owner.line:
        return ""
    words = f"template line {owner.line:,}, column {owner.column:,}"
    if owner.via:
        named = ", ".join(f"{each:,}" for each in owner.via)
        words += f", called from line{'s' if len(owner.via) > 1 else ''} {named}"
    snippet = _snippet(prompt, owner.line)
    return f"{words} · {snippet}" if snippet else words


def selection_words(prompt: Prompt, owners: Owners, start: int, end: int) -> tuple[str, str]:
    """What is selected: one owner with exactly these characters, or the places of several."""
    first = owners.at(start)
    if first is None:
        return "", ""
    if end <= first.end:
        return came_from(prompt, first.part(start, end)), written_by(prompt, first.owner)
    names: dict[str, None] = {}
    for number, span in enumerate(owners.between(start, end)):
        if number == _MOST_SPANS:
            break
        place = place_of(prompt, span)
        whole = replace(place, at=None, field="") if place is not None and place.index is not None else place
        names[str(replace(whole, at=None)) if whole is not None else "the template"] = None
    shown = [*names][:4]
    return f"{', '.join(shown)}{f' and {len(names) - 4} more' if len(names) > 4 else ''}", ""


def line_words(prompt: Prompt, line: int, stretches: list[Stretch]) -> str:
    """How much a template line wrote."""
    if not stretches:
        ran = "it ran" if line in prompt.lines else "it did not run, or had nothing to write"
        return f"template line {line:,} wrote nothing in this prompt; {ran}"
    count = sum(end - start for start, end in stretches)
    places = f" in {len(stretches):,} places" if len(stretches) > 1 else ""
    return f"template line {line:,} wrote {count:,} character{'' if count == 1 else 's'}{places}"


def _snippet(prompt: Prompt, line: int) -> str:
    """The template's line; "" for an old prompt, whose template may be another one by now."""
    if prompt.request is None or prompt.stale:
        return ""
    lines = prompt.request.source.split("\n", line)
    text = lines[line - 1].strip() if line <= len(lines) else ""
    return text if len(text) <= _LONGEST_SNIPPET else text[: _LONGEST_SNIPPET - 1] + "…"

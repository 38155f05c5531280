"""A part of the prompt, cut out with what is known of it: nothing of the rest is left in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.models.token_layer import Outline, Token, TokenLayer, TokenSource, outline_of
from thinkpane.ui.theme import Theme
from thinkpane.ui.widgets.text_gutter import Labels
from thinkpane.ui.widgets.text_lit import Lit, lit
from thinkpane.ui.widgets.text_marks import Mark

_LONGEST_STEM = 40


@dataclass(frozen=True, slots=True)
class Look:
    """How an excerpt looks. width: pixels of the whole. shaded: every token; ids: below each row; gutter: line numbers,
    template lines and roles; title: the lines above; invisible: spaces and newlines too."""

    theme: Theme
    width: int = 760
    shaded: bool = True
    ids: bool = False
    gutter: bool = True
    title: bool = True
    invisible: bool = False


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is exported. Positions count from the excerpt's start. first_line: the number of its first line.

    title: the template. facts: how many tokens, and which part of the prompt it is. name: for a file, without suffix.
    forged: special tokens that came from input.
    """

    text: str
    marks: tuple[Mark, ...]
    tokens: TokenSource | None
    labels: Labels | None
    first_line: int
    title: str
    facts: str
    name: str
    forged: Lit = field(default_factory=Lit)


class CutTokens:
    """The tokens of a part of a text; those at its edges are cut off there."""

    def __init__(self, tokens: TokenSource, start: int, end: int) -> None:
        self._tokens = tokens
        self._start, self._end = start, end

    def between(self, start: int, end: int) -> Sequence[Token]:
        """The tokens that touch [start, end) of the part."""
        by, last = self._start, self._end
        found = self._tokens.between(start + by, min(end + by, last))
        return [
            Token(each.index, each.id, max(each.start, by) - by, min(each.end, last) - by, each.kind, each.count)
            for each in found
        ]

    def outline(self, start: int, end: int) -> Outline:
        """What TokenSource says."""
        return outline_of(self.between(start, end), start)


def excerpt_of(
    prompt: Prompt,
    layer: TokenLayer | None,
    labels: Labels | None,
    start: int,
    end: int,
    title: str,
    forged: Lit | None = None,
) -> Excerpt:
    """The characters [start, end) of a prompt. layer, labels, forged: its tokens, what its gutter shows, and special
    tokens that came from input, where known.

    What comes of it is looked at in a thread, too, so that it has a layer of its own.
    """
    own = TokenLayer(layer.encoding, layer.known) if layer is not None else None
    marks = [
        Mark(max(each.start, start) - start, min(each.end, end) - start, "token" if each.special else "text", each.role)
        for each in prompt.segments
        if each.start < end and each.end > start
    ]
    return Excerpt(
        prompt.text[start:end],
        tuple(marks),
        CutTokens(own, start, end) if own is not None else None,
        _moved(labels, start) if labels is not None else None,
        prompt.text.count("\n", 0, start) + 1,
        "".join(each if each.isprintable() else "\ufffd" for each in title),
        _facts(prompt, own, start, end),
        _name(prompt, title, start, end),
        lit(_within(each, start, end) for each in forged.between(start, end)) if forged is not None else Lit(),
    )


def _within(stretch: tuple[int, int], start: int, end: int) -> tuple[int, int]:
    return max(stretch[0], start) - start, min(stretch[1], end) - start


def _moved(labels: Labels, start: int) -> Labels:
    return Labels(
        lambda position: labels.at(position + start),
        labels.most,
        lambda first, last: labels.role(first + start, last + start),
    )


def _facts(prompt: Prompt, layer: TokenLayer | None, start: int, end: int) -> str:
    whole = (start, end) == (0, len(prompt.text))
    found = []
    if layer is not None:
        count = _many(len(layer), "token")
        edges = [*layer.at(start), *layer.at(end - 1)] if not whole else []
        first, last = (edges[0].index + 1, edges[-1].index + edges[-1].count) if edges else (0, 0)
        part = f"token {first:,} of " if first == last else f"tokens {first:,}–{last:,} of "
        found.append(f"{part if edges else ''}{count}")
    if whole:
        found.append(_many(len(prompt.text), "character"))
    elif end - start == 1:
        found.append(f"character {end:,} of {len(prompt.text):,}")
    else:
        found.append(f"characters {start + 1:,}–{end:,} of {len(prompt.text):,}")
    if prompt.stale:
        found.append("the last good prompt, not the current one")
    return " · ".join(found)


def _name(prompt: Prompt, title: str, start: int, end: int) -> str:
    """A name that every system takes, from what people and templates are called."""
    stem = re.sub(r"[^a-z0-9]+", "-", title.rsplit("/", 1)[-1].rsplit(".", 1)[0].lower())[:_LONGEST_STEM].strip("-")
    part = "" if (start, end) == (0, len(prompt.text)) else f"-{start + 1}-{end}"
    return f"{stem or 'prompt'}{'-prompt' if stem else ''}{part}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"

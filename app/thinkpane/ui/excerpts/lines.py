"""An excerpt as lines of runs, for the HTML file: cut at its marks and tokens, hidden characters made visible."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from thinkpane.ui.excerpts.excerpt import Excerpt, Look
from thinkpane.ui.models.token_layer import Token
from thinkpane.ui.widgets.text_lit import Lit
from thinkpane.ui.widgets.text_marks import Mark, Marks
from thinkpane.ui.widgets.text_shown import shown
from thinkpane.workspace.exporters.excerpt_html import Excerpt as Written
from thinkpane.workspace.exporters.excerpt_html import Line, Run, RunKind

_COLOURS = ("pane", "text", "dim", "warning", "bad", "system", "user", "assistant", "tool")


@dataclass(frozen=True, slots=True)
class _Cut:
    """A stretch of one line that is all one token's and all one mark's. begins: the token begins there."""

    start: int
    end: int
    mark: Mark | None
    token: Token | None
    begins: bool
    forged: bool


def written(excerpt: Excerpt, look: Look) -> Written:
    """What the HTML file is made of."""
    colours = {name: str(getattr(look.theme, name)) for name in _COLOURS}
    colours |= {"developer": look.theme.role("developer"), "thinking": look.theme.role("thinking")}
    return Written(
        lines=lines_of(excerpt, look),
        colours=colours,
        title=excerpt.title if look.title else "",
        facts=excerpt.facts if look.title else "",
        gutter=look.gutter,
        ids=look.ids,
        width=look.width,
    )


def lines_of(excerpt: Excerpt, look: Look) -> Iterator[Line]:
    """The lines, one by one."""
    marks = Marks(excerpt.marks)
    start, number = 0, excerpt.first_line
    while True:
        end = excerpt.text.find("\n", start)
        has_newline = end >= 0
        end = end if has_newline else len(excerpt.text)
        label = excerpt.labels.at(start) if excerpt.labels is not None and start < len(excerpt.text) else 0
        runs = tuple(_runs(excerpt, look, marks, start, end, has_newline=has_newline))
        yield Line(number, runs, label, _role(excerpt, marks, start, end))
        if not has_newline:
            return
        start, number = end + 1, number + 1


def _role(excerpt: Excerpt, marks: Marks, start: int, end: int) -> str:
    found = excerpt.labels.role(start, max(end, start + 1)) if excerpt.labels is not None else ""
    mark = marks.at(min(start, max(len(excerpt.text) - 1, 0)))
    return found or (mark.role if mark is not None else "")


def _runs(excerpt: Excerpt, look: Look, marks: Marks, start: int, end: int, *, has_newline: bool) -> Iterator[Run]:
    wants = excerpt.tokens is not None and (look.shaded or look.ids)
    tokens = list(excerpt.tokens.between(start, end + has_newline)) if excerpt.tokens is not None and wants else []
    for cut in _cuts(excerpt.forged, marks, tokens, start, end):
        kept = cut.token if wants else None
        id = kept.id if kept is not None and look.ids and cut.begins else None
        shade = kept.index % 2 if kept is not None and look.shaded else None
        chip = cut.mark is not None and cut.mark.kind == "token"
        role = cut.mark.role if cut.mark is not None and chip else ""
        for part, is_escape in _shown(excerpt.text[cut.start : cut.end], look):
            kind: RunKind = "escape" if is_escape else "token" if chip else "text"
            yield Run(part, kind, role, None if chip else shade, id, cut.forged)
            id = None
    last = tokens[-1] if tokens and has_newline and tokens[-1].end > end else None
    if last is not None and (last.start == end or look.invisible):
        shade = last.index % 2 if look.shaded else None
        yield Run("", "newline", "", shade, last.id if look.ids and last.start == end else None)


def _cuts(forged: Lit, marks: Marks, tokens: list[Token], start: int, end: int) -> Iterator[_Cut]:
    edges = {start, end}
    for mark in marks.between(start, end):
        edges |= {mark.start, mark.end} if mark.kind == "token" else set()
    for stretch in forged.between(start, end):
        edges |= {*stretch}
    by_start: dict[int, Token] = {}
    for token in tokens:
        # Parts of one character share its place; the first stands for all.
        by_start.setdefault(max(token.start, start), token)
        edges.add(token.start)
    places = sorted(edge for edge in edges if start <= edge <= end)
    token_now: Token | None = None
    for first, stop in pairwise(places):
        fresh = by_start.get(first)
        token_now = fresh if fresh is not None else token_now
        yield _Cut(
            first,
            stop,
            marks.at(first),
            token_now,
            fresh is not None and fresh.start >= start,
            any(forged.between(first, stop)),
        )


def _shown(text: str, look: Look) -> Iterator[tuple[str, bool]]:
    """The text as it is shown, cut at what stands for a hidden character."""
    found = shown(text, invisible=look.invisible)
    if not found.escapes:
        yield found.text, False
        return
    units = found.text.encode("utf-16-le", "replace")
    at = 0
    for start, end in found.escapes:
        if start > at:
            yield units[2 * at : 2 * start].decode("utf-16-le"), False
        yield units[2 * start : 2 * end].decode("utf-16-le"), True
        at = end
    if 2 * at < len(units):
        yield units[2 * at :].decode("utf-16-le"), False

"""Line breaks that a page folded into single spaces: a whole template in one line.

A template's tags stand on lines of their own, so a space between two tags was a line break. In running text only
what must begin a line is taken for one: headings, list items, numbered items, labels.
"""

import re

from thinkpane.templates.damage.pieces import Piece, cut, line_of
from thinkpane.templates.damage.values import LINE_BREAKS, Damage, Mended

LONG_LINE = 1000
"""Characters above which a line with folded tags counts as folded (seeds.md, damage detector)."""

_BETWEEN_TAGS = re.compile(r"[%#}]\} \{[%#{]")
_SPECIAL = re.compile(r"<\|[^|<>\s]{1,60}\|>$|\[[A-Za-z_/]{2,20}\]$")
_SENTENCE_END = r"(?<=[.:;!?)\]”\"])"
_ITEM = re.compile(_SENTENCE_END + r" (?=[-*•] [^\s])")
_NUMBER = re.compile(_SENTENCE_END + r" (?=\d{1,2}\. [A-Z])")
_LABEL = re.compile(r"(?<=[.!?)\]”\"])(?<!\d\.) (?=[A-Z][a-z]+(?: [a-z]+){0,2}: )")
_HEADING = re.compile(r"(?:^|(?<=[\s>\]]))(#{1,4} [A-Z][\w-]*(?: [A-Z][\w-]*(?! [a-z]))*)(?:: | )(?=[A-Z])")
_BEGINS_LINE = re.compile(r"[A-Z<\[#\"'{|-]")
_ENDS_LINE = re.compile(r"[.:;!?>\]}|\"]$")


def find(text: str) -> Damage | None:
    """A line of more than `LONG_LINE` characters in which tags are a single space apart."""
    at = 0
    for line in text.split("\n"):
        if len(line) > LONG_LINE and len(_BETWEEN_TAGS.findall(line)) > len(line) // LONG_LINE + 1:
            return Damage(
                LINE_BREAKS,
                line_of(text, at),
                "Line breaks were folded into spaces: tags stand a space apart in one line of "
                f"{len(line):,} characters, and the spaces would reach the prompt.",
                "certain" if len(line) > 2 * LONG_LINE else "likely",
            )
        at += len(line) + 1
    return None


def mend(text: str, _family: str | None) -> Mended:
    """Breaks the lines again. What was only one space inside running text stays one."""
    pieces = cut(text)
    parts = [
        _broken(piece, pieces[n - 1] if n else None, pieces[n + 1] if n + 1 < len(pieces) else None)
        for n, piece in enumerate(pieces)
    ]
    return Mended(
        "".join(parts),
        "Broke lines between tags and before headings, list items, numbers and labels. Whether further sentences "
        "began a line cannot be known; indentation is not put back, it does not reach the prompt.",
    )


def _broken(piece: Piece, before: Piece | None, after: Piece | None) -> str:
    text = piece.text
    if piece.kind != "text" or "\n" in text:
        return text
    if not text.strip():
        return "\n" if text == " " and _is_break(before, after) else text
    core = text.strip(" ")
    start = text[: len(text) - len(text.lstrip(" "))]
    end = text[len(text.rstrip(" ")) :]
    if start == " " and _starts_line(before, core):
        start = "\n"
    if end == " " and _ends_line(after, core):
        end = "\n"
    return start + _prose(core) + end


def _is_break(before: Piece | None, after: Piece | None) -> bool:
    return before is not None and after is not None and not (before.kind == after.kind == "output")


def _starts_line(before: Piece | None, core: str) -> bool:
    if before is None or before.kind == "output":
        return before is None or before.trims_after
    return before.trims_after or bool(_BEGINS_LINE.match(core))


def _ends_line(after: Piece | None, core: str) -> bool:
    if after is None or after.kind == "output":
        return after is None or after.trims_before
    return after.trims_before or bool(_ENDS_LINE.search(core))


def _prose(core: str) -> str:
    for pattern in (_ITEM, _NUMBER, _LABEL):
        core = pattern.sub("\n", core)
    parts = _HEADING.split(core)
    written = parts[0]
    for heading, rest in zip(parts[1::2], parts[2::2], strict=True):
        lead = written.rstrip(" ")
        gap = "" if not lead else "\n" if _SPECIAL.search(lead) else "\n\n"
        written = f"{lead}{gap}{heading}\n\n{rest}"
    return written

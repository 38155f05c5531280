"""Text of the page around a template: titles, counters and buttons that were copied along."""

import re

from thinkpane.templates.damage.pieces import Piece, cut, line_of
from thinkpane.templates.damage.values import PAGE_TEXT, Confidence, Damage, Mended

LONGEST = 100
"""Characters a line of page text has at most."""

_TEMPLATE_TEXT = re.compile(r"[<>{}\[\]|]|\\n|[.:;!?]\s*$")
_ENDS_WITH_BLANK = re.compile(r"[ \t]*\n[ \t]*\n")


def find(text: str) -> Damage | None:
    """Lines of plain words before the first tag or after the last."""
    pieces = cut(text)
    before, after = _leading(pieces), _trailing(text, pieces)
    if before is None and after is None:
        return None
    place, confidence = before or after or (0, "possible")
    if before and after and "likely" in (before[1], after[1]):
        confidence = "likely"
    where = " and ".join([*(["before"] if before else []), *(["after"] if after else [])])
    words = (text[:place] if before else text[place:]).strip().split("\n")[0]
    line = 1 if before else line_of(text, place + len(text[place:]) - len(text[place:].lstrip()))
    return Damage(
        PAGE_TEXT,
        line,
        f"Words of the page stand {where} the template (“{words[:60]}”) and would reach every prompt.",
        confidence,
    )


def mend(text: str, _family: str | None) -> Mended:
    """Cuts those lines off."""
    pieces = cut(text)
    before, after = _leading(pieces), _trailing(text, pieces)
    start, end = before[0] if before else 0, after[0] if after else len(text)
    dropped = " … ".join(part.strip() for part in (text[:start], text[end:]) if part.strip())
    return Mended(text[start:end], f"Cut off “{dropped[:120]}”.")


def _leading(pieces: tuple[Piece, ...]) -> tuple[int, Confidence] | None:
    """Where the template begins, when whole lines of plain words stand before it."""
    if len(pieces) < 2 or pieces[0].kind != "text":
        return None
    text = pieces[0].text
    end = text.rfind("\n") + 1
    if not _is_page_text(text[:end]) or text[end:].strip():
        return None
    return end, "likely" if "bos_token" in pieces[1].inner else "possible"


def _trailing(text: str, pieces: tuple[Piece, ...]) -> tuple[int, Confidence] | None:
    """Where the template ends, when lines of plain words follow its last tag."""
    if len(pieces) < 2 or pieces[-1].kind != "text":
        return None
    rest, last = pieces[-1].text, pieces[-2]
    if not rest.lstrip(" \t").startswith("\n") or last.word not in ("endif", "endfor", "endmacro") or not last.closed:
        return None
    if not _is_page_text(rest):
        return None
    certain = last.trims_after or bool(_ENDS_WITH_BLANK.match(rest))
    return len(text) - len(rest), "likely" if certain else "possible"


def _is_page_text(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return bool(lines) and all(len(line) <= LONGEST and not _TEMPLATE_TEXT.search(line) for line in lines)

"""A text that holds no template at all: a document, an answer, a page."""

import re

from thinkpane.templates.damage.pieces import cut
from thinkpane.templates.damage.values import NO_TEMPLATE, Damage

_HEADING = re.compile(r"^#{1,3}\s+(?P<title>\S[^\n]{0,200})$", re.MULTILINE)
_COMMAND = re.compile(r"\s*(?:\$ +)?curl\s")
_SECRET = re.compile(r"authorization|bearer|api[-_ ]?key|token\s*[:=]|password|secret", re.IGNORECASE)
"""Beside such words a key may stand, which no sentence may repeat."""

_SPECIAL = re.compile(r"<\|[^|<>\s]{1,60}\|>")


def find(text: str) -> Damage | None:
    """A text without any tag that prints or decides something."""
    if any(piece.kind in ("output", "statement") for piece in cut(text)):
        return None
    if not text.strip():
        return Damage(NO_TEMPLATE, 1, "There is no template here: the text is empty.", "certain")
    heading = _HEADING.search(text)
    title = heading["title"].strip() if heading else next(line.strip() for line in text.split("\n") if line.strip())
    what = "a command of curl" if _COMMAND.match(text) else "a document" if heading else "plain text"
    quoted = "" if _SECRET.search(title) or _COMMAND.match(text) else f" (“{title[:80]}”)"
    return Damage(
        NO_TEMPLATE,
        1,
        f"There is no template here: none of its {text.count(chr(10)) + 1} lines has a Jinja tag. "
        f"It reads like {what}{quoted}.",
        "likely" if _SPECIAL.search(text) else "certain",
    )

"""Tooltips of foreign words: Qt takes a tooltip for markup as soon as something in it looks like a tag, as <s> does."""

from html import escape

LONGEST = 1000

_LINE = 90
"""Characters of a line that Qt may leave in one piece: it breaks no lines of a tooltip that is no markup."""


def plain_tip(words: str) -> str:
    """Foreign words as a tooltip shows them: as plain text, whatever they look like, and not without end."""
    short = words if len(words) <= LONGEST else words[:LONGEST] + "…"
    # “&lt;” alone makes Qt read markup, too.
    if not {"<", "&"} & {*short} and all(len(line) <= _LINE for line in short.splitlines()):
        return short
    return f"<p style='white-space:pre-wrap'>{escape(short)}</p>"

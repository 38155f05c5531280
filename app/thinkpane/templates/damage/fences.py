"""A template inside a fenced block of Markdown, with what was said around it."""

import re

from thinkpane.templates.damage.pieces import line_of
from thinkpane.templates.damage.values import FENCE, Damage, Mended

_FENCE = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})[ \t]*[\w+.-]*[ \t]*$", re.MULTILINE)
_TAG = re.compile(r"\{[{%#]")


def find(text: str) -> Damage | None:
    """A fence around tags, with no tag outside it."""
    inside = _inside(text)
    if inside is None:
        return None
    start, end = inside
    if _TAG.search(text[:start]) or _TAG.search(text[end:]):
        return None
    return Damage(FENCE, line_of(text, start) - 1, "The template stands in a fenced block of Markdown.", "certain")


def mend(text: str, _family: str | None) -> Mended:
    """Keeps what stands between the fences."""
    inside = _inside(text)
    if inside is None:
        return Mended(text, "There is no fenced block.")
    return Mended(text[inside[0] : inside[1]], "Kept what stands between the fences.")


def _inside(text: str) -> tuple[int, int] | None:
    """The longest fenced block with a tag; a block that no fence ends goes to the text's end."""
    found: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence["mark"].startswith(opened["mark"]) and fence.group().strip() == fence["mark"]:
            found.append((opened.end() + 1, max(opened.end() + 1, fence.start() - 1)))
            opened = None
    if opened is not None:
        found.append((min(opened.end() + 1, len(text)), len(text)))
    blocks = [(start, end) for start, end in found if _TAG.search(text, start, end)]
    return max(blocks, key=lambda block: block[1] - block[0], default=None)

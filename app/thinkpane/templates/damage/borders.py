"""The borders of a table in which a page showed a template's lines: `| … | |`."""

import re

from thinkpane.templates.damage.values import BORDERS, Damage, Mended

SHARE = 0.6
"""Of the lines with text, how many must have borders."""

_BORDERED = re.compile(r"^[ \t]*\|[ \t]?(?P<line>(?:.*\S)?)[ \t]*\|[ \t]*\|?[ \t]*$")
_RULER = re.compile(r"^[ \t]*\|(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t]*$")


def find(text: str) -> Damage | None:
    """Lines with a border at both ends, where most are so."""
    lines = [line for line in text.split("\n") if line.strip()]
    bordered = sum(1 for line in lines if _BORDERED.match(line))
    if bordered < 2 or bordered < SHARE * len(lines):
        return None
    first = next(n for n, line in enumerate(text.split("\n"), 1) if _BORDERED.match(line))
    return Damage(
        BORDERS,
        first,
        f"{bordered} of {len(lines)} lines stand between the borders of a table, which would reach the prompt.",
        "certain",
    )


def mend(text: str, _family: str | None) -> Mended:
    """Takes the borders off; lines without them stay."""
    lines = [line for line in text.split("\n") if not _RULER.match(line)]
    bare = [_BORDERED.sub(_inside, line) for line in lines]
    return Mended("\n".join(bare), f"Took the table's borders off {sum(map(_differs, lines, bare))} lines.")


def _inside(found: re.Match[str]) -> str:
    line = found["line"]
    # The second border of an empty last column is taken with the line by the greedy match.
    return re.sub(r"[ \t]*\|$", "", line)


def _differs(one: str, other: str) -> bool:
    return one != other

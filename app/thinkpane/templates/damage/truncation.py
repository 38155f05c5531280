"""A template whose end is missing: a tag that is cut off, blocks that nothing closes."""

from thinkpane.templates.damage.blocks import Block, left_open
from thinkpane.templates.damage.pieces import cut, line_of
from thinkpane.templates.damage.values import TRUNCATION, Damage, Mended

CLOSED_AT_MOST = 200
"""Open blocks that a repair closes; more are no cut-off template."""


def find(text: str) -> Damage | None:
    """Open blocks or an open tag at the end."""
    pieces = cut(text)
    blocks = left_open(pieces)
    cut_off = bool(pieces) and not pieces[-1].closed
    if not blocks and not cut_off:
        return None
    said = [f"“{_short(block)}” of line {line_of(text, block.start)}" for block in blocks[:3]]
    if len(blocks) > 3:
        said.append(f"{len(blocks) - 3} more")
    parts = ["its last tag is cut off"] * cut_off + [f"nothing closes {', '.join(said)}"] * bool(said)
    first = blocks[0].start if blocks else pieces[-1].start
    return Damage(TRUNCATION, line_of(text, first), f"The template's end is missing: {'; '.join(parts)}.", "certain")


def mend(text: str, _family: str | None) -> Mended:
    """Drops a cut-off tag and closes what is open, so that the rest can be tried."""
    pieces = cut(text)
    end = pieces[-1].start if pieces and not pieces[-1].closed else len(text)
    blocks = left_open(pieces)[:CLOSED_AT_MOST]
    closed = text[:end] + "".join(f"{{% end{block.word} %}}" for block in blocks)
    return Mended(closed, f"Closed {len(blocks)} open blocks at the end. What followed there is lost.")


def _short(block: Block) -> str:
    return block.opener if len(block.opener) <= 40 else block.opener[:39] + "…"

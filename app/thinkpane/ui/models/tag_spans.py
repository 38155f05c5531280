"""Where control tags stand in a text, for chips and for the ground behind them."""

import re
from collections.abc import Sequence
from functools import lru_cache


def tag_spans(text: str, tags: Sequence[str]) -> list[tuple[int, int]]:
    """The stretches (code points) of `text` that are one of `tags`, in any case, in order, not overlapping.

    `…` in a tag stands for any text within a line up to the tag's end: "{REASON:…}". A tag that is still open is none.
    """
    return [found.span() for found in _pattern(tuple(tags)).finditer(text)] if tags else []


@lru_cache(maxsize=32)
def _pattern(tags: tuple[str, ...]) -> re.Pattern[str]:
    forms = []
    for tag in sorted(tags, key=len, reverse=True):
        start, gap, end = tag.partition("…")
        form = re.escape(start)
        if gap and end:
            form += rf"[^\n{re.escape(end[0])}]*{re.escape(end)}"
        forms.append(form)
    return re.compile("|".join(forms), re.IGNORECASE)

"""Owners of texts put together from pieces, and hypothesis's way to make such pieces."""

from collections.abc import Sequence

from hypothesis import strategies as st

from support.edits import HARD
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.owners import Owners, owners_of

Piece = tuple[str, str | None]
"""Some text and the path it came from; None = the template's own, "-" = nobody's."""

PATHS = (None, None, "-", "messages[0].content", "messages[1].reasoning_content", "tools[0].name", "bos_token")

TEXTS_OWNERS = st.lists(
    st.tuples(st.sampled_from([*HARD, "<|im_start|>", "<|im_end|>", " ", "\n", "the", " the"]), st.sampled_from(PATHS)),
    max_size=14,
)
"""Pieces of texts that are hard to encode, each with its path."""


def owned(pieces: Sequence[Piece]) -> Owners:
    """The owners of the pieces one after another, the template's own on a line each."""
    spans: list[JsonValue] = []
    at = 0
    for number, (text, path) in enumerate(pieces, 1):
        owner: JsonValue = {
            "line": 0 if path == "-" else number,
            "column": 1,
            "via": [],
            "path": None if path == "-" else path,
            "at": [0, len(text)] if path not in (None, "-") else None,
        }
        if text:
            spans.append([at, at + len(text), owner])
        at += len(text)
    return owners_of(spans, at)

"""Prompts with tokens, as the token service delivers them, without a child process."""

from array import array
from collections.abc import Sequence
from itertools import accumulate

from thinkpane.prompt.token_service import Encoded
from thinkpane.prompt.tokenizer import Description, TokenPieces
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.pieces import pieces_of

MARKS = ("<|im_start|>", "<|im_end|>")


def _encode(texts: Sequence[str]) -> list[Ids]:
    """Every byte is a token by itself, and every mark one."""
    found = []
    for text in texts:
        ids = [256 + MARKS.index(text)] if text in MARKS else [*text.encode("utf-8", "surrogatepass")]
        found.append(array("I", ids))
    return found


def encoded(text: str, serial: int = 1) -> Encoded:
    """The tokens of a text: its bytes, and the marks of ChatML."""
    pieces = [bytes([each]) for each in range(256)] + [mark.encode() for mark in MARKS]
    bounds = array("I", accumulate(map(len, pieces), initial=0))
    added = {256 + number: mark for number, mark in enumerate(MARKS)}
    known = Description("bytes", MARKS, added, frozenset(added), TokenPieces(b"".join(pieces), bounds))
    encoding = IncrementalEncoder(MARKS, pieces_of(pieces), _encode).update(text)
    return Encoded(serial, encoding, "bytes", known=known)

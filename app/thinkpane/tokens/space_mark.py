"""What the tokens of SentencePiece vocabularies stand for."""

SPACE_MARK = "\u2581"
"""Stands for a space in SentencePiece vocabularies."""


def marked_bytes(token: str) -> bytes:
    """The bytes of a token that is text with U+2581 for a space, or one byte as <0xNN>."""
    if len(token) == 6 and token.startswith("<0x") and token.endswith(">"):
        try:
            return bytes.fromhex(token[3:5])
        except ValueError:
            return token.encode()
    return token.replace(SPACE_MARK, " ").encode()

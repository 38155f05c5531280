"""The alphabet of byte-level vocabularies: each byte has a letter that can be seen (GPT-2's byte encoder)."""

from functools import cache


@cache
def letters() -> tuple[str, ...]:
    """The letter of each byte, by its value: itself where it prints, else one from U+0100 on, in order."""
    printing = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return tuple(chr(byte if byte in printing else next(others)) for byte in range(0x100))


def bytes_of(token: str) -> bytes:
    """The bytes that a token's letters stand for; a token with other letters is text that stands for itself."""
    values = _values()
    found = [values.get(letter) for letter in token]
    known = [each for each in found if each is not None]
    return bytes(known) if len(known) == len(found) else token.encode()


@cache
def _values() -> dict[str, int]:
    return {letter: byte for byte, letter in enumerate(letters())}

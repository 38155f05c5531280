"""Which letters are drawn joined to their neighbours: they must stay in one run of shaping.

Qt shapes each stretch of one format by itself, so that a format which begins inside an Arabic word takes its letters
out of their joined forms. Source: the Unicode Standard, 9.2 (joining of Arabic) and 12.1 (syllables of Devanagari).
"""

import re
import unicodedata
from array import array

_JOINED = (
    (0x0600, 0x08FF),  # Arabic, Syriac, Thaana, N'Ko, Samaritan, Mandaic
    (0x0900, 0x0DFF),  # scripts of India, whose syllables reach beyond what a caret passes
    (0x0F00, 0x109F),  # Tibetan, Myanmar
    (0x1780, 0x18AF),  # Khmer, Mongolian
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x1B00, 0x1BFF),  # Balinese, Sundanese, Batak
    (0xA840, 0xA87F),  # Phags-pa
    (0xA8E0, 0xA8FF),  # Devanagari, extended
    (0xFB50, 0xFDFF),  # Arabic, presentation forms
    (0xFE70, 0xFEFE),
    (0x10AC0, 0x10BAF),  # Manichaean, Psalter Pahlavi
    (0x10D00, 0x10D3F),  # Hanifi Rohingya
    (0x10F30, 0x10FDF),  # Sogdian, Chorasmian
    (0x11000, 0x11D5F),  # further scripts of India
    (0x1E900, 0x1E95F),  # Adlam
)
_JOINERS = (0x200C, 0x200D)
_ANY = re.compile(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in _JOINED)}]")


class Joins:
    """Where the letters of a text are joined. Places are UTF-16 units, as Qt counts them."""

    def __init__(self, text: str) -> None:
        self._codes = array("H")
        if not text.isascii() and _ANY.search(text):
            self._codes.frombytes(text.encode("utf-16-le", "replace"))

    def at(self, unit: int) -> bool:
        """Whether what stands before a place is joined to what stands behind it, as far as the script tells."""
        if not 0 < unit < len(self._codes):
            return False
        return _joins(self._before(unit)) and _joins(self._behind(unit))

    def _before(self, unit: int) -> int:
        low = self._codes[unit - 1]
        return _code(self._codes[unit - 2], low) if unit > 1 and 0xDC00 <= low < 0xE000 else low

    def _behind(self, unit: int) -> int:
        high = self._codes[unit]
        return _code(high, self._codes[unit + 1]) if unit + 1 < len(self._codes) and 0xD800 <= high < 0xDC00 else high


def _code(high: int, low: int) -> int:
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00) if 0xD800 <= high < 0xDC00 else low


def _joins(code: int) -> bool:
    if code < 0x300:
        return False
    if code in _JOINERS:
        return True
    return unicodedata.category(chr(code))[0] in "LM" and (code < 0x370 or _is_of_joined_script(code))


def _is_of_joined_script(code: int) -> bool:
    return any(first <= code <= last for first, last in _JOINED)

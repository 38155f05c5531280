"""Where a long line may be cut: behind a blank where there is one near, and never inside what is drawn as one.

Source of the rules: Unicode's grapheme clusters (UAX 29), those parts of them that prompts have: marks, joiners,
variation selectors, skin tones, flags, Hangul syllables in letters.
"""

import unicodedata

REACH = 96
"""Code points that are looked back at, at most."""

_BLANKS_WITHIN = 48
_JOINER = "\u200d"
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)
_HANGUL_LETTERS = range(0x1100, 0x1200)
_HANGUL_SYLLABLES = range(0xAC00, 0xD7A4)


def cut_before(text: str, position: int) -> int:
    """Where to cut `text` instead of at `position`, which lies inside it: there, or at most `REACH` before."""
    blank = text.rfind(" ", max(position - _BLANKS_WITHIN, 0), position) + 1
    for wanted in (blank, position):
        least = max(wanted - _BLANKS_WITHIN, 1)
        at = wanted
        while at > least and _joins(text, at):
            at -= 1
        if wanted and not _joins(text, at):
            return at
    return position


def _joins(text: str, at: int) -> bool:
    """Whether the characters before and at a position are drawn as one."""
    before, after = text[at - 1], text[at]
    if after.isascii() or before == "\n":
        return False
    code = ord(after)
    if before == _JOINER or after == _JOINER or code in _SKIN_TONES or code in _TAGS:
        return True
    if code in _FLAG_LETTERS:
        return _flag_letters_before(text, at) % 2 == 1
    if code in _HANGUL_LETTERS:
        return ord(before) in _HANGUL_LETTERS or ord(before) in _HANGUL_SYLLABLES
    return unicodedata.category(after).startswith("M")


def _flag_letters_before(text: str, at: int) -> int:
    count = 0
    while count < min(REACH, at) and ord(text[at - 1 - count]) in _FLAG_LETTERS:
        count += 1
    return count

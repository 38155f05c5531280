"""Reads the compiled character map of a SentencePiece model: which characters are written otherwise before encoding.

The bytes are the size of a double-array trie (Darts-clone), the trie, and texts that end in a zero byte. A key of the
trie is the UTF-8 of some characters, its value where the text that stands for them begins. Facts: sentencepiece 0.2.3,
src/normalizer.cc and third_party/darts_clone/darts.h.
"""

import struct
from array import array
from typing import Final

from thinkpane.errors import Problem, ThinkpaneError

MOST_MATCHES: Final = 32
"""Keys that begin alike of which the longest is taken; further ones are not seen (Normalizer::kMaxTrieResultsSize)."""

_BLOCK: Final = 1024
_LEAF_VALUE: Final = 1 << 31

Children = dict[int, list[tuple[int, int]]]
"""By the place that a node's children lie around: the byte that leads to each, and its unit's index."""


class CharacterMap:
    """alone: the characters that are keys by themselves. following: those that stand behind the first one of a key."""

    def __init__(self, data: bytes) -> None:
        """Raises ThinkpaneError (kind "tokenizer") for bytes that are no such map."""
        size = int.from_bytes(data[:4], "little")
        if size < _BLOCK or size % _BLOCK or size > len(data) - 5:
            raise _broken("its size is wrong")
        self._units = array("I", struct.unpack(f"<{size // 4}I", data[4 : 4 + size]))
        self._texts = data[4 + size :]
        self.alone: frozenset[str] = frozenset()
        self.following: frozenset[str] = frozenset()
        self._survey()

    def longest(self, data: bytes, start: int) -> tuple[int, str] | None:
        """How many bytes the longest key has that stands at `start`, and what stands for it; None = there is none."""
        units = self._units
        node = _offset(units[0])
        found, matches = None, 0
        for at in range(start, len(data)):
            byte = data[at]
            node ^= byte
            if node >= len(units) or units[node] & (_LEAF_VALUE | 0xFF) != byte:
                break
            leaf = units[node] & 0x100
            node ^= _offset(units[node])
            if leaf:
                found, matches = (at + 1 - start, node), matches + 1
                if matches == MOST_MATCHES:
                    break
        return (found[0], self._text(found[1])) if found is not None else None

    def _text(self, node: int) -> str:
        """The text whose place the unit at `node` tells."""
        start = self._units[node] & ~_LEAF_VALUE if node < len(self._units) else len(self._texts)
        end = self._texts.find(b"\0", start)
        if start >= len(self._texts) or end < 0:
            raise _broken("a rule has no text")
        try:
            return self._texts[start:end].decode("utf-8")
        except UnicodeDecodeError:
            raise _broken("a text in it is no UTF-8") from None

    def _survey(self) -> None:
        """Goes over all keys; the trie shares their ends, so that each is seen once."""
        children = self._children()
        alone, following = set(), set()
        states = [(_offset(self._units[0]), b"", True)]
        seen = set(states)
        while states:
            around, begun, is_first = states.pop()
            for byte, node in children.get(around, ()):
                letter = begun + bytes([byte])
                character = _character(letter)
                unit = self._units[node]
                below = node ^ _offset(unit)
                if unit & 0x100:
                    self._text(below)
                    if not character:
                        raise _broken("a rule ends inside a character")
                    if is_first:
                        alone.add(character)
                if character and not is_first:
                    following.add(character)
                state = (below, b"" if character else letter, is_first and not character)
                if state not in seen:
                    seen.add(state)
                    states.append(state)
        self.alone, self.following = frozenset(alone), frozenset(following)

    def _children(self) -> Children:
        """Each unit tells by which byte it is reached, and so around which place its node's children lie."""
        found: Children = {}
        for node, unit in enumerate(self._units):
            byte = unit & 0xFF
            if byte and not unit & _LEAF_VALUE:
                found.setdefault(node ^ byte, []).append((byte, node))
        return found


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)


def _character(letter: bytes) -> str:
    """The character of these bytes, "" where it goes on."""
    first = letter[0]
    length = 1 if first < 0x80 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    if len(letter) < length:
        return ""
    try:
        return letter.decode("utf-8")
    except UnicodeDecodeError:
        raise _broken("a rule is for what is no UTF-8") from None


def _broken(why: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("tokenizer", f"The table by which the model normalises texts cannot be read: {why}."))

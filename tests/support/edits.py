"""Random edits of texts that are hard to tokenize: typing, pasting, deleting, and special tokens' parts."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from thinkpane.tokens.cutting import Cutter
from thinkpane.tokens.encoding import Encoding
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.pieces import pieces_of
from thinkpane.tokens.vocabulary import Vocabulary

STEADY = (
    "👩\u200d👩\u200d👧\u200d👦 🏳️\u200d🌈",
    "\u200d",
    "\ufe0f",
    "\r\n",
    "\r",
    "\n\n\n",
    "  \t  ",
    " " * 40,
    "1234567890123",
    "7",
    "日本語のテキスト、例えば。",
    "नमस्ते दुनिया",
    "مرحبا بالعالم",
    "don't we'LL",
    "def f(x):\n    return {'a': [1, 2]}\n",
    "The quick brown fox jumps over the lazy dog. ",
    "a",
    " ",
    "ſ",
    "Ġ",
)
"""Texts that no vocabulary changes before it encodes them."""

HARD = (
    *STEADY,
    "cafe\u0301 und Ångström",
    "\u212b\u0958\u1100\u1161\u11a8",
    "\u0301",
    "▁",
    "<|im_",
    "|>",
    "<",
    "_end|>",
    "<|",
)
"""Those, texts that NFC changes or that stand for something else in a vocabulary, and halves of special tokens."""


@dataclass(slots=True)
class Tried:
    """What came of the edits. windows: after how many the ids were provisional. differing: where these were others.

    wrong: the texts whose ids, not provisional or confirmed, were others. misplaced: where tokens stood elsewhere.
    """

    edits: int = 0
    windows: int = 0
    differing: int = 0
    misplaced: int = 0
    wrong: list[str] = field(default_factory=list)


def texts(chance: random.Random, cuts: Sequence[str], edits: int, long: bool) -> Iterator[str]:
    """A conversation, or one with a huge message in it (long), and what `edits` random edits make of it one by one.

    Every 60 edits another one is begun; the first 40 edits of a huge message are of texts that no vocabulary changes.
    """
    specials = [*chance.sample(cuts, min(8, len(cuts))), "<|im_end|>", "<|im_start|>"]
    text = ""
    for edit in range(edits):
        fresh = STEADY if long and edit % 60 < 40 else HARD
        text = _begun(chance, specials, long) if edit % 60 == 0 else _edited(chance, text, specials, fresh)
        yield text


def _begun(chance: random.Random, specials: Sequence[str], long: bool) -> str:
    text = "".join(chance.choice(specials) + chance.choice(HARD) + _words(chance) for _ in range(60))
    if not long:
        return text
    huge = "".join(chance.choice(STEADY) if chance.random() < 0.5 else _words(chance) for _ in range(1500))
    middle = text.find(specials[-1], len(text) // 2) + len(specials[-1])
    return text[:middle] + huge + text[middle:]


def _words(chance: random.Random) -> str:
    letters = "etaoinshrdlu ,.\n"
    return "".join(chance.choice(letters) for _ in range(chance.randrange(40)))


def _edited(chance: random.Random, text: str, specials: Sequence[str], fresh: Sequence[str]) -> str:
    at = chance.choice([0, len(text), *(chance.randrange(len(text) + 1) for _ in range(10))])
    if chance.random() < 0.3:
        at = _border(chance, text, specials)
    gone = chance.choice([0, 0, 0, 1, 1, 2, 5, chance.randrange(200)])
    put = chance.choice(["", chance.choice(fresh), chance.choice(fresh), _words(chance), _part(chance, specials)])
    return text[:at] + put + text[at + gone :]


def _border(chance: random.Random, text: str, specials: Sequence[str]) -> int:
    """In or beside a special token."""
    token = chance.choice(specials)
    at = text.find(token, chance.randrange(len(text) + 1))
    return max(0, min(len(text), at + chance.randrange(-1, len(token) + 2)))


def _part(chance: random.Random, specials: Sequence[str]) -> str:
    token = chance.choice(specials)
    return token[chance.choice([0, 0, 1, len(token) // 2]) : chance.choice([len(token), len(token), len(token) // 2])]


def tried(vocabulary: Vocabulary, edits: int, seed: int, long: bool) -> Tried:
    """Makes the edits, and compares with the whole text's encoding after each; provisional ids once confirmed too."""
    encoder = IncrementalEncoder(vocabulary.cuts, pieces_of(vocabulary.pieces()), vocabulary.encode)
    found = Tried()
    for text in texts(random.Random(seed), vocabulary.cuts, edits, long):
        found.edits += 1
        got = encoder.update(text)
        (whole,) = vocabulary.encode([text])
        if got.provisional:
            found.windows += 1
            found.differing += got.ids != whole
            if found.windows % 3 == 0 or got.ids != whole:
                got = encoder.confirm()
        if got.text != text or (got.ids != whole and not got.provisional):
            found.wrong.append(text)
        elif found.edits % 7 == 0 and got.ids == whole:
            found.misplaced += not _placed(got, vocabulary)
    return found


def _placed(got: Encoding, vocabulary: Vocabulary) -> bool:
    """True where the table agrees with a fresh cutting, and the places with the library's own."""
    if vocabulary.cuts:
        spans = Cutter(vocabulary.cuts).spans(got.text, 0, len(got.text))
        borders = sorted({0, *(each for span in spans for each in span)} - {len(got.text)})
        if [*got.segment_starts()] != borders:
            return False
    places = got.places(0, len(got.ids), lambda text: vocabulary.offsets(text)[1])
    return places == vocabulary.offsets(got.text)[1]

"""A tokenizer of a SentencePiece model, which encodes each stretch between control tokens as SentencePiece does.

SentencePiece itself takes a control token that stands in a text for plain letters; a runtime that gets a whole prompt
does not, and encodes what lies between them by itself, each stretch with its own space before it.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar

from tokenizers import AddedToken, Tokenizer, models

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.sentencepiece_model import (
    BYTE,
    CONTROL,
    NORMAL,
    UNIGRAM,
    UNKNOWN,
    USER_DEFINED,
    SentencePieceModel,
)
from thinkpane.tokens.cutting import Cutter
from thinkpane.tokens.encoding import Place
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.scored import by_scores
from thinkpane.tokens.sentencepiece_text import SentencePieceText
from thinkpane.tokens.space_mark import SPACE_MARK, marked_bytes
from thinkpane.tokens.vocabulary import HALF, Added, Vocabulary, meet

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


class SentencePieceVocabulary(Vocabulary):
    """One model. Its texts are written as the model sees them here; the library takes the pieces from that."""

    def __init__(self, model: SentencePieceModel, title: str) -> None:
        """Raises ThinkpaneError (kind "tokenizer"), and what the library raises, for a model that is broken."""
        self._model = model
        self._text = SentencePieceText(model)
        self._controls = dict(self._of_kind(CONTROL))
        self._cutter = Cutter([*self._controls])
        self._spelling = _byte_ids(model) if model.model == UNIGRAM else ()
        unknown = next((id for _, id in self._of_kind(UNKNOWN)), 0)
        self._ids, made = _unigram(model, unknown) if model.model == UNIGRAM else _byte_pairs(model, unknown)
        super().__init__(made, title)

    @property
    def size(self) -> int:
        """How many ids there are."""
        return len(self._model.pieces)

    @cached_property
    def added(self) -> tuple[Added, ...]:
        """Control tokens, and the symbols that a person defined."""
        found = [Added(text, id, kind == CONTROL, whole=True) for kind in _ADDED for text, id in self._of_kind(kind)]
        return tuple(sorted(found, key=lambda each: each.id))

    @cached_property
    def cuts(self) -> tuple[str, ...]:
        """Control tokens; symbols that a person defined as well where nothing beside them counts."""
        return (*self._controls, *self._cut_symbols())

    def encode(self, texts: Sequence[str]) -> list[Ids]:
        """See Vocabulary.encode."""
        parted = [[*self._stretches(text)] for text in texts]
        stretches = [text for each in parted for text, _, control in each if control is None]
        encoded = iter(_whole(self._encoded, stretches))
        found = []
        for each in parted:
            ids: Ids = array("I")
            for _, _, control in each:
                ids.extend(next(encoded) if control is None else (control,))
            found.append(ids)
        return found

    def encode_plain(self, text: str) -> Ids:
        """See Vocabulary.encode_plain."""
        (found,) = _whole(self._encoded, [text])
        return found

    def offsets(self, text: str) -> tuple[Ids, list[Place]]:
        """See Vocabulary.offsets; what the model does not see of a text belongs to the token before it."""
        ids, places = array("I"), []
        for stretch, start, control in self._stretches(text):
            if control is not None:
                ids.append(control)
                places.append((start, start + len(stretch)))
                continue
            its, found = _whole(self._placed, stretch)
            ids.extend(its)
            places += [(start + begin, start + end) for begin, end in found]
        return ids, places

    def pieces(self) -> list[bytes]:
        """See Vocabulary.pieces."""
        written = {NORMAL, USER_DEFINED, BYTE}
        found = zip(self._model.pieces, self._model.kinds, strict=True)
        return [marked_bytes(piece) if kind in written else piece.encode() for piece, kind in found]

    def _of_kind(self, wanted: int) -> Iterator[tuple[str, int]]:
        for id, (piece, kind) in enumerate(zip(self._model.pieces, self._model.kinds, strict=True)):
            if kind == wanted and piece:
                yield piece, id

    def _cut_symbols(self) -> tuple[str, ...]:
        # Among byte pairs a defined symbol is never merged; in a unigram model it is only most likely.
        symbols = {text for text, _ in self._of_kind(USER_DEFINED)}
        marked = {text for text in symbols if SPACE_MARK in text}
        if self._model.model == UNIGRAM or not self._text.is_local:
            return ()
        cut, spelled = symbols - marked, marked | {text.replace(SPACE_MARK, " ") for text in marked}
        return () if meet(cut, spelled) or meet(spelled, cut) else tuple(sorted(cut))

    def _stretches(self, text: str) -> Iterator[tuple[str, int, int | None]]:
        """The text's stretches, where each begins, and of a control token its id."""
        at = 0
        for start, end in self._cutter.spans(text, 0, len(text)):
            if start > at:
                yield text[at:start], at, None
            yield text[start:end], start, self._controls[text[start:end]]
            at = end
        if at < len(text):
            yield text[at:], at, None

    def _encoded(self, stretches: Sequence[str]) -> list[Ids]:
        shaped = [self._text.shaped(each) for each in stretches]
        found = []
        for text, each in zip(shaped, self._tokenizer.encode_batch_fast(shaped, add_special_tokens=False), strict=True):
            if self._spelling and 0 in each.ids:
                found.append(self._spelled(text)[0])
            else:
                found.append(array("I", map(self._ids.__getitem__, each.ids) if self._ids else each.ids))
        return found

    def _cut(self, stretch: str, shaped: str) -> tuple[Ids, list[Place]]:
        """The ids of a stretch and their places in `shaped`, which is how the model sees it."""
        return self._spelled(shaped)

    def _spelled(self, shaped: str) -> tuple[Ids, list[Place]]:
        """The ids of a text as the model sees it, and their places in it; bytes stand for what has no piece."""
        (found,) = self._tokenizer.encode_batch([shaped], add_special_tokens=False)
        if not self._ids:
            return array("I", found.ids), found.offsets
        ids, places = array("I"), []
        for id, (start, end) in zip(found.ids, found.offsets, strict=True):
            if id or not self._spelling:
                ids.append(self._ids[id])
                places.append((start, end))
                continue
            for at in range(start, end):
                spelled = [self._spelling[byte] for byte in shaped[at].encode()]
                ids.extend(spelled)
                places += [(at, at + 1)] * len(spelled)
        return ids, places

    def _placed(self, stretch: str) -> tuple[Ids, list[Place]]:
        shaped, origins = self._text.origins(stretch)
        ids, places = self._cut(stretch, shaped)
        ends = _ends(origins)
        return ids, [_place(start, end, origins, ends) for start, end in places]


_ADDED = (CONTROL, USER_DEFINED)


def _ends(origins: Ids) -> Ids:
    """Where that ends what each character stands for: where the next thing begins that has a character."""
    found = origins[1:]
    for at in range(len(found) - 2, -1, -1):
        if found[at] == origins[at]:
            found[at] = found[at + 1]
    return found


def _place(start: int, end: int, origins: Ids, ends: Ids) -> Place:
    """Where a token is from. A space that a text did not have shares the place of the character beside it."""
    begin, stop = origins[start], ends[end - 1]
    return (begin, stop) if begin < stop or not start else (origins[start - 1], stop)


def _unigram(model: SentencePieceModel, unknown: int) -> tuple[Ids, Tokenizer]:
    """By the library's ids those of the model, and the tokenizer: it has only pieces that texts are made of, so that
    no text is taken for a control token, a byte or the unknown one, which is the library's first."""
    ids: Ids = array("I", [unknown])
    scored = [("", 0.0)]
    for id, (piece, score, kind) in enumerate(zip(model.pieces, model.scores, model.kinds, strict=True)):
        if piece and kind in (NORMAL, USER_DEFINED):
            # Rule: sentencepiece 0.2.3, src/unigram_model.cc, GetUserDefinedScore.
            scored.append((piece, score if kind == NORMAL else 0.1 * (len(piece.encode()) - 1)))
            ids.append(id)
    return ids, Tokenizer(models.Unigram(scored, unk_id=0, byte_fallback=False))


def _byte_pairs(model: SentencePieceModel, unknown: int) -> tuple[Ids, Tokenizer]:
    """The ids are the model's own."""
    made = by_scores(model.pieces, model.scores, model.kinds, unknown)
    defined = [piece for piece, kind in zip(model.pieces, model.kinds, strict=True) if kind == USER_DEFINED and piece]
    made.add_tokens([AddedToken(each, normalized=False) for each in defined])
    return array("I"), made


def _byte_ids(model: SentencePieceModel) -> tuple[int, ...]:
    """The id of each byte; () where the model spells nothing by bytes."""
    found = {piece: id for id, (piece, kind) in enumerate(zip(model.pieces, model.kinds, strict=True)) if kind == BYTE}
    names = [f"<0x{byte:02X}>" for byte in range(0x100)]
    return tuple(found[name] for name in names) if all(name in found for name in names) else ()


def _whole(act: Callable[[_Given], _Made], given: _Given) -> _Made:
    """What `act` gives. Raises ThinkpaneError (kind "tokenizer") for half a surrogate pair."""
    try:
        return act(given)
    except (TypeError, UnicodeEncodeError):
        raise ThinkpaneError(HALF) from None

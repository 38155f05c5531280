"""A SentencePiece model whose texts are encoded by the package `sentencepiece` itself (the extra "spm").

It is some ten times as fast, and decides between equally likely pieces of a unigram model as it always did: it adds the
scores up in single precision, other libraries in double, so that of some texts they take other pieces.
"""

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from thinkpane.formats.sentencepiece_model import BYTE, SentencePieceModel
from thinkpane.tokens.encoding import Place
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.sentencepiece_vocabulary import SentencePieceVocabulary

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor as Engine


def engine_of(data: bytes) -> "Engine | None":
    """The package's own encoder of a model file's bytes; None where the package is not installed, or refuses them."""
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError:
        return None
    try:
        return SentencePieceProcessor(model_proto=data)
    except (RuntimeError, ValueError, OSError):
        return None


class EngineVocabulary(SentencePieceVocabulary):
    """The same model twice: ids come from the package, places and pieces from what we read."""

    def __init__(self, model: SentencePieceModel, title: str, engine: "Engine") -> None:
        """Raises as SentencePieceVocabulary does."""
        super().__init__(model, title)
        self._engine = engine
        self._kinds = model.kinds

    def _encoded(self, stretches: Sequence[str]) -> list[Ids]:
        for each in stretches:
            # The package would put U+FFFD in the place of half a surrogate pair, and say nothing.
            each.encode("utf-8")
        return [array("I", self._engine.encode(each, out_type=int)) for each in stretches]

    def _cut(self, stretch: str, shaped: str) -> tuple[Ids, list[Place]]:
        (ids,) = self._encoded([stretch])
        pieces = self._engine.encode(stretch, out_type=str)
        places: list[Place] = []
        at = spelled = 0
        for id, piece in zip(ids, pieces, strict=True):
            if self._kinds[id] != BYTE:
                places.append((at, at + len(piece)))
                at += len(piece)
                continue
            # Bytes stand for one character after another.
            places.append((at, at + 1))
            spelled += 1
            if spelled == len(shaped[at].encode("utf-8")):
                at, spelled = at + 1, 0
        return ids, places

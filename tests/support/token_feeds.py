"""Tokens for tests of the window: a feed that gives what it is told to, and layers of texts made on the spot."""

from array import array
from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtCore import QObject, Signal

from support.small_vocabularies import byte_pairs
from thinkpane.prompt.token_service import Encoded
from thinkpane.prompt.tokenizer import Description, TokenPieces
from thinkpane.tokens.encoding import Place
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.pieces import pieces_of
from thinkpane.tokens.vocabulary import Vocabulary
from thinkpane.ui.models.token_layer import TokenLayer


class Tokens(QObject):
    """Stands in for the feed of tokens.

    Signals:
        encoded(object): an Encoded.
        placed(): more places are known.
    """

    encoded = Signal(object)
    placed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.current: Encoded | None = None

    def give(self, found: Encoded) -> None:
        """Gives the tokens of a prompt."""
        self.current = found
        self.encoded.emit(found)

    def ask(self, text: str) -> Sequence[Place] | None:
        """Nothing is known of texts that are not spelled by their ids."""
        return None


def described(vocabulary: Vocabulary) -> Description:
    """What a tokenizer's child process would say of a vocabulary."""
    pieces = vocabulary.pieces()
    bounds = array("I", accumulate(map(len, pieces), initial=0))
    return Description(
        title=vocabulary.title,
        cuts=vocabulary.cuts,
        added={each.id: each.text for each in vocabulary.added},
        special=frozenset(each.id for each in vocabulary.added if each.special),
        pieces=TokenPieces(b"".join(pieces), bounds),
    )


def encoded(text: str, vocabulary: Vocabulary | None = None) -> Encoded:
    """The tokens of a text, by a small vocabulary."""
    chosen = vocabulary or byte_pairs()
    encoder = IncrementalEncoder(chosen.cuts, pieces_of(chosen.pieces()), chosen.encode)
    return Encoded(0, encoder.update(text), chosen.title, known=described(chosen))


def layer(text: str, vocabulary: Vocabulary | None = None) -> TokenLayer:
    """The layer of a text's tokens, by a small vocabulary."""
    found = encoded(text, vocabulary)
    assert found.encoding is not None
    assert found.known is not None
    return TokenLayer(found.encoding, found.known)

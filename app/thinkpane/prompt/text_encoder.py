"""Encodes whole texts with the tokenizer of a path, for whoever compares texts that are not the prompt at hand."""

import threading
from collections.abc import Sequence
from pathlib import Path

from thinkpane.prompt.diff_units import EncodedTokens
from thinkpane.prompt.shared_tokenizers import SharedTokenizers
from thinkpane.tokens.encoding import Encoding, Place
from thinkpane.tokens.incremental import IncrementalEncoder


class TextEncoder:
    """Encodes with the tokenizer of a path. Methods wait for its process: no window calls them itself.

    They raise ThinkpaneError as Tokenizer's do.
    """

    def __init__(self, path: Path, tokenizers: SharedTokenizers | None = None) -> None:
        """path: as for Tokenizer. tokenizers: whom its process is shared with; None = it has one of its own."""
        self.path = path
        self._tokenizer = (tokenizers or SharedTokenizers()).open(path)
        self._lock = threading.Lock()
        self._encoder: IncrementalEncoder | None = None

    @property
    def title(self) -> str:
        """The name of the tokenizer's file or folder."""
        return self.path.name

    def tokens(self, text: str) -> EncodedTokens:
        """The tokens of a text, exactly, as what is compared."""
        return EncodedTokens(self.encoding(text), self._places)

    def begin(self, encoding: Encoding, token: int) -> int:
        """Where a token of a text begins, in code points; the text's end where there is no such token."""
        if token >= len(encoding.ids):
            return len(encoding.text)
        return encoding.places(token, token + 1, self._places)[0][0]

    def encoding(self, text: str) -> Encoding:
        """The tokens of a text, exactly."""
        with self._lock:
            if self._encoder is None:
                known = self._tokenizer.description
                self._encoder = IncrementalEncoder(known.cuts, known.pieces.table, self._tokenizer.encode)
            encoding = self._encoder.update(text)
            return self._encoder.confirm() if encoding.provisional else encoding

    def close(self) -> None:
        """Lets go of the tokenizer; a text at work comes back with kind "cancelled"."""
        self._tokenizer.close()

    def _places(self, text: str) -> Sequence[Place]:
        found = self._tokenizer.tokens(text)
        return list(zip(found.starts, found.ends, strict=True))

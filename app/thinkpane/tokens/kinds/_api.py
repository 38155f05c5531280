"""What a tokenizer kind is: one form in which a tokenizer lies in a file.

Kinds import the library that encodes when they load: lists of kinds must not wait for it.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thinkpane.tokens.vocabulary import Vocabulary


class TokenizerKind(Protocol):
    """One kind. A file in this folder holds one, as its public constant `KIND`."""

    @property
    def name(self) -> str:
        """The kind's name, for lists: "tokenizer-json", "gguf", …"""

    @property
    def takes(self) -> str:
        """What its files look like, for sentences: "a tokenizer.json", …"""

    @property
    def order(self) -> int:
        """Which one is taken where several lie in a folder: the lowest."""

    def finds(self, path: Path) -> Path | None:
        """The file of this kind that belongs to `path` (that file itself, or one in or beside it), None = none.

        Reads no file's content and never raises.
        """

    def load(self, path: Path) -> "Vocabulary":
        """The vocabulary in the file that `finds` gave. Raises ThinkpaneError, kind "file" or "tokenizer"."""

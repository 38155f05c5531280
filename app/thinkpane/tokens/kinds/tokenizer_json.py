"""The tokenizer.json of the `tokenizers` library, as it lies in model folders."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.tokens.tokenizer_files import beside, read_file

if TYPE_CHECKING:
    from thinkpane.tokens.vocabulary import Vocabulary

FILE_NAME: Final = "tokenizer.json"
MOST_BYTES: Final = 256 * 2**20
"""The largest vocabularies have about 35 MB."""


class _TokenizerJson:
    name = "tokenizer-json"
    takes = "a tokenizer.json"
    order = 1

    def finds(self, path: Path) -> Path | None:
        return path if path.name == FILE_NAME else beside(path, [FILE_NAME])

    def load(self, path: Path) -> "Vocabulary":
        from tokenizers import Tokenizer

        from thinkpane.tokens.vocabulary import Vocabulary

        try:
            text = read_file(path, MOST_BYTES).decode("utf-8")
        except UnicodeDecodeError:
            raise ThinkpaneError(Problem("file", f"“{path}” is no UTF-8 text.")) from None
        try:
            return Vocabulary(Tokenizer.from_str(text), str(path))
        except Exception as fault:  # noqa: BLE001 - the library raises plain Exception
            sentence = f"“{path}” is no tokenizer that can be read: {fault}."
            raise ThinkpaneError(Problem("tokenizer", sentence)) from None


KIND = _TokenizerJson()

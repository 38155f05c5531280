"""The tokenizer.json of the `tokenizers` library, as it lies in model folders."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from thinkpane.errors import Problem, ThinkpaneError

if TYPE_CHECKING:
    from thinkpane.tokens.vocabulary import Vocabulary

FILE_NAME: Final = "tokenizer.json"
MOST_BYTES: Final = 256 * 2**20
"""The largest vocabularies have about 35 MB."""


class _TokenizerJson:
    name = "tokenizer-json"
    takes = "a tokenizer.json"

    def finds(self, path: Path) -> Path | None:
        if path.name == FILE_NAME:
            return path
        beside = (path if path.is_dir() else path.parent) / FILE_NAME
        return beside if beside.is_file() else None

    def load(self, path: Path) -> "Vocabulary":
        from tokenizers import Tokenizer

        from thinkpane.tokens.vocabulary import Vocabulary

        try:
            if path.stat().st_size > MOST_BYTES:
                raise ThinkpaneError(Problem("file", f"“{path.name}” is larger than {MOST_BYTES // 2**20} MB."))
            text = path.read_text(encoding="utf-8")
        except OSError as fault:
            raise ThinkpaneError(Problem("file", f"“{path}” could not be read: {fault.strerror}.")) from None
        except UnicodeDecodeError:
            raise ThinkpaneError(Problem("file", f"“{path}” is no UTF-8 text.")) from None
        try:
            return Vocabulary(Tokenizer.from_str(text), str(path))
        except Exception as fault:  # noqa: BLE001 - the library raises plain Exception
            sentence = f"“{path}” is no tokenizer that can be read: {fault}."
            raise ThinkpaneError(Problem("tokenizer", sentence)) from None


KIND = _TokenizerJson()

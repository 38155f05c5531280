"""The tokenizer.json of the `tokenizers` library, as it lies in model folders."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.wrong_file import wrong_json
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
            raise ThinkpaneError(Problem("tokenizer", f"“{path}” {_why(text, str(fault))}.")) from None


def _why(text: str, words: str) -> str:
    """What is wrong with the file's text; the library's words only where ours do not say it."""
    wrong = wrong_json(text)
    if wrong:
        return wrong
    if not isinstance(json.loads(text).get("model"), dict):
        return "holds JSON, but no tokenizer: it has no “model”"
    return f"is a tokenizer that the library “tokenizers” cannot read (its words: {words})"


KIND = _TokenizerJson()

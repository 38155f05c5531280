"""Files of ranks, as OpenAI publishes its vocabularies (*.tiktoken)."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from thinkpane.errors import ThinkpaneError
from thinkpane.tokens.tokenizer_files import beside, naming, read_file

if TYPE_CHECKING:
    from thinkpane.tokens.vocabulary import Vocabulary

SUFFIX: Final = ".tiktoken"
FILE_NAMES: Final = ("tiktoken.model", "qwen.tiktoken")
MOST_BYTES: Final = 64 * 2**20


class _Tiktoken:
    name = "tiktoken"
    takes = "a .tiktoken file"
    order = 3

    def finds(self, path: Path) -> Path | None:
        if path.suffix == SUFFIX or path.name in FILE_NAMES:
            return path
        return beside(path, FILE_NAMES)

    def load(self, path: Path) -> "Vocabulary":
        from thinkpane.tokens.ranked_vocabulary import ranked_vocabulary

        data = read_file(path, MOST_BYTES)
        try:
            return ranked_vocabulary(data, path)
        except ThinkpaneError as fault:
            raise naming(path, fault) from None


KIND = _Tiktoken()

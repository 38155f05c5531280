"""SentencePiece's own model file, as it lies beside older models; Llama 3 puts its ranks under the same name."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from thinkpane.errors import ThinkpaneError
from thinkpane.tokens.tokenizer_files import beside, naming, read_file

if TYPE_CHECKING:
    from thinkpane.tokens.vocabulary import Vocabulary

FILE_NAMES: Final = ("tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "spm.model")
MOST_BYTES: Final = 64 * 2**20


class _SentencePiece:
    name = "sentencepiece"
    takes = "a tokenizer.model"
    order = 2

    def finds(self, path: Path) -> Path | None:
        if path.suffix == ".model" and path.name != "tiktoken.model":
            return path
        return beside(path, FILE_NAMES)

    def load(self, path: Path) -> "Vocabulary":
        from thinkpane.tokens.ranked_vocabulary import holds_ranks, ranked_vocabulary
        from thinkpane.tokens.sentencepiece_reader import sentencepiece_vocabulary

        data = read_file(path, MOST_BYTES)
        try:
            return ranked_vocabulary(data, path) if holds_ranks(data) else sentencepiece_vocabulary(data, str(path))
        except ThinkpaneError as fault:
            raise naming(path, fault) from None


KIND = _SentencePiece()

"""The vocabulary in the header of a GGUF file."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.gguf import read_header
from thinkpane.formats.wrong_file import HEAD
from thinkpane.tokens.tokenizer_files import naming, refuse_wrong_file

if TYPE_CHECKING:
    from thinkpane.tokens.vocabulary import Vocabulary

_SUFFIXES: Final = (".gguf", ".head")
"""Those of files, and of what is kept of a file on the web (templates/remote_files.py)."""
_BLOB: Final = "sha256-"
"""How Ollama's store names its files, GGUF files among them."""


class _Gguf:
    name = "gguf"
    takes = "a .gguf file"
    order = 4

    def finds(self, path: Path) -> Path | None:
        return path if path.suffix.lower() in _SUFFIXES or path.name.startswith(_BLOB) else None

    def load(self, path: Path) -> "Vocabulary":
        from thinkpane.tokens.gguf_vocabulary import LISTS, gguf_vocabulary

        try:
            with path.open("rb") as file:
                refuse_wrong_file(path, file.read(HEAD))

                def read(offset: int, length: int) -> bytes:
                    file.seek(offset)
                    return file.read(length)

                header = read_header(read, lists=LISTS)
        except OSError as fault:
            raise ThinkpaneError(Problem("file", f"“{path}” could not be read: {fault.strerror}.")) from None
        except ThinkpaneError as fault:
            raise fault if fault.problem.kind == "tokenizer" else naming(path, fault) from None
        return gguf_vocabulary(header, str(path))


KIND = _Gguf()

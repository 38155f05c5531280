"""The vocabulary in the header of a GGUF file."""

import os
import re
from itertools import islice
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
_MOST_FILES: Final = 500
"""Files of a folder that is looked through for a model: a key may ask for it."""
_NO_MODEL: Final = re.compile(r".*mmproj|.*-(?!0*1-of-)\d+-of-\d+\.gguf$")
"""What lies beside a model: its eyes and ears, and the parts after the first (both as llama.cpp names them)."""
_BLOB: Final = "sha256-"
"""How Ollama's store names its files, GGUF files among them."""


class _Gguf:
    name = "gguf"
    takes = "a .gguf file"
    order = 4

    def finds(self, path: Path) -> Path | None:
        if path.suffix.lower() in _SUFFIXES or path.name.startswith(_BLOB):
            return path
        return _only_model_in(path if path.is_dir() else path.parent)

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


def _only_model_in(folder: Path) -> Path | None:
    """The one model that lies in a folder as a GGUF file, or its first part; None where there are several models, and
    in a folder of so many files that it is no model's."""
    try:
        with os.scandir(folder) as entries:
            found = [*islice(entries, _MOST_FILES + 1)]
        models = [each.name for each in found if _may_be_model(each.name.lower()) and each.is_file()]
    except OSError:
        return None
    return folder / models[0] if len(models) == 1 and len(found) <= _MOST_FILES else None


def _may_be_model(name: str) -> bool:
    return name.endswith(".gguf") and not _NO_MODEL.match(name)


KIND = _Gguf()

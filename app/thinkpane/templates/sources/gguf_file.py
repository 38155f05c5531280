"""A GGUF file on this machine."""

from pathlib import Path

from thinkpane.templates import gguf_template
from thinkpane.templates.files import file_problem, is_folder, is_there, local_path, required_path
from thinkpane.templates.reach import Reach
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.template import Template


class _GgufFile:
    name = "gguf-file"
    takes = "a .gguf file"
    reaches = False

    def accepts(self, ref: str) -> bool:
        path = local_path(ref)
        return path is not None and path.suffix.lower() == ".gguf" and not is_folder(path)

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        return from_file(required_path(ref), ref, name)


def from_file(path: Path, ref: str, name: str) -> Template:
    """The template in the GGUF file at `path`. Raises ThinkpaneError, kind "file" or "template_source"."""
    if not is_there(path):
        raise file_problem(f"There is no file “{path}”.")
    try:
        if not path.is_file():
            raise file_problem(f"“{path}” is not a file.")
        with path.open("rb") as opened:

            def read(offset: int, length: int) -> bytes:
                opened.seek(offset)
                return opened.read(length)

            return gguf_template.read_template(read, ref, name, title=path.stem, origin=str(path))
    except OSError as fault:
        raise file_problem(f"“{path}” cannot be read: {fault.strerror or fault}.") from None


SOURCE: TemplateSource = _GgufFile()

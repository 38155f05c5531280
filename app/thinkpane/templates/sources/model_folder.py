"""A model's folder as it is downloaded: all templates in it, the one that transformers takes being shown."""

from thinkpane.templates.files import file_problem, is_folder, local_path, required_path
from thinkpane.templates.model_files import read_folder, template_of
from thinkpane.templates.reach import Reach
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.template import Template


class _ModelFolder:
    name = "model-folder"
    takes = "a model's folder"
    reaches = False

    def accepts(self, ref: str) -> bool:
        path = local_path(ref)
        return path is not None and is_folder(path)

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        folder = required_path(ref)
        if not is_folder(folder):
            raise file_problem(f"“{folder}” is not a folder.")
        return template_of(read_folder(folder), ref, name, title=folder.absolute().name, origin=str(folder))


SOURCE: TemplateSource = _ModelFolder()

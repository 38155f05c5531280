"""A file that holds nothing but a template's text."""

from thinkpane.templates.files import is_folder, local_path, read_template, required_path
from thinkpane.templates.named import of_templates
from thinkpane.templates.reach import Reach
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.template import Template
from thinkpane.templates.tokenizer_config import DEFAULT

_ENDINGS = (".jinja", ".jinja2", ".j2", ".txt")


class _JinjaFile:
    name = "jinja-file"
    takes = f"a file ending in {', '.join(_ENDINGS)}"
    reaches = False

    def accepts(self, ref: str) -> bool:
        path = local_path(ref)
        return path is not None and path.suffix.lower() in _ENDINGS and not is_folder(path)

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        path = required_path(ref)
        return of_templates(
            ref,
            {DEFAULT: read_template(path)},
            name,
            title=path.name,
            origin=str(path),
            variables={},
            special_tokens=(),
        )


SOURCE: TemplateSource = _JinjaFile()

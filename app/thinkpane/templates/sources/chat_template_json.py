"""A processor's `chat_template.json`: {"chat_template": …}, as multimodal models of 2024 and 2025 have it."""

from thinkpane.templates.files import is_folder, local_path, read_object, required_path, source_problem
from thinkpane.templates.named import of_templates
from thinkpane.templates.reach import Reach
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.template import Template
from thinkpane.templates.tokenizer_config import templates_in


class _ChatTemplateJson:
    name = "chat-template-json"
    takes = "a chat_template.json"
    reaches = False

    def accepts(self, ref: str) -> bool:
        path = local_path(ref)
        return path is not None and path.name.endswith("chat_template.json") and not is_folder(path)

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        path = required_path(ref)
        templates = templates_in(read_object(path), path.name)
        if not templates:
            raise source_problem(f"“{path}” has no “chat_template”.")
        return of_templates(
            ref,
            templates,
            name,
            title=path.absolute().parent.name or path.name,
            origin=str(path),
            variables={},
            special_tokens=(),
        )


SOURCE: TemplateSource = _ChatTemplateJson()

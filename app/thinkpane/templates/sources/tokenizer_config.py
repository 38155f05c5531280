"""A `tokenizer_config.json`, with its template as one text or as a list of named ones."""

from thinkpane.templates.files import is_folder, local_path, read_object, required_path, source_problem
from thinkpane.templates.named import of_templates
from thinkpane.templates.reach import Reach
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.template import Template
from thinkpane.templates.tokenizer_config import special_tokens, templates_in, token_variables


class _TokenizerConfig:
    name = "tokenizer-config"
    takes = "a tokenizer_config.json"
    reaches = False

    def accepts(self, ref: str) -> bool:
        path = local_path(ref)
        return path is not None and path.name.endswith("tokenizer_config.json") and not is_folder(path)

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        path = required_path(ref)
        config = read_object(path)
        templates = templates_in(config, path.name)
        if not templates:
            raise source_problem(
                f"“{path}” has no “chat_template”; newer models keep it in chat_template.jinja beside it "
                "(open the folder instead)."
            )
        return of_templates(
            ref,
            templates,
            name,
            title=path.absolute().parent.name or path.name,
            origin=str(path),
            variables=token_variables(config),
            special_tokens=special_tokens(config),
            tokens_from=path.name,
        )


SOURCE: TemplateSource = _TokenizerConfig()

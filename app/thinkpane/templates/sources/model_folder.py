"""A model's folder as it is downloaded: the template in whichever of its files holds it.

The order is that of transformers' tokenizers: `chat_template.jinja` with `additional_chat_templates/*.jinja` wins over
`tokenizer_config.json`; a processor's `chat_template.json` comes last.
"""

from pathlib import Path

from thinkpane.formats.json_values import JsonObject
from thinkpane.templates.files import (
    file_problem,
    is_folder,
    local_path,
    read_object,
    read_template,
    required_path,
    source_problem,
)
from thinkpane.templates.named import of_templates
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.template import Template
from thinkpane.templates.tokenizer_config import DEFAULT, special_tokens, templates_in, token_variables

TEMPLATE_FILE = "chat_template.jinja"
FURTHER_FOLDER = "additional_chat_templates"
CONFIG_FILE = "tokenizer_config.json"
TOKENS_FILE = "special_tokens_map.json"
PROCESSOR_FILE = "chat_template.json"


class _ModelFolder:
    name = "model-folder"
    takes = "a model's folder"

    def accepts(self, ref: str) -> bool:
        path = local_path(ref)
        return path is not None and is_folder(path)

    def load(self, ref: str, name: str) -> Template:
        folder = required_path(ref)
        if not is_folder(folder):
            raise file_problem(f"“{folder}” is not a folder.")
        config = _config(folder)
        templates = _templates(folder, config)
        if not templates:
            raise source_problem(
                f"“{folder}” has no chat template: none of {TEMPLATE_FILE}, {FURTHER_FOLDER}/, "
                f"“chat_template” in {CONFIG_FILE} or {PROCESSOR_FILE} is there."
            )
        return of_templates(
            ref,
            templates,
            name,
            title=folder.absolute().name,
            origin=str(folder),
            variables=token_variables(config),
            special_tokens=special_tokens(config),
        )


def _config(folder: Path) -> JsonObject:
    """tokenizer_config.json; special_tokens_map.json fills in the tokens it does not name."""
    found: JsonObject = {}
    for file in (TOKENS_FILE, CONFIG_FILE):
        if (folder / file).is_file():
            found |= {key: value for key, value in read_object(folder / file).items() if value is not None}
    return found


def _templates(folder: Path, config: JsonObject) -> dict[str, str]:
    found: dict[str, str] = {}
    if (folder / TEMPLATE_FILE).is_file():
        found[DEFAULT] = read_template(folder / TEMPLATE_FILE)
    for file in sorted((folder / FURTHER_FOLDER).glob("*.jinja")):
        found[file.name.removesuffix(".jinja")] = read_template(file)
    if found:
        return found
    named = templates_in(config, CONFIG_FILE)
    if not named and (folder / PROCESSOR_FILE).is_file():
        named = templates_in(read_object(folder / PROCESSOR_FILE), PROCESSOR_FILE)
    return named


SOURCE: TemplateSource = _ModelFolder()

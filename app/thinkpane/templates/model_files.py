"""A model's files as they are downloaded: every template in them, and the special tokens.

Who takes which of them says runtime_choices.py. Special tokens stand in tokenizer_config.json, in
special_tokens_map.json, or, with newer files, only in tokenizer.json.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.templates.files import read_object, read_template, source_problem
from thinkpane.templates.named import of_templates
from thinkpane.templates.runtime_choices import PROCESSOR, Places, choices, differences
from thinkpane.templates.template import FoundTemplate, RuntimeChoice, Template
from thinkpane.templates.tokenizer_config import DEFAULT, special_tokens, templates_in, token_text, token_variables

TEMPLATE_FILE = "chat_template.jinja"
FURTHER_FOLDER = "additional_chat_templates"
CONFIG_FILE = "tokenizer_config.json"
TOKENS_FILE = "special_tokens_map.json"
TOKENIZER_FILE = "tokenizer.json"
TOKENIZER_FILES = (TOKENIZER_FILE, "tokenizer.model", "tiktoken.model", "qwen.tiktoken")
"""The files that hold a vocabulary, the best one first."""
PROCESSOR_FILE = "chat_template.json"
PROCESSOR_CONFIGS = ("preprocessor_config.json", "processor_config.json")
SMALL_FILES = (TEMPLATE_FILE, CONFIG_FILE, TOKENS_FILE, PROCESSOR_FILE, *PROCESSOR_CONFIGS)
"""The files that are read besides `TOKENIZER_FILE` and those in `FURTHER_FOLDER`."""

_WITHOUT = "The template goes without this tokenizer: special tokens that it alone names are not known."


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """What a folder holds. config: tokenizer_config.json, its tokens filled in from special_tokens_map.json.

    tokens_from: the files that were read for its tokens. tokenizer_fault: why tokenizer.json could not be, "" = it was,
    or did not have to be.
    """

    config: JsonObject
    places: Places
    tokens_from: tuple[str, ...] = ()
    tokenizer_fault: str = ""


def read_folder(folder: Path) -> ModelFiles:
    """Reads the files of `folder`. Raises ThinkpaneError, kind "file" or "template_source"."""
    config, tokens_from, tokenizer_fault = _config(folder)
    jinja: dict[str, str] = {}
    if (folder / TEMPLATE_FILE).is_file():
        jinja[DEFAULT] = read_template(folder / TEMPLATE_FILE)
    for file in sorted((folder / FURTHER_FOLDER).glob("*.jinja")):
        jinja[file.name.removesuffix(".jinja")] = read_template(file)
    legacy: dict[str, str] = {}
    if (folder / PROCESSOR_FILE).is_file():
        legacy = templates_in(read_object(folder / PROCESSOR_FILE), PROCESSOR_FILE)
    has_processor = bool(legacy) or any((folder / name).is_file() for name in PROCESSOR_CONFIGS)
    places = Places(
        files=tuple(FoundTemplate(_file_of(name), name, text) for name, text in jinja.items()),
        config=_found(templates_in(config, CONFIG_FILE), CONFIG_FILE),
        legacy=_found(legacy, PROCESSOR_FILE),
        has_processor=has_processor,
    )
    return ModelFiles(config, places, tokens_from, tokenizer_fault)


def template_of(files: ModelFiles, ref: str, name: str, *, title: str, origin: str) -> Template:
    """The template that transformers takes, with all others that were found, and what other runtimes take.

    Raises ThinkpaneError (kind "template_source") where there is none, or none called `name`.
    """
    places = files.places
    taken = places.files or places.config or places.legacy
    if not taken:
        raise source_problem(
            f"“{origin}” has no chat template: none of {TEMPLATE_FILE}, {FURTHER_FOLDER}/, "
            f"“chat_template” in {CONFIG_FILE} or {PROCESSOR_FILE} is there."
        )
    made = of_templates(
        ref,
        {each.name: each.source for each in taken},
        name,
        title=title,
        origin=origin,
        variables=token_variables(files.config),
        special_tokens=special_tokens(files.config),
        tokens_from=" and ".join(files.tokens_from),
    )
    fault = files.tokenizer_fault
    found = _with_choices(made, places, choices(places))
    return replace(found, notes=(*found.notes, fault), tokenizer_fault=fault) if fault else found


def _with_choices(template: Template, places: Places, by_runtime: tuple[RuntimeChoice, ...]) -> Template:
    shown = tuple(each for each in by_runtime if each.runtime != PROCESSOR or places.has_processor)
    return replace(template, found=places.all, choices=shown, notes=differences(shown))


def _found(templates: Mapping[str, str], place: str) -> tuple[FoundTemplate, ...]:
    return tuple(FoundTemplate(place, name, text) for name, text in templates.items())


def _file_of(name: str) -> str:
    return TEMPLATE_FILE if name == DEFAULT else f"{FURTHER_FOLDER}/{name}.jinja"


def _config(folder: Path) -> tuple[JsonObject, tuple[str, ...], str]:
    """The configuration, the files in which it was found, and why tokenizer.json could not be read, "" = it could.

    A tokenizer is no part of the template: one that is broken costs the tokens that it alone names, no more.
    """
    found: JsonObject = {}
    files: list[str] = []
    for file in (TOKENS_FILE, CONFIG_FILE):
        if (folder / file).is_file():
            found |= {key: value for key, value in read_object(folder / file).items() if value is not None}
            files.append(file)
    if "added_tokens_decoder" in found or not (folder / TOKENIZER_FILE).is_file():
        return found, tuple(files), ""
    try:
        found["added_tokens_decoder"] = _added_tokens(read_object(folder / TOKENIZER_FILE))
    except ThinkpaneError as fault:
        return found, tuple(files), f"{fault.problem.message} {_WITHOUT}"
    return found, (*files, TOKENIZER_FILE), ""


def _added_tokens(tokenizer: JsonObject) -> JsonObject:
    """The added tokens of tokenizer.json in the form that tokenizer_config.json has for them."""
    added = tokenizer.get("added_tokens")
    if not isinstance(added, list):
        return {}
    return {str(n): each for n, each in enumerate(added) if isinstance(each, dict) and token_text(each) is not None}

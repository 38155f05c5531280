"""How many tokens a model's context holds, as the files say that lie beside its template."""

from pathlib import Path
from typing import Final

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.gguf import read_header
from thinkpane.formats.json_values import JsonObject
from thinkpane.templates.context_length import ContextLength, context_length, of_gguf
from thinkpane.templates.files import read_object
from thinkpane.templates.model_files import CONFIG_FILE

MODEL_FILE: Final = "config.json"

_TEXT_CONFIGS = ("text_config", "llm_config", "language_config")
"""Where models that see keep the configuration of their language part."""


def lengths_beside(path: Path) -> tuple[ContextLength, ...]:
    """What the files say that lie beside a template's file, or in a model folder, or what a GGUF file says of itself.

    Files that are missing or cannot be read say nothing.
    """
    if path.suffix.lower() == ".gguf":
        return _of_gguf(path)
    folder = path if path.is_dir() else path.parent
    found: list[ContextLength | None] = []
    if (file := folder / CONFIG_FILE).is_file():
        found.append(_said(_object(file), "model_max_length", CONFIG_FILE))
    if (file := folder / MODEL_FILE).is_file():
        config = _object(file)
        inner = [value for name in _TEXT_CONFIGS if isinstance(value := config.get(name), dict)]
        found += [_said(each, "max_position_embeddings", MODEL_FILE) for each in (config, *inner)]
    return tuple(each for each in found if each is not None)


def _said(config: JsonObject, key: str, file: str) -> ContextLength | None:
    return context_length(config.get(key), key, file)


def _object(file: Path) -> JsonObject:
    try:
        return read_object(file)
    except ThinkpaneError:
        return {}


def _of_gguf(path: Path) -> tuple[ContextLength, ...]:
    try:
        with path.open("rb") as file:

            def read(offset: int, length: int) -> bytes:
                file.seek(offset)
                return file.read(length)

            found = of_gguf(read_header(read))
    except (OSError, ThinkpaneError):
        return ()
    return (found,) if found is not None else ()

"""How many tokens a model's context holds, as its files or its server tell, with who said so."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Final

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.gguf import GgufHeader, read_header
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.files import read_object
from thinkpane.templates.model_files import CONFIG_FILE

MODEL_FILE: Final = "config.json"

MOST: Final = 100_000_000
"""More is no length: transformers writes 10^30 for tokenizers that know none (VERY_LARGE_INTEGER)."""

PROPS: Final = ("n_ctx", "the server's /props")
"""Name and place of what a running llama.cpp server says."""

_TEXT_CONFIGS = ("text_config", "llm_config", "language_config")
"""Where models that see keep the configuration of their language part."""


@dataclass(frozen=True, slots=True)
class ContextLength:
    """tokens: how many. name: what it is called in `place` (“model_max_length” in “tokenizer_config.json”)."""

    tokens: int
    name: str
    place: str


def length_in_force(server: Iterable[ContextLength], files: Iterable[ContextLength]) -> ContextLength | None:
    """The one that counts: what a server says that it holds, else the least that the model's files say."""
    by_tokens = attrgetter("tokens")
    return min(server, key=by_tokens, default=None) or min(files, key=by_tokens, default=None)


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


def of_gguf(header: GgufHeader) -> ContextLength | None:
    """`<architecture>.context_length` of a GGUF header (specification of GGUF, docs/gguf.md)."""
    key = f"{header.text('general.architecture')}.context_length"
    return context_length(header.number(key), key, "the GGUF header")


def of_props(props: JsonObject) -> ContextLength | None:
    """`default_generation_settings.n_ctx` of llama.cpp's `/props`: what one slot of the running server holds."""
    settings = props.get("default_generation_settings")
    value = settings.get("n_ctx") if isinstance(settings, dict) else None
    return context_length(value, *PROPS)


def context_length(value: JsonValue, name: str, place: str) -> ContextLength | None:
    """A length where the value is one; tokenizers write some as 131072.0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MOST:
        return None
    return ContextLength(int(value), name, place)


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

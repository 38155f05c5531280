"""How many tokens a model's context holds, with who said so: a GGUF header, or a running server."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from thinkpane.formats.gguf import GgufHeader
from thinkpane.formats.json_values import JsonObject, JsonValue

MOST: Final = 100_000_000
"""More is no length: transformers writes 10^30 for tokenizers that know none (VERY_LARGE_INTEGER)."""


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


def of_gguf(header: GgufHeader) -> ContextLength | None:
    """`<architecture>.context_length` of a GGUF header (specification of GGUF, docs/gguf.md)."""
    key = f"{header.text('general.architecture')}.context_length"
    return context_length(header.number(key), key, "the GGUF header")


def of_model_info(info: Mapping[str, JsonValue]) -> ContextLength | None:
    """The same key in `model_info` of Ollama's `/api/show`."""
    key = f"{info.get('general.architecture')}.context_length"
    return context_length(info.get(key), key, "the server's /api/show")


def of_props(props: JsonObject) -> ContextLength | None:
    """`default_generation_settings.n_ctx` of llama.cpp's `/props`: what one slot of the running server holds."""
    settings = props.get("default_generation_settings")
    value = settings.get("n_ctx") if isinstance(settings, dict) else None
    return context_length(value, "n_ctx", "the server's /props")


def context_length(value: JsonValue, name: str, place: str) -> ContextLength | None:
    """A length where the value is one; tokenizers write some as 131072.0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MOST:
        return None
    return ContextLength(int(value), name, place)

"""The context lengths in a server's list of models.

Names: vLLM and SGLang `max_model_len`; llama.cpp `meta.n_ctx`, and `meta.n_ctx_train` of a model that is not loaded;
LM Studio `loaded_context_length` and `max_context_length`; Mistral `max_context_length`; OpenRouter and Together
`context_length`; Groq `context_window`. Their API references, November 2026, and the servers' sources.
"""

from collections.abc import Mapping

from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.places import value_at
from thinkpane.templates.context_length import ContextLength, context_length

_FIELDS = (
    "max_model_len",
    "meta.n_ctx",
    "loaded_context_length",
    "context_length",
    "max_context_length",
    "context_window",
    "meta.n_ctx_train",
)
"""What is set up for the running server goes before what the model was made for."""


def context_lengths(value: JsonValue) -> dict[str, ContextLength]:
    """The length of each model that the list tells one of, by the model's name."""
    listed = value.get("data", value.get("models")) if isinstance(value, dict) else value
    found: dict[str, ContextLength] = {}
    for each in listed if isinstance(listed, list) else ():
        name = (each.get("id") or each.get("name")) if isinstance(each, Mapping) else None
        said = (context_length(value_at(each, field), field, "the server's list of models") for field in _FIELDS)
        length = next(filter(None, said), None)
        if isinstance(name, str) and length is not None:
            found[name] = length
    return found

"""Where Ollama wants parameters: most inside `options`, some beside it."""

from collections.abc import Mapping

from thinkpane.endpoints.dialects._api import Call
from thinkpane.endpoints.dialects._params import as_list, renamed
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

_NAMES = {
    "max_tokens": "num_predict",
    "max_completion_tokens": "num_predict",
    "repetition_penalty": "repeat_penalty",
    "response_format": "format",
    **dict.fromkeys(("n", "logit_bias", "tool_choice", "parallel_tool_calls", "verbosity", "user"), ""),
}
_BESIDE = ("keep_alive", "format", "logprobs", "top_logprobs", "truncate", "shift", "think", "suffix")


def ollama_body(call: Call, params: Mapping[str, JsonValue], warnings: list[Problem]) -> JsonObject:
    """The body's model, stream and parameters. stream is always said: Ollama streams where nothing is."""
    body: JsonObject = {"model": call.model} if call.model else {}
    options: JsonObject = {}
    for name, value in renamed(params, _NAMES, "Ollama", warnings).items():
        if name == "options" and isinstance(value, dict):
            options |= value
        elif name == "format":
            body[name] = _format(value)
        elif name in _BESIDE:
            body[name] = value
        else:
            options[name] = as_list(value) if name == "stop" else value
    if options:
        body["options"] = options
    return body | {"stream": call.stream}


def _format(value: JsonValue) -> JsonValue:
    """OpenAI's response_format as Ollama's: "json", or the schema itself."""
    if not isinstance(value, dict) or "type" not in value:
        return value
    schema = value.get("json_schema")
    if isinstance(schema, dict):
        return schema.get("schema", schema)
    return "json" if value["type"] == "json_object" else "" if value["type"] == "text" else value

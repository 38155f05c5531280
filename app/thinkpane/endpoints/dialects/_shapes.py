"""Tells by its shape which wire format a decoded value is of, for replies in another one than was asked for."""

from thinkpane.formats.json_values import JsonObject

_FAMILIES = {
    "OpenAI chat completions": ("openai-chat", "openai-completions"),
    "OpenAI responses": ("openai-responses",),
    "Anthropic messages": ("anthropic",),
    "Ollama": ("ollama", "ollama-generate"),
    "llama.cpp's own": ("llamacpp",),
}


def foreign_format(value: JsonObject, dialect: str) -> str:
    """The name for people of the format that `value` is of, "" where it is the dialect's own or none that is known."""
    kind = value.get("type")
    kind = kind if isinstance(kind, str) else ""
    if isinstance(value.get("choices"), list):
        found = "OpenAI chat completions"
    elif kind.startswith("response.") or value.get("object") == "response":
        found = "OpenAI responses"
    elif kind in ("message_start", "message"):
        found = "Anthropic messages"
    elif "done" in value and ("message" in value or "response" in value):
        found = "Ollama"
    elif isinstance(value.get("content"), str) and "stop" in value:
        found = "llama.cpp's own"
    else:
        return ""
    return "" if dialect in _FAMILIES[found] else found

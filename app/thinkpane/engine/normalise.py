"""What transformers' apply_chat_template does to a request before the template sees it (transformers 5.24,
`tokenization_utils_base.py` and `utils/chat_template_utils.py`): checks, None-dropping, reasoning aliases."""

from collections.abc import Sequence

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

# The order in which transformers looks for reasoning; it differs from the order in which a person would.
ALIAS_ORDER = ("reasoning_content", "thinking", "reasoning")


def fault(message: str, index: int | None = None, field: str | None = None) -> ThinkpaneError:
    """A fault of the request itself, not of the template."""
    return ThinkpaneError(Problem("request", message, message_index=index, field=field))


def message_objects(messages: JsonValue) -> list[JsonObject]:
    """Fresh copies of the messages, which must be a list of objects."""
    if not isinstance(messages, list):
        raise fault("“messages” must be a list of objects, or one text.")
    found: list[JsonObject] = []
    for index, each in enumerate(messages):
        if not isinstance(each, dict):
            raise fault(f"Message {index + 1} is no object.", index)
        found.append(dict(each))
    return found


def normalised(messages: Sequence[JsonObject]) -> list[JsonObject]:
    """The messages without None-valued keys, their reasoning under `reasoning_content` and `thinking` too.

    Raises ThinkpaneError (kind "request") for an empty conversation, which transformers refuses as well.
    """
    if not messages:
        raise fault("Cannot apply chat template to an empty conversation: add at least one message.")
    return [_aliased({key: value for key, value in each.items() if value is not None}) for each in messages]


def _aliased(message: JsonObject) -> JsonObject:
    reasoning = next((message[key] for key in ALIAS_ORDER if key in message), None)
    if reasoning is None:
        return message
    return {"thinking": reasoning, **message, "reasoning_content": reasoning}


def check_tools(tools: JsonValue, documents: JsonValue) -> None:
    """Refuses tools and documents that are no objects, as transformers does."""
    for name, values in (("Tool", tools), ("Document", documents)):
        for index, each in enumerate(values if isinstance(values, list) else ()):
            if not isinstance(each, dict):
                raise fault(f"{name} {index + 1} is no object.")

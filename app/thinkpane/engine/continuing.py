"""Continuing a final message, as transformers does: a mark is appended to the message, the prompt is cut at it.

Source: transformers 5.24, `render_jinja_template`. The mark ends in a space: when the template trimmed the message,
the space is gone, and the white space before the mark is cut off too.
"""

from dataclasses import dataclass

from thinkpane.engine.normalise import ALIAS_ORDER, fault
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

MARK = "CONTINUE_FINAL_MESSAGE_TAG "


@dataclass(frozen=True, slots=True)
class Continuation:
    """A conversation whose last message carries the mark. text: that message's own text; field: where it stands."""

    messages: list[JsonObject]
    text: str
    field: str

    def cut(self, prompt: str) -> str:
        """The prompt up to the end of the continued text.

        Raises ThinkpaneError (kind "request") when the template did not print that text.
        """
        if self.text.strip() not in prompt or MARK.strip() not in prompt:
            raise self._fault(
                "continue_final_message is set, but the final message does not appear in the prompt: "
                "the template leaves it out or changes it."
            )
        at = prompt.rindex(MARK.strip())
        kept = prompt[:at]
        return kept if prompt.startswith(MARK, at) else kept.rstrip()

    def _fault(self, sentence: str) -> ThinkpaneError:
        return fault(sentence, len(self.messages) - 1, self.field)


def continuation(messages: list[JsonObject], asked: bool | str, source: str) -> Continuation:
    """Marks the last message's `asked` field (True = its content) as the one to go on with.

    Raises ThinkpaneError (kind "request") where there is nothing to continue or the template never names the field.
    """
    field = asked if isinstance(asked, str) else "content"
    if not messages:
        raise fault("continue_final_message is set, but the conversation is empty.")
    index = len(messages) - 1
    value = messages[index].get(field)
    if value is None:
        raise fault(f'continue_final_message is set, but the final message has no "{field}" to continue.', index, field)
    names = [field]
    if field in ALIAS_ORDER:
        names = [name for name in ALIAS_ORDER if messages[index].get(name) == value]
    if not any(name in source for name in names):
        raise fault(
            f'continue_final_message is set to "{field}", but this is not an accepted field: '
            "the template never names it.",
            index,
            field,
        )
    text, marked = _marked(value, index, field)
    last = messages[index] | dict.fromkeys(names, marked)
    return Continuation([*messages[:index], last], text, field)


def _marked(value: JsonValue, index: int, field: str) -> tuple[str, JsonValue]:
    if isinstance(value, str):
        return value, value + MARK
    if isinstance(value, list):
        for at in range(len(value) - 1, -1, -1):
            part = value[at]
            if isinstance(part, dict) and isinstance(text := part.get("text"), str):
                return text, [*value[:at], part | {"text": text + MARK}, *value[at + 1 :]]
    raise fault(
        f'continue_final_message is set, but the final message\'s "{field}" holds no text to continue.', index, field
    )

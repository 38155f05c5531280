"""Edits of the content parts of one message, as pure functions.

Forms that are read: OpenAI's {"type": "image_url", "image_url": {"url"}} and {"type": "file", "file": {…}}, and the
flat ones of Hugging Face templates ({"type": "image", "url" | "path" | "image"}). New parts take OpenAI's form.
"""

from typing import Literal, TypeAlias

from thinkpane.conversation.message_edits import set_content
from thinkpane.conversation.messages import Message, part_text
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

PartKind: TypeAlias = Literal["text", "image", "file", "other"]
_KINDS: dict[str, PartKind] = {
    "text": "text",
    "input_text": "text",
    "image_url": "image",
    "image": "image",
    "input_image": "image",
    "file": "file",
    "input_file": "file",
}
_ADDRESS_KEYS = ("image_url", "url", "path", "image", "file_data", "file_url", "file_id", "file")


def text_part(text: str) -> JsonObject:
    """A new text part."""
    return {"type": "text", "text": text}


def image_part(address: str) -> JsonObject:
    """A new image part; `address` is an URL (http, https, data) or a path."""
    return {"type": "image_url", "image_url": {"url": address}}


def file_part(address: str) -> JsonObject:
    """A new file part; `address` is an URL or a path, its last piece becomes the file's name."""
    name = address.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]
    return {"type": "file", "file": {"filename": "" if address.startswith("data:") else name, "file_data": address}}


def part_kind(part: JsonValue) -> PartKind:
    """What a part is; "other" is kept and shown as JSON."""
    if isinstance(part, str):
        return "text"
    if not isinstance(part, dict):
        return "other"
    kind = part.get("type")
    found = _KINDS.get(kind, "other") if isinstance(kind, str) else "other"
    if found == "text":
        return "text" if isinstance(part.get("text"), str) else "other"
    return found if _holder(part) is not None else "other"


def part_address(part: JsonValue) -> str:
    """The URL or path of an image or file part, "" where it has none."""
    found = _holder(part)
    return found[-1] if found else ""


def with_address(part: JsonObject, address: str) -> JsonObject:
    """The part pointing elsewhere, in the form it has. Raises ValueError where it holds no address."""
    found = _holder(part)
    if found is None:
        raise ValueError("the part has no address")
    outer, inner, _ = found
    if inner is None:
        return {**part, outer: address}
    nested = part[outer]
    assert isinstance(nested, dict)
    return {**part, outer: {**nested, inner: address}}


def with_text(part: JsonValue, text: str) -> JsonValue:
    """The text part with another text, in the form it has."""
    return {**part, "text": text} if isinstance(part, dict) else text


def add_part(message: Message, part: JsonValue) -> Message:
    """The message with one more part; a content that is text becomes parts first."""
    found = to_parts(message)
    return set_content(found, [*(found.parts or ()), part])


def set_part(message: Message, index: int, part: JsonValue) -> Message:
    """The message with another part in that place."""
    parts = list(message.parts or ())
    parts[index] = part
    return set_content(message, parts)


def remove_part(message: Message, index: int) -> Message:
    """The message without that part; the content stays a list."""
    parts = list(message.parts or ())
    del parts[index]
    return set_content(message, parts)


def move_part(message: Message, index: int, to: int) -> Message:
    """The message with that part at `to` (its place afterwards), held inside the list."""
    parts = list(message.parts or ())
    part = parts.pop(index)
    parts.insert(max(0, min(to, len(parts))), part)
    return set_content(message, parts)


def to_parts(message: Message) -> Message:
    """The message with its content as parts: text becomes one text part, no content becomes no part.

    Raises ThinkpaneError (kind "message") where the content is neither.
    """
    content = message.content
    if isinstance(content, list):
        return message
    if content is None or content == "":
        return set_content(message, [])
    if isinstance(content, str):
        return set_content(message, [text_part(content)])
    raise ThinkpaneError(Problem("message", "The content is neither text nor parts; edit it as JSON.", field="content"))


def to_text(message: Message) -> Message:
    """The message with its parts as one text. Raises ThinkpaneError (kind "message") where that would lose a thing."""
    parts = message.parts
    if parts is None:
        return message
    for place, part in enumerate(parts):
        if not _is_only_text(part):
            sentence = f"Part {place + 1} is more than text, so the parts cannot become one text."
            raise ThinkpaneError(Problem("message", sentence, field="content"))
    return set_content(message, "".join(part_text(part) for part in parts))


def can_be_text(message: Message) -> bool:
    """True where `to_text` loses nothing."""
    return message.parts is None or all(_is_only_text(part) for part in message.parts)


def _is_only_text(part: JsonValue) -> bool:
    if isinstance(part, dict):
        return part_kind(part) == "text" and set(part) == {"type", "text"}
    return isinstance(part, str)


def _holder(part: JsonValue) -> tuple[str, str | None, str] | None:
    """Where the address stands: the part's key, the key inside it (None = directly), and the address."""
    if not isinstance(part, dict):
        return None
    for key in _ADDRESS_KEYS:
        value = part.get(key)
        if isinstance(value, str):
            return key, None, value
        if isinstance(value, dict):
            for inner in _ADDRESS_KEYS:
                found = value.get(inner)
                if isinstance(found, str):
                    return key, inner, found
    return None

"""Content parts in the forms of Anthropic's and Responses' wires, and back to OpenAI's chat parts."""

import base64

from thinkpane.conversation.part_edits import part_address, part_kind
from thinkpane.endpoints.dialects._data_urls import data_of, data_url
from thinkpane.formats.json_values import JsonObject, JsonValue

_ANTHROPIC_KINDS = ("document", "search_result", "tool_reference", "container_upload", "web_fetch_result")


def to_anthropic_block(part: JsonValue) -> JsonObject | None:
    """A part as a block, None where Anthropic has no such block. Blocks of its own kinds stay as they are."""
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if not isinstance(part, dict):
        return None
    if part.get("type") in _ANTHROPIC_KINDS or isinstance(part.get("source"), dict):
        return part
    kind, address = part_kind(part), part_address(part)
    if kind == "text":
        return {**part, "type": "text"}
    if kind == "image":
        return _kept(part, {"type": "image", "source": _image_source(address)})
    if kind == "file":
        return _kept(part, _document(part, address))
    return None


def from_anthropic_block(block: JsonValue) -> JsonValue:
    """A block as an OpenAI part; kinds that OpenAI does not have stay as they are."""
    source = block.get("source") if isinstance(block, dict) else None
    if not isinstance(block, dict) or not isinstance(source, dict):
        return block
    kind, how = block.get("type"), source.get("type")
    if kind == "image" and (address := _address(source)):
        return _kept(block, {"type": "image_url", "image_url": {"url": address}})
    if kind == "document" and how in ("base64", "text", "url", "file"):
        file: JsonObject = {"filename": block["title"]} if isinstance(block.get("title"), str) else {}
        file |= {"file_id": source.get("file_id")} if how == "file" else {"file_data": _address(source)}
        return _kept(block, {"type": "file", "file": file})
    return block


def to_responses_part(part: JsonValue, role: str) -> JsonObject | None:
    """A part of a message of that role as Responses has it, None where it has no such part."""
    text_kind = "output_text" if role == "assistant" else "input_text"
    if isinstance(part, str):
        return {"type": text_kind, "text": part}
    if not isinstance(part, dict):
        return None
    kind, address = part_kind(part), part_address(part)
    if kind == "text":
        return {**part, "type": text_kind}
    if part.get("type") in ("input_image", "input_file"):
        return part
    if kind == "image":
        holder = part.get("image_url")
        detail = holder.get("detail") if isinstance(holder, dict) else part.get("detail")
        found: JsonObject = {"type": "input_image", "image_url": address}
        return found | ({"detail": detail} if detail else {})
    file = part.get("file")
    if kind == "file" and isinstance(file, dict):
        is_url = address.startswith(("http://", "https://"))
        renamed = {"file_url" if is_url and key == "file_data" else key: value for key, value in file.items()}
        return {"type": "input_file", **renamed}
    if part.get("type") == "refusal" and role == "assistant":
        return part
    return None


def from_responses_part(part: JsonValue) -> JsonValue:
    """A part of Responses as an OpenAI chat part; kinds that chat does not have stay as they are."""
    if not isinstance(part, dict):
        return part
    kind = part.get("type")
    rest = {key: value for key, value in part.items() if key not in ("type", "annotations", "logprobs")}
    if kind in ("input_text", "output_text"):
        return {"type": "text", **rest}
    if kind == "input_image" and isinstance(rest.get("image_url"), str):
        image: JsonObject = {"url": rest.pop("image_url")}
        if detail := rest.pop("detail", None):
            image["detail"] = detail
        return {"type": "image_url", "image_url": image, **rest}
    if kind == "input_file":
        return {"type": "file", "file": {"file_data" if key == "file_url" else key: rest[key] for key in rest}}
    return part


def _image_source(address: str) -> JsonObject:
    data = data_of(address)
    if data is None:
        return {"type": "url", "url": address}
    return {"type": "base64", "media_type": data.media_type, "data": data.base64}


def _document(part: JsonObject, address: str) -> JsonObject:
    file = part.get("file")
    file = file if isinstance(file, dict) else {}
    data = data_of(address)
    source: JsonObject
    if isinstance(file.get("file_id"), str):
        source = {"type": "file", "file_id": file["file_id"]}
    elif data is None:
        source = {"type": "url", "url": address}
    elif data.media_type.startswith("text/") and (text := _plain(data.base64)) is not None:
        source = {"type": "text", "media_type": "text/plain", "data": text}
    else:
        source = {"type": "base64", "media_type": data.media_type, "data": data.base64}
    found: JsonObject = {"type": "document", "source": source}
    return found | ({"title": file["filename"]} if file.get("filename") else {})


def _plain(content: str) -> str | None:
    """The text that base64 holds, None where it holds none."""
    try:
        return base64.b64decode(content, validate=True).decode("utf-8")
    except ValueError:
        return None


def _address(source: JsonObject) -> str:
    kind, data = source.get("type"), str(source.get("data") or "")
    if kind == "url":
        return str(source.get("url") or "")
    if kind == "text":
        return data_url("text/plain", base64.b64encode(data.encode("utf-8", "surrogatepass")).decode("ascii"))
    return data_url(str(source.get("media_type") or "application/octet-stream"), data) if kind == "base64" else ""


def _kept(part: JsonObject, made: JsonObject) -> JsonObject:
    """The new form with the mark for the prompt cache, which both sides write alike."""
    return made | ({"cache_control": part["cache_control"]} if part.get("cache_control") else {})

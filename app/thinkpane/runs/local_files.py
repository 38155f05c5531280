"""Files on this machine that messages point at, put into the request as data URLs.

A conversation may come from somebody else, so a path in it is no reason to send just any file: an image must be one by
its first bytes, a document by its first bytes or as text with a document's ending, and nothing hidden is sent.
"""

import base64
import os
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from thinkpane.conversation.part_edits import part_address, part_kind, with_address
from thinkpane.endpoints.dialects._api import Call
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue

LARGEST_FILE = 20 * 1024 * 1024
"""Bytes that one file may have; servers refuse far less."""

_PATH = re.compile(r"(?:/(?!9j/)|~[/\\]|\.{1,2}[/\\]|[A-Za-z]:[/\\]|\\\\|file:)")  # /9j/ is how a JPEG's base64 begins
_LONGEST_PATH = 4096
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"%PDF-", "application/pdf"),
)
_TEXTS = {
    ".txt": "text/plain",
    ".md": "text/markdown",
    ".csv": "text/csv",
    ".json": "application/json",
    ".html": "text/html",
    ".xml": "text/xml",
}


def with_local_files(call: Call) -> tuple[Call, list[Problem]]:
    """The call with every local path in its image and file parts replaced by a data URL of the file; chat path only.

    The notes say which files go along. Raises ThinkpaneError (kind "file", with the message's index) where a file
    cannot be read, is larger than `LARGEST_FILE`, is hidden, or is no image or document.
    """
    notes: list[Problem] = []
    if call.path != "chat" or not isinstance(call.messages, list):
        return call, notes
    messages = [_message(message, index, notes) for index, message in enumerate(call.messages)]
    return replace(call, messages=messages), notes


def _message(message: JsonValue, index: int, notes: list[Problem]) -> JsonValue:
    parts = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(parts, list):
        return message
    return {**message, "content": [_part(part, index, notes) for part in parts]}


def _part(part: JsonValue, index: int, notes: list[Problem]) -> JsonValue:
    kind, address = part_kind(part), part_address(part)
    if not isinstance(part, dict) or kind not in ("image", "file") or not _is_path(address):
        return part
    try:
        url = _data_url(_path_of(address), kind)
    except OSError as fault:
        sentence = f"Message {index + 1} points at {address}, which cannot be read: {fault.strerror or fault}."
    except ValueError as fault:
        sentence = f"Message {index + 1} points at {address}, which is not sent: {fault}."
    else:
        notes.append(Problem("local-file-sent", f"{address} goes along with message {index + 1}.", message_index=index))
        return with_address(part, url)
    raise ThinkpaneError(Problem("file", sentence, message_index=index, field="content", detail={"path": address}))


def _is_path(address: str) -> bool:
    return len(address) <= _LONGEST_PATH and _PATH.match(address) is not None


def _path_of(address: str) -> Path:
    if address.startswith("file:"):
        parts = urlsplit(address)
        if parts.netloc not in ("", "localhost"):
            raise ValueError("it lies on another machine")
        address = unquote(parts.path)
        if os.name == "nt":
            address = address.lstrip("/")
    try:
        return Path(address).expanduser().resolve()
    except RuntimeError:
        raise ValueError("there is no such home folder") from None


def _data_url(path: Path, kind: str) -> str:
    """The file as a data URL. Raises OSError, and ValueError with the reason why it is not sent."""
    if any(part.startswith(".") for part in path.parts):
        raise ValueError("hidden files and files in hidden folders stay here")
    if path.exists() and not path.is_file():
        raise ValueError("it is no file")
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise ValueError(f"it is larger than {LARGEST_FILE:,} bytes")
    media_type = _media_type(path, data)
    if kind == "image" and not media_type.startswith("image/"):
        raise ValueError("it is no PNG, JPEG, GIF, WebP or BMP image")
    if not media_type:
        raise ValueError(f"it is no image, no PDF and no text ending in {', '.join(_TEXTS)}")
    return f"data:{media_type};base64,{base64.b64encode(data).decode('ascii')}"


def _media_type(path: Path, data: bytes) -> str:
    """By the first bytes; text by its ending. "" where it is neither."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    for start, media_type in _SIGNATURES:
        if data.startswith(start):
            return media_type
    return "" if b"\x00" in data else _TEXTS.get(path.suffix.lower(), "")

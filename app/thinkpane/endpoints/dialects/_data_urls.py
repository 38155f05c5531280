"""Images and files inside messages: data URLs taken apart and put together."""

import base64
import re
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

_DATA_URL = re.compile(r"data:([^;,]*)((?:;[^;,]*)*?)(;base64)?,(.*)", re.DOTALL)
_STARTS = (("iVBORw0KGgo", "image/png"), ("/9j/", "image/jpeg"), ("R0lGOD", "image/gif"), ("UklGR", "image/webp"))


class Data(NamedTuple):
    """What a data URL holds: its media type and its bytes in base64."""

    media_type: str
    base64: str


def data_of(address: str) -> Data | None:
    """What a data URL holds, None where `address` is none."""
    found = _DATA_URL.fullmatch(address)
    if found is None:
        return None
    media_type, _, encoded, content = found.groups()
    if not encoded:
        content = base64.b64encode(unquote_to_bytes(content)).decode("ascii")
    return Data(media_type or "text/plain", content)


def data_url(media_type: str, content: str) -> str:
    """The data URL of base64 `content`."""
    return f"data:{media_type};base64,{content}"


def image_url(content: str) -> str:
    """The data URL of a base64 image whose type nobody said: its first characters tell; PNG where they do not."""
    return data_url(next((each for start, each in _STARTS if content.startswith(start)), "image/png"), content)

"""Recognises what often lies in the place of a model's file: a Git LFS pointer, a web page, nothing at all."""

import json
import re
from typing import Final

HEAD: Final = 512
"""Bytes of a file's beginning that are enough to recognise it."""

_POINTER: Final = b"version https://git-lfs.github.com/spec/"
"""How a pointer begins: docs/spec.md of Git LFS, "The Pointer"."""
_PAGE: Final = re.compile(rb"\s*(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)


def wrong_file(head: bytes) -> str:
    """What a file is by its first `HEAD` bytes, as the end of a sentence that begins with its name; "" = none of these.

    Never raises.
    """
    bare = head.removeprefix(b"\xef\xbb\xbf")
    if not bare.strip():
        return "is empty"
    if bare.startswith(_POINTER):
        return "is a Git LFS pointer, not the file itself: “git lfs pull” fetches that"
    if _PAGE.match(bare):
        return "is a web page, not the file itself: an address was saved that leads to a page about it"
    return ""


def wrong_json(text: str) -> str:
    """Why a text is no JSON object, as the end of a sentence that begins with its file's name; "" = it is one."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as fault:
        if fault.pos >= len(text.rstrip()) or fault.msg.startswith("Unterminated string"):
            return "is cut off: its JSON ends too early, as after a download that broke off"
        return f"is no JSON (line {fault.lineno}, column {fault.colno})"
    except RecursionError:
        return "is JSON that is nested too deep"
    return "" if isinstance(value, dict) else "holds JSON, but no object"

"""In which spellings a key or a password may be echoed, and which of them are masked where.

A long one is masked wherever it stands. A short one may be an ordinary word of a reply, so that it is masked only where
it stands alone, and in a reply itself only where it is no plain word or number; one of a few letters is masked only in
headers and addresses. A proxy's user and password together, as its address and Basic authentication have them, are
masked everywhere.
"""

import base64
import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias
from urllib.parse import quote, quote_plus

from thinkpane.endpoints.secret import Password, Secret

Place: TypeAlias = Literal["reply", "error", "header"]
"""Where it may be echoed: a reply's text or what is sent; the answer of a refusal or our sentence; a header's value."""

LONG = 8
"""Characters from which a value is no word by chance."""

SHORT = 4
"""Characters below which a value is part of too many things to be masked in a text."""

PLACEHOLDERS = frozenset({"none", "null", "empty", "dummy", "fake", "test", "token", "any", "ollama", "local", "nokey"})
"""What people give as the key of a server that wants none; as words of a sentence they stay."""

_CODED = {"reply": 6, "error": 4, "header": 4}
"""The least characters of base64 that are masked: fewer are in every picture by chance."""

_PERCENT = re.compile(r"%[0-9A-F]{2}")
_ESCAPE = re.compile(r"\\u[0-9a-f]{4}")


@dataclass(frozen=True, slots=True)
class Spelling:
    """One spelling. alone: it counts only where a word ends behind it, and, for both, begins with it."""

    data: bytes
    alone: Literal["", "end", "both"] = ""


@lru_cache(maxsize=64)
def spellings(secret: Secret | Password, place: Place) -> tuple[Spelling, ...]:
    """All that is masked of `secret` in that place."""
    value, user = secret.value, secret.user
    found: set[Spelling] = set()
    if _is_masked(secret, place):
        found |= _all(value, place, "both" if len(value) < LONG else "")
    if user is None:
        found |= {Spelling(f"Bearer {value}".encode(), "both")}
        if place != "reply":
            found |= {Spelling(b"=" + each, "end") for each in _texts(value)}
        return tuple(found)
    pair = f"{user}:{value}"
    found |= {
        Spelling(f"{name}{colon}{word}@".encode("utf-8", "surrogatepass"), "both")
        for name in _escaped(user)
        for word in _escaped(value)
        for colon in (":", "%3A", "%3a")
    }
    if len(pair) >= SHORT or place == "header":
        found |= _all(pair, place, "both" if len(pair) < LONG else "")
        found |= {
            Spelling(f"{quote(user, errors='replace')}:{word}".encode("utf-8", "surrogatepass"), "both")
            for word in _escaped(value)
        }
        whole = [base64.b64encode(raw) for raw in _encoded(pair)]
        found |= {Spelling(each, "both") for coded in whole for each in (coded, coded.rstrip(b"="))}
    return tuple(found)


def _is_masked(secret: Secret | Password, place: Place) -> bool:
    """Whether the bare value is masked there."""
    value = secret.value
    if place == "header" or len(value) >= LONG:
        return True
    if len(value) < SHORT or (secret.user is None and value.lower() in PLACEHOLDERS):
        return False
    is_word = value.isdigit() or (value.isalpha() and (value.islower() or value.isupper() or value.istitle()))
    return place == "error" or not is_word


def _all(value: str, place: Place, alone: Literal["", "both"]) -> set[Spelling]:
    """The value as text, and in base64 at any offset."""
    found = {Spelling(each, alone) for each in _texts(value)}
    least = _CODED[place]
    return found | {Spelling(each) for raw in _encoded(value) for each in _coded(raw) if len(each) >= least}


def _texts(value: str) -> set[bytes]:
    """As it is, URL-encoded, JSON-escaped and in HTML; in the encodings that a server may write it in."""
    escaped = json.dumps(value)[1:-1]
    written = {value, escaped, _ESCAPE.sub(lambda found: r"\u" + found[0][2:].upper(), escaped)}
    written |= {json.dumps(value, ensure_ascii=False)[1:-1], html.escape(value), html.escape(value, quote=False)}
    written |= {each.replace("/", "\\/") for each in written}
    return {each.encode("utf-8", "surrogatepass") for each in {*written, *_escaped(value)}} | set(_encoded(value))


def _escaped(value: str) -> set[str]:
    """URL-encoded in every way, and not at all."""
    found = {value}
    for raw in _encoded(value):
        found |= {quote(raw, safe=""), quote(raw), quote_plus(raw)}
    return found | {_PERCENT.sub(lambda code: code[0].lower(), each) for each in found}


def _encoded(value: str) -> tuple[bytes, ...]:
    """Its bytes in UTF-8, and in Latin-1 where that can hold it."""
    raw = value.encode("utf-8", "surrogatepass")
    try:
        return raw, value.encode("latin-1")
    except UnicodeEncodeError:
        return (raw,)


def _coded(raw: bytes) -> Iterator[bytes]:
    """In base64, at each of the three places where it may begin in what is coded."""
    for before in range(3):
        # The first and last characters also depend on what stands around the value, so they are left out.
        coded = base64.b64encode(b"\0" * before + raw).rstrip(b"=")
        inner = coded[(0, 2, 3)[before] : len(coded) if not (before + len(raw)) % 3 else -1]
        yield inner
        yield inner.replace(b"+", b"-").replace(b"/", b"_")

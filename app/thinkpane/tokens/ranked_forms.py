"""Vocabularies whose files hold nothing but tokens with their ranks: what is known of them besides."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Final

from thinkpane import resources

TABLE: Final = "tokenizers/tiktoken.toml"


@dataclass(frozen=True, slots=True)
class RankedForm:
    """What a file of ranks does not say itself. pattern: cuts texts into words. special: its special tokens.

    files: names that the file has. ranks: how many it holds, 0 = told by its name alone. url, sha256: where it is
    published and of which bytes. normalised: texts are brought to NFC first.
    """

    name: str
    files: tuple[str, ...]
    pattern: str
    special: Mapping[str, int]
    ranks: int = 0
    url: str = ""
    sha256: str = ""
    normalised: bool = False


@cache
def ranked_forms() -> dict[str, RankedForm]:
    """All that are known, by name (resources/tokenizers/tiktoken.toml says where they were read)."""
    found = tomllib.loads(resources.read_text(TABLE))["vocabulary"]
    return {each["name"]: RankedForm(**{**each, "files": tuple(each["files"])}) for each in found}


def is_published(data: bytes, form: RankedForm) -> bool:
    """True where these are the bytes that are published under the form's URL."""
    return sha256(data).hexdigest() == form.sha256

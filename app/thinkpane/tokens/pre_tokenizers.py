"""How a GGUF vocabulary cuts text into words before its merges, by the name that its header gives."""

import tomllib
from dataclasses import dataclass
from functools import cache

from thinkpane import resources

TABLE = "tokenizers/pre_tokenizers.toml"


@dataclass(frozen=True, slots=True)
class PreTokenizer:
    """patterns: each cuts every piece that the one before it left.

    takes_whole: a piece that is a token is taken as it is. marks_spaces: a space is written as U+2581, bytes as <0xNN>.
    """

    patterns: tuple[str, ...]
    takes_whole: bool = False
    marks_spaces: bool = False


@cache
def pre_tokenizers() -> dict[str, PreTokenizer]:
    """All that are known, by name (resources/tokenizers/pre_tokenizers.toml says where they were read)."""
    found = {}
    for entry in tomllib.loads(resources.read_text(TABLE))["pre_tokenizer"]:
        made = PreTokenizer(
            tuple(entry["patterns"]),
            takes_whole=entry.get("merges") == "whole",
            marks_spaces=entry.get("spaces") == "marked",
        )
        found.update(dict.fromkeys(entry["names"], made))
    return found

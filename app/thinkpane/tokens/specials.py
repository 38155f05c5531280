"""Special tokens of a template when there is no tokenizer: those template.toml lists, else those its constants show."""

import re
from collections.abc import Iterable, Mapping

from thinkpane.formats.json_values import JsonValue

# The usual shapes, whole: <|…|> (also with full-width bars), <…> as a tag is written, […] as one word.
_SHAPES = re.compile(
    r"<\|[^\s<>|]{1,60}\|?>"
    r"|<[｜][^\s<>]{1,60}[｜]>"
    r"|</?[A-Za-z_][\w:.\-]{0,60}\|?>"
    r"|\[/?[A-Za-z_]\w{0,40}\]"
)

_TOKEN_VARIABLES = ("bos_token", "eos_token", "pad_token", "unk_token", "sep_token", "cls_token", "mask_token")


def tokens_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The tokens of the usual shapes in a template's constants and literal text, in order, each once."""
    return tuple(dict.fromkeys(found for text in texts for found in _SHAPES.findall(text)))


def special_tokens(
    listed: Iterable[str],
    constants: Iterable[str],
    variables: Mapping[str, JsonValue],
    pair: tuple[str, str] | None = None,
) -> tuple[str, ...]:
    """A template's special tokens: those its template.toml has `listed`, or else those its `constants` show.

    constants: of the template's syntax tree (engine/facts.py). pair: its thinking tags. Of `variables` the values of
    bos_token and its kin count too.
    """
    known = tuple(listed) or tokens_in(constants)
    carried = [value for name in _TOKEN_VARIABLES if isinstance(value := variables.get(name), str) and value]
    return tuple(dict.fromkeys((*known, *(pair or ()), *carried)))

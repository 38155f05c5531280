"""Special tokens of a template when there is no tokenizer: those template.toml lists, else those its constants show."""

import re
from collections.abc import Iterable, Mapping

from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.template import Template

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
    template: Template, constants: Iterable[str], variables: Mapping[str, JsonValue] | None = None
) -> tuple[str, ...]:
    """The template's special tokens: its own list, or else those that its `constants` (engine/facts.py) show.

    The values of bos_token and its kin count too: the template's own ones, and those of `variables`.
    """
    known = template.special_tokens or tokens_in(constants)
    pair = template.thinking or ()
    named = dict(template.variables) | dict(variables or {})
    carried = [value for name in _TOKEN_VARIABLES if isinstance(value := named.get(name), str) and value]
    return tuple(dict.fromkeys((*known, *pair, *carried)))

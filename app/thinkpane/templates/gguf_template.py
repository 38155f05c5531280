"""The chat template of a GGUF file, with the named ones and the special tokens of its vocabulary.

Keys: gguf-py's constants, `tokenizer.chat_template`, `tokenizer.chat_templates` (names) with
`tokenizer.chat_template.<name>`, `tokenizer.ggml.tokens`, `.token_type`, `.bos_token_id`, …
"""

import re
from dataclasses import replace

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.gguf import HEADER_BYTES, GgufHeader, ReadBytes, read_header
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.context_length import of_gguf
from thinkpane.templates.named import of_templates
from thinkpane.templates.template import Template
from thinkpane.templates.tokenizer_config import DEFAULT

_TEMPLATE = "tokenizer.chat_template"
_TOKENS = "tokenizer.ggml.tokens"
_TYPES = "tokenizer.ggml.token_type"
_CONTROL, _USER_DEFINED = 3, 4
"""llama.cpp's token types. User-defined ones may be special, such as <think>, or plain letters of a language."""
_BRACKETED = re.compile(r"<.+>|\[.+\]", re.DOTALL)
_IDS = {
    "bos_token": "bos_token_id",
    "eos_token": "eos_token_id",
    "unk_token": "unknown_token_id",
    "sep_token": "seperator_token_id",
    "pad_token": "padding_token_id",
    "cls_token": "cls_token_id",
    "mask_token": "mask_token_id",
}


def read_template(
    read: ReadBytes, ref: str, name: str, *, title: str, origin: str, limit: int = HEADER_BYTES
) -> Template:
    """The template in the GGUF file whose bytes `read` gives; `name` picks a named one.

    title: used where the file names no model. limit: bytes to read at most.
    Raises ThinkpaneError, kind "template_source" with the fault of the file, and what `read` raises.
    """
    try:
        header = read_header(read, lists=(_TOKENS, _TYPES), limit=limit)
    except ThinkpaneError as fault:
        if fault.problem.kind != "gguf":
            raise
        sentence = f"“{origin}” is no GGUF file that can be read. {fault.problem.message}"
        raise ThinkpaneError(Problem("template_source", sentence)) from None
    made = of_templates(
        ref,
        templates_in(header),
        name,
        title=header.text("general.name") or title,
        origin=origin,
        variables=token_variables(header),
        special_tokens=special_tokens(header),
        tokens_from="the vocabulary in the GGUF header",
    )
    return replace(made, context=of_gguf(header))


def templates_in(header: GgufHeader) -> dict[str, str]:
    """The templates by name. The writer keeps `_` for what is neither letter nor digit in a name."""
    found: dict[str, str] = {}
    default = header.text(_TEMPLATE)
    if default is not None:
        found[DEFAULT] = default
    for key, value in header.values.items():
        if key.startswith(_TEMPLATE + ".") and isinstance(value, str):
            found[key.removeprefix(_TEMPLATE + ".")] = value
    return found


def token_variables(header: GgufHeader) -> dict[str, JsonValue]:
    """bos_token, eos_token, …: the texts of the tokens whose ids the file gives."""
    tokens = header.texts(_TOKENS)
    found: dict[str, JsonValue] = {}
    for variable, key in _IDS.items():
        id = header.number(f"tokenizer.ggml.{key}")
        if id is not None and 0 <= id < len(tokens):
            found[variable] = tokens[id]
    return found


def special_tokens(header: GgufHeader) -> tuple[str, ...]:
    """Every control token of the vocabulary, user-defined ones in brackets, and those named by id, each once."""
    named = [text for text in token_variables(header).values() if isinstance(text, str)]
    marked = [
        text
        for text, kind in zip(header.texts(_TOKENS), header.numbers(_TYPES), strict=False)
        if text.strip() and (kind == _CONTROL or (kind == _USER_DEFINED and _BRACKETED.fullmatch(text)))
    ]
    return tuple(dict.fromkeys([*named, *marked]))

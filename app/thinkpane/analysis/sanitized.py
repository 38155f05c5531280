"""What a model would get with transformers' `apply_chat_template(…, sanitize_control_tokens=True)`.

Rules: transformers 5.24.0, `PreTrainedTokenizerBase._get_control_tokens` and `_mark_chat_inputs`,
`utils/chat_template_utils.py`. The control tokens in every text of messages, tools, documents and variables (never in
keys) are put between two private characters, the template renders that, and the result is cut at them: what stands
between both and is an added token is encoded as plain text, all else as ever. A lone mark, which a template's string
methods may leave, is dropped and still parts the text. Tokens that a template puts together from pieces stay tokens.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.owners import Stretch

START: Final = "\U000f0000"
END: Final = "\U000f0001"
_NEVER = "(?!)"


@dataclass(frozen=True, slots=True)
class AddedToken:
    """One added token of a tokenizer. special: it controls a model, and does not merely stand for its text."""

    text: str
    special: bool


@dataclass(frozen=True, slots=True)
class SanitizedPiece:
    """A piece of the prompt that is encoded by itself. plain: as text, whatever tokens it spells."""

    text: str
    plain: bool


def control_tokens(
    added: Iterable[AddedToken], literals: Iterable[str], listed: Sequence[str] | None = None
) -> tuple[str, ...]:
    """The tokens that are plain text in input. literals: the template's own text and string constants. listed: the
    tokenizer's `chat_control_tokens`, None where it has none: then those of its tokens count that the template writes,
    but for white space."""
    if listed is not None:
        return tuple(each.text for each in added if each.special or each.text in listed)
    written = tuple(literals)
    return tuple(
        each.text
        for each in added
        if each.special or (not each.text.isspace() and any(each.text in text for text in written))
    )


def marked_request(
    request: RenderRequest, tokens: Sequence[str], own: Mapping[str, JsonValue] | None = None
) -> RenderRequest:
    """The request with its control tokens marked. own: the variables that come with the tokenizer (bos_token, …), which
    nobody passed and which are not marked."""
    pattern = _any_of(tokens)
    theirs = {name for name, value in (own or {}).items() if request.variables.get(name) == value}
    return replace(
        request,
        messages=_marked(request.messages, pattern),
        tools=_marked_list(request.tools, pattern),
        documents=_marked_list(request.documents, pattern),
        variables={
            name: value if name in theirs else _marked(value, pattern) for name, value in request.variables.items()
        },
    )


def sanitized_pieces(rendered: str, added: Sequence[str]) -> tuple[SanitizedPiece, ...]:
    """The pieces of what the marked request rendered, in order; none is empty. added: all of the tokenizer's."""
    marks = re.compile(f"{START}({_any_of(added).pattern}){END}|[{START}{END}]")
    pieces = marks.split(rendered)
    return tuple(SanitizedPiece(text, number % 2 == 1) for number, text in enumerate(pieces) if text)


def plain_stretches(pieces: Iterable[SanitizedPiece]) -> list[Stretch]:
    """Where the pieces that are plain text stand in the text of all of them."""
    found: list[Stretch] = []
    at = 0
    for each in pieces:
        if each.plain:
            found.append((at, at + len(each.text)))
        at += len(each.text)
    return found


def _any_of(tokens: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(tokens, key=len, reverse=True))) or _NEVER)


def _marked(value: JsonValue, pattern: re.Pattern[str]) -> JsonValue:
    if isinstance(value, str):
        # Marks that are there already would forge a marked token.
        return pattern.sub(f"{START}\\g<0>{END}", value.replace(START, "").replace(END, ""))
    if isinstance(value, dict):
        return {key: _marked(each, pattern) for key, each in value.items()}
    if isinstance(value, list):
        return [_marked(each, pattern) for each in value]
    return value


def _marked_list(value: list[JsonValue] | None, pattern: re.Pattern[str]) -> list[JsonValue] | None:
    return None if value is None else [_marked(each, pattern) for each in value]

"""A prompt beside what the model would get with `sanitize_control_tokens`: text, plain stretches, counts of tokens."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from thinkpane.analysis.rendering import RenderMany
from thinkpane.analysis.sanitized import (
    AddedToken,
    SanitizedPiece,
    control_tokens,
    marked_request,
    plain_stretches,
    sanitized_pieces,
)
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.diff import Piece, diff
from thinkpane.prompt.owners import Stretch
from thinkpane.tokens.ids import Ids

EncodeApart: TypeAlias = Callable[[Sequence[tuple[str, bool]]], Sequence[Ids] | None]
"""The ids of the pieces of a text (tokens/apart.py), None where no tokenizer is known."""


@dataclass(frozen=True, slots=True)
class SanitizedPrompt:
    """before: the prompt as it is. after: what it is with sanitised input. plain: the stretches of `after` that are
    plain text, whatever tokens they spell. pieces: what differs between the texts; most often nothing. tokens: how many
    before and after, None where no tokenizer is known. problem: why it cannot be told, and then `after` is empty."""

    before: str
    after: str = ""
    plain: tuple[Stretch, ...] = ()
    pieces: tuple[Piece, ...] = ()
    tokens: tuple[int, int] | None = None
    problem: Problem | None = None


def sanitized_prompt(
    before: str,
    request: RenderRequest,
    own: Mapping[str, JsonValue],
    added: Sequence[AddedToken],
    constants: JsonObject,
    render_many: RenderMany,
    *,
    listed: Sequence[str] | None = None,
    encode: EncodeApart = lambda _pieces: None,
) -> SanitizedPrompt:
    """Renders the request with its control tokens marked. own: variables that come with the tokenizer. added: the
    tokenizer's added tokens, or the template's special ones where none is known. constants: the job "constants"."""
    literals = [each for name in ("constants", "data") for each in cast("list[str]", constants[name])]
    tokens = control_tokens(added, literals, listed)
    (rendered,) = render_many([marked_request(request, tokens, own)])
    if rendered.text is None:
        return SanitizedPrompt(before, problem=rendered.problem)
    found = sanitized_pieces(rendered.text, [each.text for each in added])
    after = "".join(each.text for each in found)
    try:
        counts = _counts(before, found, {each.text for each in added}, encode)
    except ThinkpaneError as fault:
        return SanitizedPrompt(before, problem=fault.problem)
    return SanitizedPrompt(before, after, tuple(plain_stretches(found)), diff(before, after), counts)


def _counts(
    before: str, pieces: Sequence[SanitizedPiece], added: set[str], encode: EncodeApart
) -> tuple[int, int] | None:
    whole = encode([(before, False)] if before else [])
    apart = encode([(each.text, each.plain) for each in pieces])
    if whole is None or apart is None:
        return None
    alone = {each.text: encode([(each.text, False)]) for each in pieces if each.plain and each.text in added}
    for each, ids in zip(pieces, apart, strict=True):
        token = alone.get(each.text) if each.plain else None
        if token and len(token[0]) == 1 and token[0][0] in ids:
            # transformers raises ValueError here: the model's own merges give the token.
            sentence = f"{each.text} cannot be sanitised: the tokenizer makes it of plain text, too."
            raise ThinkpaneError(Problem("tokenizer", sentence))
    return sum(map(len, whole)), sum(map(len, apart))

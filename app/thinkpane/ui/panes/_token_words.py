"""Tokens in a person's words: number, id, bytes, characters, what kind it is, and who wrote its characters."""

from collections.abc import Sequence

from thinkpane.prompt.owners import Owners
from thinkpane.prompt.tokenizer import shown_piece
from thinkpane.ui.models.token_layer import Token, TokenLayer
from thinkpane.ui.widgets.text_shown import shown

_MOST_BYTES = 24
_MOST_TOKENS = 6
_KINDS = {"special": "special token", "added": "added token, not special", "": "ordinary token"}


def token_words(layer: TokenLayer, tokens: Sequence[Token], owners: Owners | None) -> list[str]:
    """The tokens of one character, a line for each part of it: what a tooltip says, and in one line the pane."""
    found = [_token(layer, each, owners) for each in tokens[:_MOST_TOKENS]]
    if len(tokens) > 1:
        found.insert(0, f"{len(tokens)} tokens share this character")
    if len(tokens) > _MOST_TOKENS:
        found.append(f"and {len(tokens) - _MOST_TOKENS:,} more")
    return found


def selected_words(layer: TokenLayer, start: int, end: int) -> str:
    """How many tokens a selection of characters touches; "" where nothing is selected."""
    if end <= start:
        return ""
    first, last = layer.at(start), layer.at(end - 1)
    if not first or not last:
        return ""
    begin, after = first[0].index, last[-1].index + last[-1].count
    if after - begin == 1:
        return f"token {begin + 1:,} of {len(layer):,} is selected, or a part of it"
    return f"{after - begin:,} tokens selected, {begin + 1:,} to {after:,} of {len(layer):,}"


def writer(owners: Owners | None, start: int, end: int) -> str:
    """Whose characters [start, end) are: the template's, the input's, or both; "" where it is not known."""
    if owners is None or end <= start:
        return ""
    spans = [each.owner for each in owners.between(start, end)]
    if any(not each.line and each.path is None for each in spans) or not spans:
        return ""
    from_input = [each.path is not None for each in spans]
    if all(from_input):
        return "written by the input"
    return "written by template and input together" if any(from_input) else "written by the template"


def _token(layer: TokenLayer, token: Token, owners: Owners | None) -> str:
    if token.count > 1:
        first, last = token.index + 1, token.index + token.count
        # A server that tells no pieces tells none of any id.
        why = "the tokenizer normalises this stretch" if len(layer.known.pieces) else "the server tells ids alone"
        return f"Tokens {first:,} to {last:,} of {len(layer):,} · {why}, so their places in it are not known"
    piece = layer.piece(token.id)
    found = [
        f"Token {token.index + 1:,} of {len(layer):,}",
        f"id {token.id}",
        f"“{shown(shown_piece(piece).replace(chr(10), '↵'), invisible=True).text}”",
        _KINDS[token.kind],
        writer(owners, token.start, token.end),
        _characters(token),
        _bytes(piece),
    ]
    return " · ".join(each for each in found if each)


def _bytes(piece: bytes) -> str:
    """The bytes in hexadecimal; of many the first."""
    if not piece:
        return ""
    more = f" … {len(piece):,} in all" if len(piece) > _MOST_BYTES else ""
    return f"bytes {piece[:_MOST_BYTES].hex(' ')}{more}"


def _characters(token: Token) -> str:
    if token.end - token.start == 1:
        return f"character {token.start + 1:,}"
    return f"characters {token.start + 1:,}–{token.end:,}" if token.end > token.start else ""

"""How many tokens a prompt has, about, where no tokenizer is known: each special token, and the rest by its bytes."""

from collections.abc import Iterator, Sequence
from typing import Final

from thinkpane.prompt.prompt import Prompt

BYTES_PER_TOKEN: Final = 4
"""What English prose has in common vocabularies; other texts have less."""


def estimate(prompt: Prompt) -> int:
    """About how many tokens the prompt has."""
    return estimated_before(prompt, [len(prompt.text)])[0]


def estimated_before(prompt: Prompt, positions: Sequence[int]) -> list[int]:
    """About how many tokens begin before each of these positions, in code points and in ascending order; of the text's
    end as many as `estimate` tells, so that parts add up to it."""
    specials = rest = at = 0
    found: list[int] = []
    pieces = _pieces(prompt)
    start, end, special = next(pieces, (0, 0, False))
    for position in positions:
        while at < position:
            while at >= end:
                start, end, special = next(pieces)
            upto = min(position, end)
            if not special:
                rest += _bytes(prompt.text, at, upto)
            elif at == start:
                specials += 1
            at = upto
        found.append(specials + -(-rest // BYTES_PER_TOKEN))
    return found


def _pieces(prompt: Prompt) -> Iterator[tuple[int, int, bool]]:
    """The segments, and what they leave at the end."""
    end = 0
    for each in prompt.segments:
        end = each.end
        yield each.start, each.end, each.special
    if end < len(prompt.text):
        yield end, len(prompt.text), False


def _bytes(text: str, start: int, end: int) -> int:
    return end - start if text.isascii() else len(text[start:end].encode("utf-8", "surrogatepass"))

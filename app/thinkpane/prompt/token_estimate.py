"""How many tokens a prompt has, about, where no tokenizer is known: each special token, and the rest by its bytes."""

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heapreplace
from typing import Final

from thinkpane.prompt.parts import Part
from thinkpane.prompt.prompt import Prompt
from thinkpane.tokens.segments import rows_of

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


def none_empty(counts: Mapping[Part, int]) -> dict[Part, int]:
    """The estimates of parts that have characters, with at least one token each: a word of two letters is no nothing.
    Those with most give what is missing, so that the sum stays as long as they have more than one."""
    found = dict(counts)
    rich = [(-count, number, part) for number, (part, count) in enumerate(found.items()) if count > 1]
    heapify(rich)
    for part, count in counts.items():
        if count:
            continue
        found[part] = 1
        if rich:
            most, number, giver = rich[0]
            found[giver] = -most - 1
            if found[giver] > 1:
                heapreplace(rich, (most + 1, number, giver))
            else:
                heappop(rich)
    return found


def _pieces(prompt: Prompt) -> Iterator[tuple[int, int, bool]]:
    """The segments, and what they leave at the end."""
    end = 0
    for start, end, special, _role in rows_of(prompt.segments):
        yield start, end, special
    if end < len(prompt.text):
        yield end, len(prompt.text), False


def _bytes(text: str, start: int, end: int) -> int:
    return end - start if text.isascii() else len(text[start:end].encode("utf-8", "surrogatepass"))

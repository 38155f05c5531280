"""The budget of a prompt: how many tokens each of its parts has, exact where a tokenizer is known, else estimated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from thinkpane.prompt.owners import Stretch
from thinkpane.prompt.parts import Part, PartKind, Parts, parts_of
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.token_counts import nothing_known, token_counts
from thinkpane.prompt.token_estimate import estimate, estimated_before, none_empty
from thinkpane.tokens.encoding import AskPlaces, Encoding

Measure: TypeAlias = Literal["exact", "near", "estimate"]
"""near: the sum is exact, and some parts begin inside a token whose place is not known. estimate: no tokenizer."""


@dataclass(frozen=True, slots=True)
class Budget:
    """prompt: the one that is counted. tokens: by part, in order of first appearance; none where it is not traced.
    measure: how the counts are known. total: all of its tokens, to which those of the parts add up; of a text so short
    that its parts outnumber the tokens of its estimate, as many as it has parts."""

    prompt: Prompt
    parts: Parts
    tokens: Mapping[Part, int]
    measure: Measure
    total: int

    def of(self, *kinds: PartKind, index: int | None = None) -> int:
        """The tokens of the parts of these kinds; index: only of that message, tool or document of the request."""
        if index is not None:
            return sum(self.tokens.get(Part(kind, index), 0) for kind in kinds)
        return sum(count for part, count in self.tokens.items() if part.kind in kinds)


def budget_of(
    prompt: Prompt,
    encoding: Encoding | None,
    tier: Sequence[Stretch] = (),
    ask: AskPlaces = nothing_known,
) -> Budget:
    """Counts a prompt. encoding: of its text, None where no tokenizer is known; tier: see `parts_of`; ask: as in
    Encoding.places."""
    parts = parts_of(prompt, tier)
    if encoding is None:
        counts = none_empty(parts.summed(estimated_before(prompt, [*parts.starts, parts.length])))
        return Budget(prompt, parts, counts, "estimate", max(estimate(prompt), sum(counts.values())))
    if not parts.length:
        return Budget(prompt, parts, {}, "exact", len(encoding.ids))
    found = token_counts(parts, encoding, ask)
    return Budget(prompt, parts, found.by_part, "exact" if found.exact else "near", len(encoding.ids))

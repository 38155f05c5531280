"""Two prompts to be compared, each given or still to be made, and what differs between them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from thinkpane.engine.host import Engine
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.diff import PromptDiff, compare
from thinkpane.prompt.diff_units import Units
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.making import PromptMaker
from thinkpane.prompt.owner_changes import OwnerChange, owner_changes
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.shared_tokenizers import SharedTokenizers
from thinkpane.prompt.text_encoder import TextEncoder
from thinkpane.prompt.tracer import traced


@dataclass(frozen=True, slots=True)
class Side:
    """One side. title: what it is called. prompt: it, with its owners or without (another server's has none)."""

    title: str
    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Variant:
    """A side that is still to be made. make: gives its job; it may wait, and raise ThinkpaneError."""

    title: str
    make: Callable[[], PromptJob]


Given: TypeAlias = Side | Variant


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was found. found: None where a side has no prompt; problem says why.

    owners: how much came and went by owner, None where that is not known. tokenizer: the file's name, "" = characters
    are counted; untold: why there are no tokens though a tokenizer is there, "" where nothing is wrong.
    """

    one: Side
    other: Side
    found: PromptDiff | None
    owners: tuple[OwnerChange, ...] | None = None
    tokenizer: str = ""
    untold: str = ""
    problem: Problem | None = None


class Comparer:
    """Compares prompts; may be used from one thread at a time, and never from the window's."""

    def __init__(self, engine: Engine, tokenizers: SharedTokenizers | None = None) -> None:
        """tokenizers: whom tokenizers are shared with."""
        self._engine = engine
        self._tokenizers = tokenizers
        self._encoder: TextEncoder | None = None

    def compare(self, one: Given, other: Given, tokenizer: Path | None, owner: object = None) -> Comparison:
        """tokenizer: the file whose tokens both are compared by, None = by words. owner: see Engine.cancel."""
        try:
            first, second = self._made(one, owner), self._made(other, owner)
        except ThinkpaneError as error:
            return Comparison(Side(one.title, Prompt()), Side(other.title, Prompt()), None, problem=error.problem)
        before, after = first.prompt, second.prompt
        units, untold = self._units(before.text, after.text, tokenizer)
        found = compare(before.text, after.text, *units)
        title = tokenizer.name if tokenizer is not None and found.exact else ""
        return Comparison(first, second, found, owner_changes(found, before, after, *units), title, untold)

    def close(self) -> None:
        """Lets go of the tokenizer, if one is open."""
        if self._encoder is not None:
            self._encoder.close()

    def _made(self, given: Given, owner: object) -> Side:
        if isinstance(given, Variant):
            prompt = PromptMaker(self._engine).make(given.make(), owner)
            if prompt.problem is not None:
                raise ThinkpaneError(prompt.problem)
            return Side(given.title, traced(prompt, self._engine, owner))
        return given

    def _units(self, one: str, other: str, tokenizer: Path | None) -> tuple[tuple[Units | None, Units | None], str]:
        if tokenizer is None:
            return (None, None), ""
        if self._encoder is None or self._encoder.path != tokenizer:
            self.close()
            self._encoder = TextEncoder(tokenizer, self._tokenizers)
        try:
            return (self._encoder.tokens(one), self._encoder.tokens(other)), ""
        except ThinkpaneError as error:
            return (None, None), error.problem.message

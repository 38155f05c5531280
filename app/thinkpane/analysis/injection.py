"""Special tokens in a prompt that came from input: typed there whole, or assembled from template and input together.

Input is messages, tools and documents: what strangers write. Variables are set by whoever sits at the window. Thinking
tags in an assistant's own text are how thinking is stored, and a role's name that becomes part of a token is how many
templates write turns: the first is none, the second is told apart as `ordinary`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from thinkpane.analysis.thinking_format import USUAL_TAGS
from thinkpane.conversation.messages import ROLES
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.owners import INPUTS, OwnedSpan, Owners, group_of
from thinkpane.prompt.places import value_at

InjectionKind: TypeAlias = Literal["typed", "assembled"]

MARKED = re.compile(r"<\|[^\s<>|]{1,60}\|>|<｜[^\s<>]{1,60}｜>")
"""Tokens of the usual shape, known to the template or not."""

_SLICE = 65_536
"""Characters that are searched at a time: a search holds the interpreter's lock from match to match."""

_LONGEST = 256
"""Characters of the longest token that a slice's end may cut."""

_THINKING = frozenset(tag for pair in USUAL_TAGS for tag in pair)
_INDEX = re.compile(r"messages\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Injection:
    """One special token at [start, end) of the prompt. given: the first of its characters that came from input, with
    path and template line. line: of the template's, which wrote its first character, 0 = not known. ordinary: it is
    put together from a role's name."""

    token: str
    start: int
    end: int
    kind: InjectionKind
    given: OwnedSpan
    line: int
    ordinary: bool = False

    @property
    def path(self) -> str:
        """Where in the request its input stands."""
        return self.given.owner.path or ""

    @property
    def message(self) -> int | None:
        """The message of the request that it stands in, from 0."""
        return message_index(self.path)


def injections(text: str, owners: Owners, tokens: Iterable[str], messages: JsonValue = None) -> Iterator[Injection]:
    """The special tokens of `text` that came from input, in order. tokens: those that are known, besides which all of
    the usual shape count. messages: the request's, by which an assistant's own thinking is known."""
    inputs = [path is not None and group_of(path).kind in INPUTS for path in owners.paths]
    for start, end in _matches(pattern_of(tokens), text):
        alone = owners.path_number(start, end)
        if alone is not None and not inputs[alone]:
            continue
        first = owners.at(start)
        if first is None or (first.end >= end and not is_input(first)):
            continue
        spans = [*owners.between(start, end)]
        given = [span for span in spans if is_input(span)]
        if not given:
            continue
        token = text[start:end]
        whole = len(given) == len(spans) and len({span.owner.path for span in given}) == 1
        found = Injection(
            token,
            start,
            end,
            "typed" if whole else "assembled",
            given[0].part(start, end),
            first.owner.line,
            not whole and _names_role(token, given[0]),
        )
        if not (whole and is_inline_thinking(token, _role(messages, found.message))):
            yield found


def pattern_of(tokens: Iterable[str]) -> re.Pattern[str]:
    """What finds these tokens, the longest first, and all of the usual shape."""
    known = sorted((re.escape(each) for each in set(tokens) if each), key=lambda each: (-len(each), each))
    return re.compile("|".join([*known, MARKED.pattern]))


def is_inline_thinking(token: str, role: JsonValue) -> bool:
    """Whether a token in a message's own text is thinking that is stored there; templates take it apart."""
    return role == "assistant" and token in _THINKING


def is_input(span: OwnedSpan) -> bool:
    """Whether the span came from messages, tools or documents."""
    return span.owner.group.kind in INPUTS


def message_index(path: str) -> int | None:
    """The message of the request that a path leads into, None for other inputs."""
    found = _INDEX.match(path)
    return int(found[1]) if found else None


def _names_role(token: str, given: OwnedSpan) -> bool:
    return (given.owner.path or "").endswith(".role") and any(role in token for role in ROLES)


def _role(messages: JsonValue, index: int | None) -> JsonValue:
    return value_at(messages, f"[{index}].role") if index is not None else None


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for begin in range(0, len(text), _SLICE):
        limit = begin + _SLICE
        for found in pattern.finditer(text, max(begin, at), min(limit + _LONGEST, len(text))):
            if found.start() >= limit:
                break
            at = found.end()
            yield found.span()

"""How the prompt ends: whether the assistant's turn is opened, and that nothing comes after that."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from thinkpane.analysis.lint._api import Answers, Asked, Trial
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject
from thinkpane.formats.json_values import JsonValue
from thinkpane.tokens.roles import ROLE_WORDS, shape_meaning

_IDS = ("no-generation-prompt", "generation-prompt-always", "generation-prompt-empty", "text-after-generation-prompt")
_NAME = "add_generation_prompt"
_TOKEN = re.compile(r"<[^<>\s]{1,60}>|\[/?\w+\]")
_LONGEST = 10_000
"""Characters of text after the generation prompt that are looked for."""

_WORD = re.compile(r"[A-Za-z]+")


def _ask(subject: Subject) -> Asked:
    if subject.trace is None or not subject.generates or _last_role(subject) == "assistant":
        return {}
    return {
        "with": replace(subject.request, add_generation_prompt=True),
        "without": replace(subject.request, add_generation_prompt=False),
    }


def _find(subject: Subject, answers: Answers) -> Iterator[Finding]:
    if not answers:
        return
    on, off = answers["with"].text, answers["without"].text
    if on is None or off is None or not on.strip():
        return
    if _NAME not in subject.names("name"):
        yield _always(subject, on) if _opens(subject, on) else _never(_last_role(subject) == "tool")
    elif on == off:
        yield Finding(
            _IDS[2],
            "note" if _last_role(subject) == "tool" or _opens(subject, on) else "warning",
            "“add_generation_prompt” changes nothing here, although the template reads it.",
            "The end of the prompt does not tell the model that it is its turn, unless the last turn's end does.",
            line=next((fact.line for fact in subject.of_kind("name") if fact.name == _NAME), None),
            name=_NAME,
        )
    else:
        yield from _after(subject, on, off)


def _never(after_tool: bool) -> Finding:
    """after_tool: many models go on right after a tool's result."""
    return Finding(
        _IDS[0],
        "note" if after_tool else "warning",
        "The template does not open the assistant's turn: it never reads “add_generation_prompt”.",
        "The model may go on with the user's text, or write the role's marks itself.",
        name=_NAME,
    )


def _always(subject: Subject, text: str) -> Finding:
    owners = subject.trace.owners if subject.trace else None
    return Finding(
        _IDS[1],
        "note",
        "The template always opens the assistant's turn; it does not read “add_generation_prompt”.",
        "For training or for continuing a reply the opening cannot be left out.",
        line=(owners.line_at(len(text) - 1) or None) if owners else None,
        name=_NAME,
    )


def _after(subject: Subject, on: str, off: str) -> Iterator[Finding]:
    rest = _rest(subject, on, off)
    if rest.strip():
        owners = subject.trace.owners if subject.trace and subject.trace.text == on else None
        at = len(on) - len(rest)
        yield Finding(
            _IDS[3],
            "warning",
            f"The template prints “{rest.strip()[:60]}” after the generation prompt.",
            "The reply starts after that text and not where the assistant's turn was opened.",
            line=(owners.line_at(at) or None) if owners else None,
            name=_NAME,
            span=(at, len(on)),
        )


def _rest(subject: Subject, on: str, off: str) -> str:
    """What stands after the generation prompt: `off` is some text and it, `on` has the generation prompt between."""
    if len(on) <= len(off) or on.startswith(off):
        return ""
    common = _common(on, off)
    owners = subject.trace.owners if subject.trace and subject.trace.text == on else None
    spans = range(len(owners) - 1, -1, -1) if owners is not None else ()
    starts = (owners.span(number).start for number in spans if owners is not None)
    for start in chain(starts, [len(on) - len(off) + common]):
        rest = on[start:]
        if len(rest) > len(off) - common + _LONGEST:
            break
        if rest.strip() and off.endswith(rest) and len(off) - len(rest) <= common:
            return rest
    return ""


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _opens(subject: Subject, text: str) -> bool:
    """Whether what the template printed last opens the assistant's turn, or thinking."""
    owners = subject.trace.owners if subject.trace else None
    start = max(0, len(text) - 200)
    if owners is not None:
        for number in range(len(owners) - 1, -1, -1):
            span = owners.span(number)
            if span.owner.path is not None and span.owner.path.startswith("messages"):
                start = span.end
                break
        else:
            start = 0
    tail = text[start:]
    meanings = [shape_meaning(token) for token in _TOKEN.findall(tail)]
    if any(meaning.role == "assistant" or meaning.enters for meaning in meanings):
        return True
    words = [word.lower() for word in _WORD.findall(_TOKEN.sub(" ", tail))]
    return any(ROLE_WORDS.get(word) == "assistant" for word in words)


def _last_role(subject: Subject) -> JsonValue:
    messages = subject.messages()
    return messages[-1][1].get("role") if messages else None


CHECK = Trial("generation-prompt", _IDS, _find, _ask)

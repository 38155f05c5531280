"""Special tokens that come from what people typed, or that are put together from both sides."""

import re
from collections.abc import Iterator

from thinkpane.analysis.injection import (
    MARKED,
    Injection,
    injections,
    is_inline_thinking,
    message_index,
    pattern_of,
)
from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding, Severity
from thinkpane.analysis.lint.subject import Subject, text_of
from thinkpane.tokens.roles import shape_meaning

_ENDS = frozenset(("<s>", "</s>", "<bos>", "<eos>", "<unk>", "<pad>"))
_FORGES = (
    "The model cannot tell it from the template's own tokens: whoever writes the text can close a turn or open one "
    "in another role."
)


def _find(subject: Subject) -> Iterator[Finding]:
    told: dict[tuple[str, str], Finding] = {}
    found = _in_prompt(subject) if subject.trace and subject.trace.owners else _in_messages(subject)
    for finding in found:
        told.setdefault((finding.id, f"{finding.token} {finding.message_index} {finding.name}"), finding)
    yield from told.values()


def _in_prompt(subject: Subject) -> Iterator[Finding]:
    owners = subject.trace.owners if subject.trace else None
    if owners is None:
        return
    given = subject.request.messages if subject.given else None
    for found in injections(subject.text, owners, subject.tokens, given):
        if found.kind == "assembled":
            yield _assembled(subject, found)
        elif found.message is not None or subject.given:
            yield _typed(subject, found)


def _typed(subject: Subject, found: Injection) -> Finding:
    return Finding(
        "special-token-in-content",
        _severity(subject, found.token),
        f"{found.token} in the prompt comes from {_place(subject, found.path)}, not from the template.",
        _FORGES,
        message_index=found.message,
        name=found.path if found.message is None else None,
        token=found.token,
        span=(found.start, found.end),
    )


def _assembled(subject: Subject, found: Injection) -> Finding:
    return Finding(
        "assembled-special-token",
        "note" if found.ordinary else "warning",
        f"{found.token} is put together from the template's text and {_place(subject, found.path)}.",
        "Whatever stands there becomes part of the token: a role nobody foresaw makes a token that the model does not "
        "know, and defences that look for whole tokens in the input do not see it.",
        line=found.line or None,
        message_index=None if found.ordinary else found.message,
        token=found.token,
        span=(found.start, found.end),
    )


def _in_messages(subject: Subject) -> Iterator[Finding]:
    """Without owners: the tokens that stand in the messages themselves."""
    pattern = pattern_of(subject.tokens)
    for index, message in subject.messages():
        for found in pattern.finditer(text_of(message.get("content"))):
            if not is_inline_thinking(found[0], message.get("role")):
                yield Finding(
                    "special-token-in-content",
                    _severity(subject, found[0]),
                    f"{found[0]} stands in message {subject.number(index)}.",
                    _FORGES,
                    message_index=index,
                    token=found[0],
                )


def _severity(subject: Subject, token: str) -> Severity:
    """A word between angle brackets may be plain text to the tokenizer; what marks turns or texts surely is not."""
    meaning = shape_meaning(token)
    marks = meaning.role is not None or meaning.enters or meaning.leaves
    own = token in subject.template.special_tokens or token in _ENDS
    known = MARKED.fullmatch(token) is not None or (token in subject.tokens and token.startswith("["))
    ends = token in (subject.request.variables.get("bos_token"), subject.request.variables.get("eos_token"))
    turn = re.fullmatch(r"</?(?:start|end|begin)_?of_?\w+>", token) is not None
    return "warning" if marks or own or known or ends or turn else "note"


def _place(subject: Subject, path: str) -> str:
    index = message_index(path)
    if index is None:
        return path
    field = path[path.index("]") + 1 :].lstrip(".")
    return f"message {subject.number(index)} ({field})" if field else f"message {subject.number(index)}"


CHECK = Rule("special-tokens", ("special-token-in-content", "assembled-special-token"), _find)

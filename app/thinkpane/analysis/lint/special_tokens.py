"""Special tokens that come from what people typed, or that are put together from both sides."""

import re
from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding, Severity
from thinkpane.analysis.lint.subject import Subject, text_of
from thinkpane.analysis.thinking_format import USUAL_TAGS
from thinkpane.conversation.messages import ROLES
from thinkpane.prompt.owners import OwnedSpan, Owners
from thinkpane.tokens.roles import shape_meaning

_MARKED = re.compile(r"<\|[^\s<>|]{1,60}\|>|<｜[^\s<>]{1,60}｜>")
_ENDS = frozenset(("<s>", "</s>", "<bos>", "<eos>", "<unk>", "<pad>"))
_THINKING = frozenset(tag for pair in USUAL_TAGS for tag in pair)
_INPUTS = ("messages", "tools", "documents")
_INDEX = re.compile(r"messages\[(\d+)\]")
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
    for found in _pattern(subject).finditer(subject.text):
        spans = [*owners.between(*found.span())]
        given = [span for span in spans if _is_input(span)]
        if not given:
            continue
        if len(given) < len(spans) or len({span.owner.path for span in given}) > 1:
            yield _assembled(subject, found[0], found.span(), given[0], owners)
        else:
            yield from _typed(subject, found[0], found.span(), given[0].owner.path or "")


def _typed(subject: Subject, token: str, at: tuple[int, int], path: str) -> Iterator[Finding]:
    index = _index(path)
    message = next((each for number, each in subject.messages() if number == index), {})
    if message.get("role") == "assistant" and token in _THINKING:
        return  # thinking that is stored inline; templates take it apart
    if index is None and not subject.given:
        return
    yield Finding(
        "special-token-in-content",
        _severity(subject, token),
        f"{token} in the prompt comes from {_place(subject, path)}, not from the template.",
        _FORGES,
        message_index=index,
        name=path if index is None else None,
        token=token,
        span=at,
    )


def _assembled(subject: Subject, token: str, at: tuple[int, int], given: OwnedSpan, owners: Owners) -> Finding:
    path = given.owner.path or ""
    ordinary = path.endswith(".role") and any(f"{role}" in token for role in ROLES)
    return Finding(
        "assembled-special-token",
        "note" if ordinary else "warning",
        f"{token} is put together from the template's text and {_place(subject, path)}.",
        "Whatever stands there becomes part of the token: a role nobody foresaw makes a token that the model does not "
        "know, and defences that look for whole tokens in the input do not see it.",
        line=owners.line_at(at[0]) or None,
        message_index=None if ordinary else _index(path),
        token=token,
        span=at,
    )


def _in_messages(subject: Subject) -> Iterator[Finding]:
    """Without owners: the tokens that stand in the messages themselves."""
    for index, message in subject.messages():
        for found in _pattern(subject).finditer(text_of(message.get("content"))):
            if not (message.get("role") == "assistant" and found[0] in _THINKING):
                yield Finding(
                    "special-token-in-content",
                    _severity(subject, found[0]),
                    f"{found[0]} stands in message {subject.number(index)}.",
                    _FORGES,
                    message_index=index,
                    token=found[0],
                )


def _pattern(subject: Subject) -> re.Pattern[str]:
    known = sorted((re.escape(each) for each in subject.tokens), key=len, reverse=True)
    return re.compile("|".join([*known, _MARKED.pattern]))


def _severity(subject: Subject, token: str) -> Severity:
    """A word between angle brackets may be plain text to the tokenizer; what marks turns or texts surely is not."""
    meaning = shape_meaning(token)
    marks = meaning.role is not None or meaning.enters or meaning.leaves
    own = token in subject.template.special_tokens or token in _ENDS
    known = _MARKED.fullmatch(token) is not None or (token in subject.tokens and token.startswith("["))
    ends = token in (subject.request.variables.get("bos_token"), subject.request.variables.get("eos_token"))
    turn = re.fullmatch(r"</?(?:start|end|begin)_?of_?\w+>", token) is not None
    return "warning" if marks or own or known or ends or turn else "note"


def _is_input(span: OwnedSpan) -> bool:
    return span.owner.path is not None and span.owner.path.startswith(_INPUTS)


def _index(path: str) -> int | None:
    found = _INDEX.match(path)
    return int(found[1]) if found else None


def _place(subject: Subject, path: str) -> str:
    index = _index(path)
    if index is None:
        return path
    field = path[path.index("]") + 1 :].lstrip(".")
    return f"message {subject.number(index)} ({field})" if field else f"message {subject.number(index)}"


CHECK = Rule("special-tokens", ("special-token-in-content", "assembled-special-token"), _find)

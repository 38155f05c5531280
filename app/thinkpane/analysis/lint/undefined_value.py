"""Values that are missing: jinja prints them as nothing, or the render fails on them."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject
from thinkpane.engine.lint_values import Fact, Use

_WHY = (
    "Python's jinja makes empty text of it; other engines end in an error, and the model reads a gap where it was "
    "trained on a value. “default(…)” in the template says what should stand there."
)


def _find(subject: Subject) -> Iterator[Finding]:
    missing = subject.missing()
    if missing is not None and subject.problem is not None:
        name = missing.text or missing.name
        yield Finding(
            "undefined-value-used",
            "error",
            f"“{name}” is missing here, and the template needs it: {subject.problem.message}",
            "The template has no default for it, so the render fails.",
            line=subject.problem.line,
            name=name,
            message_index=subject.problem.message_index,
        )
    for use in subject.uses:
        if use.kind == "undefined" and not _is_ordinary(subject, use):
            fact = subject.fact_at(use.name, use.line)
            name = _name(fact, use)
            yield Finding(
                "undefined-value-used",
                "warning",
                f"“{name}” is missing and printed as nothing.",
                _token_words(use.name) if use.name.endswith("_token") else _WHY,
                line=use.line or None,
                name=name,
            )


def _name(fact: Fact | None, use: Use) -> str:
    return (fact.text or fact.name) if fact is not None else use.name


def _token_words(name: str) -> str:
    return (
        f"The special token is not set, so the prompt lacks it. A tokenizer's configuration has it; "
        f"set the variable {name} where the template came without one."
    )


def _is_ordinary(subject: Subject, use: Use) -> bool:
    """A message with tool calls needs no content; that it prints as nothing is what is meant."""
    if use.name != "content":
        return False
    without = [message for _, message in subject.messages() if message.get("content") is None]
    return bool(without) and all(message.get("tool_calls") for message in without)


CHECK = Rule("undefined-value", ("undefined-value-used",), _find)

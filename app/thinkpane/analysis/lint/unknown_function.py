"""Functions that the template calls and that transformers' environment does not have."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject

_KNOWN = frozenset(("raise_exception", "strftime_now", "namespace", "dict", "range", "lipsum", "cycler", "joiner"))


def _find(subject: Subject) -> Iterator[Finding]:
    failing = subject.problem.line if subject.problem else None
    for fact in subject.of_kind("function"):
        if fact.name not in _KNOWN and fact.name not in subject.request.variables:
            yield Finding(
                "function-not-known",
                "error" if fact.line == failing else "warning",
                f"The function “{fact.name}” is not among those that chat templates have.",
                "The render ends in an error as soon as this line runs.",
                line=fact.line,
                name=fact.name,
            )


CHECK = Rule("unknown-function", ("function-not-known",), _find)

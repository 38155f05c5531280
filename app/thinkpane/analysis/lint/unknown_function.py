"""Functions, filters and tests that the template uses and that transformers' environment does not have."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject
from thinkpane.engine.lint_values import Fact

_KNOWN = frozenset(("raise_exception", "strftime_now", "namespace", "dict", "range", "lipsum", "cycler", "joiner"))


_FORMS = {"function": "function “{}”", "filter": "filter “{}”", "test": "test “is {}”"}
_IDS = {"function": "function-not-known", "filter": "filter-not-known", "test": "test-not-known"}


def _find(subject: Subject) -> Iterator[Finding]:
    failing = subject.problem.line if subject.problem else None
    for fact in subject.of_kind(*_IDS):
        if not _is_unknown(subject, fact):
            continue
        yield Finding(
            _IDS[fact.kind],
            "error" if fact.line == failing else "warning",
            f"The {_FORMS[fact.kind].format(fact.name)} is not among those that chat templates have.",
            "The render ends in an error as soon as this line runs.",
            line=fact.line,
            name=fact.name,
        )


def _is_unknown(subject: Subject, fact: Fact) -> bool:
    if fact.kind != "function":
        return "unknown" in fact.flags
    return fact.name not in _KNOWN and fact.name not in subject.request.variables


CHECK = Rule("unknown-function", tuple(_IDS.values()), _find)

"""Calls that change a list or an object in place, which transformers' immutable sandbox refuses."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject

# jinja2.sandbox: what its immutable environment refuses on lists, dicts and sets.
_LISTS = ("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort")
_DICTS = ("popitem", "setdefault", "update")
_SETS = ("add", "difference_update", "discard", "intersection_update", "symmetric_difference_update")
_MUTATING = frozenset((*_LISTS, *_DICTS, *_SETS))


def _find(subject: Subject) -> Iterator[Finding]:
    failing = subject.problem.line if subject.problem else None
    for fact in subject.of_kind("method"):
        if fact.name in _MUTATING:
            yield Finding(
                "mutating-call-refused-by-transformers",
                "error" if fact.line == failing else "warning",
                f"“{fact.text}.{fact.name}(…)” changes a value in place, which transformers' sandbox refuses.",
                "The render ends in an error as soon as this line runs. llama.cpp allows it, so the template may seem "
                "to work; a namespace with “+” does the same everywhere.",
                line=fact.line,
                name=fact.name,
            )


CHECK = Rule("mutating-call", ("mutating-call-refused-by-transformers",), _find)

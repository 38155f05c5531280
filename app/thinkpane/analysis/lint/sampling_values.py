"""Sampling parameters with values that no server has a use for."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject
from thinkpane.analysis.sampling_bounds import odd_value


def _find(subject: Subject) -> Iterator[Finding]:
    for name, value in subject.params.items():
        odd = odd_value(name, value)
        if odd:
            why = "It is sent as it stands; a server refuses it or goes its own way."
            yield Finding("sampling-value-odd", "warning", odd, why, name=name)


CHECK = Rule("sampling-values", ("sampling-value-odd",), _find)

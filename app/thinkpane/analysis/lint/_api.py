"""What a check is: one file in this folder with one public constant `CHECK`."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject
from thinkpane.engine.request import Rendered, RenderRequest

Asked: TypeAlias = Mapping[str, RenderRequest]
Answers: TypeAlias = Mapping[str, Rendered]


class Check(Protocol):
    """One check. It reads a Subject and is pure; what it wants rendered is rendered in one batch with all others."""

    @property
    def name(self) -> str:
        """Its own name, for tests and messages; the file's name with dashes."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids that its findings may have; no other check has them."""

    def ask(self, subject: Subject) -> Asked:
        """The variants of the request that it wants to see rendered, by labels of its own."""

    def find(self, subject: Subject, answers: Answers) -> Iterable[Finding]:
        """The findings; the answers have the labels that `ask` gave. Never raises for a strange conversation."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A check that needs nothing but the subject. look: gives its findings."""

    name: str
    ids: tuple[str, ...]
    look: Callable[[Subject], Iterable[Finding]]

    def ask(self, subject: Subject) -> Asked:
        """Nothing."""
        return {}

    def find(self, subject: Subject, answers: Answers) -> Iterable[Finding]:
        """The findings."""
        return self.look(subject)


@dataclass(frozen=True, slots=True)
class Trial:
    """A check that tries variants. look: gives its findings; wanted: what it wants to see rendered."""

    name: str
    ids: tuple[str, ...]
    look: Callable[[Subject, Answers], Iterable[Finding]]
    wanted: Callable[[Subject], Asked]

    def ask(self, subject: Subject) -> Asked:
        """The variants."""
        return self.wanted(subject)

    def find(self, subject: Subject, answers: Answers) -> Iterable[Finding]:
        """The findings."""
        return self.look(subject, answers)

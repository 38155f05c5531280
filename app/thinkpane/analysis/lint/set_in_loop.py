"""`set` inside a loop whose value is wanted outside of its round."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject


def _find(subject: Subject) -> Iterator[Finding]:
    for fact in subject.of_kind("lost-set"):
        yield Finding(
            "set-in-loop-lost",
            "warning",
            f"“{fact.name}” is set inside a loop, and line {fact.text} reads the value from before the loop.",
            "Jinja forgets what a round of a loop sets; only a namespace (“set ns.name = …”) keeps it.",
            line=fact.line,
            name=fact.name,
        )


CHECK = Rule("set-in-loop", ("set-in-loop-lost",), _find)

"""Marks of a template that was damaged on its way here: tags a page swallowed, escapes, folded lines, truncation."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject
from thinkpane.templates.repair import inspect

_IDS = (
    "empty-string-literal-in-split",
    "empty-string-literal-in-test",
    "template-looks-tag-stripped",
    "template-damaged",
)


def _find(subject: Subject) -> Iterator[Finding]:
    for kind, id, what in (
        ("empty-split", _IDS[0], "splits a text at an empty text, which is an error"),
        ("empty-in", _IDS[1], "asks whether an empty text is in a text, which is always so"),
    ):
        for line in dict.fromkeys(fact.line for fact in subject.of_kind(kind)):
            yield Finding(
                id,
                "error" if kind == "empty-split" else "warning",
                f"Line {line} {what}.",
                "A tag such as “</think>” most likely stood between the quotes and was taken for HTML.",
                line=line,
            )
    for damage in inspect(subject.source):
        stripped = damage.kind == "stripped-tags"
        yield Finding(
            "template-looks-tag-stripped" if stripped else "template-damaged",
            "note" if damage.confidence == "possible" else "warning",
            damage.sentence,
            "The prompt is not the one that the model was trained on. “Repair” shows what can be put right.",
            line=damage.line,
            name=damage.kind,
        )


CHECK = Rule("damage", _IDS, _find)

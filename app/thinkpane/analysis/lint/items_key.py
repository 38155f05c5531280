"""Keys such as `items` that are also methods of every object, so that asking for the key gives the method."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding, Fix, TextEdit
from thinkpane.analysis.lint.subject import Subject
from thinkpane.engine.lint_values import Fact

_METHODS = frozenset(("items", "keys", "values", "get", "copy", "fromkeys"))


def _find(subject: Subject) -> Iterator[Finding]:
    happened = {(use.name, use.line) for use in subject.uses if use.kind == "method"}
    for fact in subject.of_kind("attribute"):
        if fact.name in _METHODS:
            seen = (fact.name, fact.line) in happened
            if seen or (not subject.given and "subscript" not in fact.flags):
                yield _finding(subject, fact, seen)


def _finding(subject: Subject, fact: Fact, seen: bool) -> Finding:
    reached = (
        "gave the object's own method here, because there is no such key" if seen else "gives the object's own method"
    )
    if "subscript" not in fact.flags:
        reached = "gives the object's own method, even where there is such a key"
    return Finding(
        "items-key-collision",
        "warning",
        f"“{fact.text}” {reached}.",
        "A method counts as true and prints as “<built-in method …>”: a condition on it always holds. "
        f"Ask “'{fact.name}' in …” first, or use “.get('{fact.name}')”.",
        line=fact.line,
        name=fact.text,
        fix=_get(subject.source, fact),
    )


def _get(source: str, fact: Fact) -> Fix | None:
    """`.get('items')` in its place: the key's value, or none."""
    for written in (f"['{fact.name}']", f'["{fact.name}"]', f".{fact.name}"):
        if fact.start >= 0 and "\r" not in source and source.startswith(written, fact.start):
            edit = TextEdit(fact.start, fact.start + len(written), f".get('{fact.name}')")
            return Fix(f"Write “.get('{fact.name}')” for “{written}”", template=(edit,))
    return None


CHECK = Rule("items-key", ("items-key-collision",), _find)

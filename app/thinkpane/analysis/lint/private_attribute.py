"""Names that Python keeps for itself, which the sandbox refuses and attacks are made of."""

import re
from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject

_WRITTEN = re.compile(r"__[a-z]+__")
_INSIDE = re.compile(
    r"__(?:class|bases?|mro|subclasses|globals|builtins|init|dict|code|func|self|module|import|reduce|getattribute)__"
)
_PRIVATE = ("mro", "gi_frame", "cr_frame", "f_globals", "func_globals", "im_func", "tb_frame")


def _find(subject: Subject) -> Iterator[Finding]:
    for fact in subject.of_kind("attribute", "method"):
        if _WRITTEN.fullmatch(fact.name) or fact.name in _PRIVATE:
            yield _finding(fact.name, fact.line)
    for fact in subject.of_kind("constant"):
        # A filter such as `attr`, `map` or `format` takes the name as a text.
        found = _INSIDE.search(fact.text)
        if found is not None:
            yield _finding(found[0], fact.line)


def _finding(name: str, line: int) -> Finding:
    return Finding(
        "private-attribute",
        "error",
        f"The template reaches for “{name}”, which belongs to Python's inside.",
        "No chat template needs it; it is what attempts to break out of the sandbox are made of. It is refused here, "
        "and a server without a sandbox would run it.",
        line=line,
        name=name,
    )


CHECK = Rule("private-attribute", ("private-attribute",), _find)

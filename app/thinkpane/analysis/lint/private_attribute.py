"""Names that Python keeps for itself, which the sandbox refuses and attacks are made of."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject

_PRIVATE = ("mro", "gi_frame", "cr_frame", "f_globals", "func_globals", "im_func", "tb_frame")


def _find(subject: Subject) -> Iterator[Finding]:
    for fact in subject.of_kind("attribute", "method"):
        if (fact.name.startswith("__") and fact.name.endswith("__")) or fact.name in _PRIVATE:
            yield Finding(
                "private-attribute",
                "error",
                f"The template reaches for “{fact.name}”, which belongs to Python's inside.",
                "No chat template needs it; it is what attempts to break out of the sandbox are made of. It is refused "
                "here, and a server without a sandbox would run it.",
                line=fact.line,
                name=fact.name,
            )


CHECK = Rule("private-attribute", ("private-attribute",), _find)

"""Addresses that the template itself prints into the prompt."""

import re
from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject

_URL = re.compile(r"(?:https?|ftp|wss?)://[^\s\"'<>)\]}`\\]+", re.IGNORECASE)
# Addresses of schemas and standards are names, not places to go to.
_NAMES = re.compile(r"https?://(?:json-schema\.org|www\.w3\.org|schema\.org)\b", re.IGNORECASE)


def _find(subject: Subject) -> Iterator[Finding]:
    told: set[tuple[str, int]] = set()
    for fact in subject.of_kind("constant", "data"):
        for found in _URL.finditer(fact.text):
            line = fact.line + (fact.text.count("\n", 0, found.start()) if fact.kind == "data" else 0)
            if (found[0], line) in told or _NAMES.match(found[0]):
                continue
            told.add((found[0], line))
            # Where the text ends in an open address, the next expression is printed into it.
            carries = found.end() == len(fact.text) and found[0][-1] in "=/?&#"
            image = fact.text[: found.start()].endswith("](")
            bad = carries or image
            yield Finding(
                "literal-url",
                "warning" if bad else "note",
                f"The template prints the address {found[0]}"
                + (" and puts text of the conversation into it." if carries else "."),
                "A model may repeat it, and a program that loads pictures or follows links would send what is in the "
                "address to that server."
                if bad
                else "The model may repeat it to people. Make sure that it belongs there.",
                line=line,
                name=found[0],
            )


CHECK = Rule("literal-url", ("literal-url",), _find)

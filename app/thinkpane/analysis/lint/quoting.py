"""Text that the template puts between quotes without escaping the quotes in it."""

import re
from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject

_INDEX = re.compile(r"messages\[(\d+)\]")
_DATA = re.compile(r"\.arguments\b|\Atools\[")


def _find(subject: Subject) -> Iterator[Finding]:
    trace = subject.trace
    if trace is None or trace.owners is None or not subject.given:
        return
    told: set[tuple[str, int]] = set()
    for span in trace.spans():
        path = span.owner.path
        if path is None or not span.is_exact or not 0 < span.start < span.end < len(trace.text):
            continue
        quote, text = trace.text[span.start - 1], trace.text[span.start : span.end]
        if quote not in "\"'" or trace.text[span.end] != quote or quote not in text or not _DATA.search(path):
            continue
        around = (trace.owners.at(span.start - 1), trace.owners.at(span.end))
        if any(each is None or each.owner.path is not None for each in around) or (path, span.owner.line) in told:
            continue
        told.add((path, span.owner.line))
        found = _INDEX.match(path)
        yield Finding(
            "quote-not-escaped",
            "warning",
            f"{path} stands between {quote} and {quote} in the prompt and holds such a quote itself.",
            "The template does not escape it, so that the value seems to end there; “tojson” would.",
            line=span.owner.line or None,
            name=path,
            message_index=int(found[1]) if found else None,
            span=(span.start - 1, span.end + 1),
        )


CHECK = Rule("quoting", ("quote-not-escaped",), _find)

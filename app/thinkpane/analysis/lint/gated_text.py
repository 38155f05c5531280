"""Text that the template prints only when a message holds a certain word: a control, or a hidden instruction."""

import re
from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject

_MARKUP = re.compile(r"[<\[{(/|#@].*|.*[>\]})|]\Z", re.DOTALL)
_TOKENS = re.compile(r"<[^<>\s]{1,60}>|\[/?[A-Za-z_]+\]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ENOUGH = 4
"""Words of text that make an instruction; fewer are scaffolding."""


def _find(subject: Subject) -> Iterator[Finding]:
    for fact in subject.of_kind("gated"):
        words = _TOKENS.sub(" ", fact.text).split()
        if len(_WORD.findall(" ".join(words))) < _ENOUGH:
            continue
        control = _MARKUP.fullmatch(fact.name.strip()) is not None
        shown = " ".join(words)[:80]
        yield Finding(
            "content-gated-text",
            "note" if control else "warning",
            f"“{fact.name}” in a message makes the template print text of its own: “{shown}…”",
            "The tag is a control; the model then reads that text as if it had been in the prompt all along."
            if control
            else "An ordinary word switches it on, so that most people never see it: this is how instructions are "
            "hidden in templates.",
            line=fact.line,
            name=fact.name,
        )


CHECK = Rule("gated-text", ("content-gated-text",), _find)

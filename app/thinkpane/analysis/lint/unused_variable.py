"""Variables that a person set and the template never reads."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding, Fix
from thinkpane.analysis.lint.subject import Subject

# What templates call such switches; only to name the likely one that was meant.
_THINKING = (
    "enable_thinking",
    "thinking",
    "thinking_mode",
    "reasoning",
    "reasoning_effort",
    "reasoning_strength",
    "thinking_budget",
    "think",
)
_HISTORY = ("preserve_thinking", "clear_thinking", "truncate_history_thinking", "drop_thinking")
_FAMILIES = (_THINKING, _HISTORY)


def _find(subject: Subject) -> Iterator[Finding]:
    read = subject.names("name")
    if not subject.facts:
        return
    for name in sorted(subject.chosen - read):
        if name.endswith("_token"):
            continue
        others = [each for family in _FAMILIES if name in family for each in family if each in read]
        hint = f" It reads {' and '.join(f'“{each}”' for each in others)}." if others else ""
        yield Finding(
            "kwarg-unused",
            "warning",
            f"“{name}” is set, and the template never reads it.{hint}",
            "Setting it changes nothing about the prompt; a server takes it without a word.",
            name=name,
            fix=Fix(f"Unset “{name}”", unset=(name,)),
        )


CHECK = Rule("unused-variable", ("kwarg-unused",), _find)

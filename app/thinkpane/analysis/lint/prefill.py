"""A final message that is continued: what the template puts before it, and what it cuts off."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding, Fix, MessageEdit
from thinkpane.analysis.lint.subject import Subject, text_of
from thinkpane.analysis.thinking_format import thinking_tags

_IDS = ("prefill-closes-thinking", "prefill-whitespace-trimmed")
_SWITCHES = ("enable_thinking", "thinking")


def _find(subject: Subject) -> Iterator[Finding]:
    asked = subject.request.continue_final_message
    messages = subject.messages()
    if not asked or not messages or subject.trace is None:
        return
    index, message = messages[-1]
    field = asked if isinstance(asked, str) else "content"
    text = text_of(message.get(field))
    kept = text.rstrip()
    if kept != text and not subject.text.endswith(text):
        plain = isinstance(message.get(field), str)
        yield Finding(
            _IDS[1],
            "warning",
            f"The white space at the end of message {subject.number(index)} is cut off by the template.",
            "The reply goes on right after the last word, so that a space is missing or the model adds one of its own. "
            "Tokenizers put the space before the next word anyway.",
            message_index=index,
            fix=Fix("Remove the white space", messages=(MessageEdit(index, (field,), kept),)) if plain else None,
        )
    if field == "content":
        yield from _closed(subject, index, kept)


def _closed(subject: Subject, index: int, text: str) -> Iterator[Finding]:
    before = subject.text.rstrip().removesuffix(text).rstrip()
    if any(subject.request.variables.get(name) is False for name in _SWITCHES):
        return
    for opening, closing in thinking_tags(subject.template):
        if not before.endswith(closing):
            continue
        inside = before.removesuffix(closing).rstrip()
        if not inside.endswith(opening):
            continue
        span = (len(inside) - len(opening), len(before))
        owners = subject.trace.owners if subject.trace else None
        yield Finding(
            _IDS[0],
            "warning",
            f"An empty thinking block ({opening}{closing}) stands before the text that is continued.",
            "The model takes thinking for done, so that the reply has none although thinking is on.",
            line=(owners.line_at(span[0]) or None) if owners else None,
            message_index=index,
            token=opening,
            span=span,
        )


CHECK = Rule("prefill", _IDS, _find)

"""Stored thinking of earlier replies that the template leaves out or does not find."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject
from thinkpane.conversation.messages import REASONING_FIELDS

_IDS = ("reasoning-field-not-read", "reasoning-dropped")
_MOST = 20
"""Messages that are told one by one; of a long conversation the rest is counted."""

_KEEPS = ("preserve_thinking", "clear_thinking", "truncate_history_thinking", "drop_thinking", "think_render_option")


def _find(subject: Subject) -> Iterator[Finding]:
    trace = subject.trace
    if trace is None or trace.owners is None:
        return
    named = subject.names("attribute") | {fact.text for fact in subject.of_kind("constant")}
    told = further = 0
    for index, message in subject.messages():
        field = next((name for name in REASONING_FIELDS if isinstance(message.get(name), str) and message[name]), None)
        if field is None or any(trace.prints(f"messages[{index}].{name}") for name in REASONING_FIELDS):
            continue
        if told == _MOST:
            further += 1
            continue
        if str(message[field]).strip() in subject.text:
            continue
        told += 1
        # transformers gives it under its other names too (engine/normalise.py).
        reachable = REASONING_FIELDS if subject.request.normalise else (field,)
        if not named & set(reachable):
            others = sorted(named & set(REASONING_FIELDS))
            yield Finding(
                _IDS[0],
                "warning" if others else "note",
                f"The thinking of message {subject.number(index)} stands in “{field}”, which the template never reads"
                + (f"; it reads “{others[0]}”." if others else "; it has no place for thinking of earlier replies."),
                "Models that need their own thinking to go on with tools lose it without a word."
                if others
                else "A model that thinks and whose template is this one has it in the text, or not at all.",
                message_index=index,
                name=field,
            )
            continue
        keeps = [name for name in _KEEPS if name in subject.names("name")]
        yield Finding(
            _IDS[1],
            "note",
            f"The thinking of message {subject.number(index)} is left out of the prompt."
            + (f" “{keeps[0]}” decides about it." if keeps else ""),
            "Most templates do so for earlier turns; a prompt that was cached with it is not reused then.",
            message_index=index,
            name=field,
        )
    if further:
        yield Finding(
            _IDS[1],
            "note",
            f"The thinking of {further:,} further messages is not printed from its field either.",
            "They are not looked at one by one.",
        )


CHECK = Rule("reasoning-history", _IDS, _find)

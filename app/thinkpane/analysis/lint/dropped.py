"""What was said and never reaches the model: messages, roles, parts and tool calls that the template leaves out."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Answers, Asked, Trial
from thinkpane.analysis.lint.findings import Finding, MessageEdit
from thinkpane.analysis.lint.subject import Subject, text_of
from thinkpane.analysis.lint.variants import with_edits
from thinkpane.formats.json_values import JsonObject, JsonValue

_IDS = ("message-dropped", "role-dropped", "part-dropped", "tool-calls-dropped")
_MOST = 8


def _ask(subject: Subject) -> Asked:
    if subject.trace is None:
        return {}
    return {
        f"{index} {place}": with_edits(subject.request, (MessageEdit(index, ("content",), _less(content, place)),))
        for index, place, content in _media(subject)
    }


def _find(subject: Subject, answers: Answers) -> Iterator[Finding]:
    trace = subject.trace
    if trace is None or trace.owners is None:
        return
    for index, message in subject.messages():
        text = text_of(message.get("content")).strip()
        if text and not trace.spans_of(f"messages[{index}].content") and text not in subject.text:
            yield _of_message(subject, index, message)
        else:
            yield from _of_parts(subject, index, message)
        yield from _of_calls(subject, index, message)
    for index, place, content in _media(subject):
        answer = answers.get(f"{index} {place}")
        if answer is not None and answer.text == subject.text:
            part = content[place]
            yield _part(index, place, f"of the type “{part.get('type')}”" if isinstance(part, dict) else "")


def _of_message(subject: Subject, index: int, message: JsonObject) -> Finding:
    role = message.get("role")
    known = subject.names("role")
    odd = isinstance(role, str) and bool(known) and role not in known
    return Finding(
        _IDS[1] if odd else _IDS[0],
        "warning",
        f"Message {index + 1} ({role}) is not in the prompt: the template "
        + ("does not know its role." if odd else "leaves its content out."),
        "The model never reads it, and no server says so.",
        message_index=index,
        name=role if odd and isinstance(role, str) else None,
    )


def _of_parts(subject: Subject, index: int, message: JsonObject) -> Iterator[Finding]:
    content = message.get("content")
    for place, part in enumerate(content if isinstance(content, list) else ()):
        text = text_of([part]).strip()
        trace = subject.trace
        if text and trace and not trace.spans_of(f"messages[{index}].content[{place}]") and text not in subject.text:
            yield _part(index, place, "")


def _part(index: int, place: int, kind: str) -> Finding:
    return Finding(
        _IDS[2],
        "warning",
        f"Part {place + 1} of message {index + 1}{f', {kind},' if kind else ''} is not in the prompt.",
        "The template prints nothing for it, so that the model never gets it.",
        message_index=index,
        name=f"content[{place}]",
    )


def _of_calls(subject: Subject, index: int, message: JsonObject) -> Iterator[Finding]:
    calls = message.get("tool_calls")
    trace = subject.trace
    if not isinstance(calls, list) or not calls or trace is None:
        return
    if not trace.spans_of(f"messages[{index}].tool_calls") and not trace.spans_of(f"messages[{index}].function_call"):
        names = [function.get("name") for number, _, function in subject.calls() if number == index]
        if not any(isinstance(name, str) and name in subject.text for name in names):
            yield Finding(
                _IDS[3],
                "warning",
                f"The tool calls of message {index + 1} are not in the prompt.",
                "The model does not see that it called anything, and takes the results for something else.",
                message_index=index,
            )


def _media(subject: Subject) -> list[tuple[int, int, list[JsonValue]]]:
    """The parts that hold no text, such as pictures, each with its message's index and its own place."""
    found = [
        (index, place, content)
        for index, message in subject.messages()
        if isinstance(content := message.get("content"), list) and len(content) > 1
        for place, part in enumerate(content)
        if isinstance(part, dict) and not text_of([part])
    ]
    return found[:_MOST]


def _less(content: list[JsonValue], place: int) -> JsonValue:
    return [*content[:place], *content[place + 1 :]]


CHECK = Trial("dropped", _IDS, _find, _ask)

"""What was said and never reaches the model: messages, roles, parts and tool calls that the template leaves out."""

from collections.abc import Iterator

from thinkpane.analysis.lint._api import Answers, Asked, Trial
from thinkpane.analysis.lint.findings import Finding, Fix, MessageEdit
from thinkpane.analysis.lint.subject import Subject, all_text, text_of
from thinkpane.analysis.lint.variants import with_edits
from thinkpane.formats.json_values import JsonObject, JsonValue

_IDS = ("message-dropped", "role-dropped", "part-dropped", "tool-calls-dropped")
_MOST = 8


def _ask(subject: Subject) -> Asked:
    if subject.trace is None:
        return {}
    asked = {
        f"{index} {place}": with_edits(subject.request, (MessageEdit(index, ("content",), _less(content, place)),))
        for index, place, content in _media(subject)
    }
    lost = [(index, message) for index, message in subject.messages() if _is_lost(subject, index, message)]
    for index, message in lost[:_MOST]:
        for cure, edit in _cures(index, message).items():
            asked[f"{cure} {index}"] = with_edits(subject.request, (edit,))
    return asked


def _find(subject: Subject, answers: Answers) -> Iterator[Finding]:
    trace = subject.trace
    if trace is None or trace.owners is None:
        return
    for index, message in subject.messages():
        if _is_lost(subject, index, message):
            yield _of_message(subject, index, message, answers)
        else:
            yield from _of_parts(subject, index, message)
        yield from _of_calls(subject, index, message)
    for index, place, content in _media(subject):
        answer = answers.get(f"{index} {place}")
        if answer is not None and answer.text == subject.text:
            part = content[place]
            yield _part(subject, index, place, f"of the type “{part.get('type')}”" if isinstance(part, dict) else "")


def _is_lost(subject: Subject, index: int, message: JsonObject) -> bool:
    """Whether nothing of a message's text is in the prompt."""
    trace = subject.trace
    if trace is None or trace.owners is None:
        return False
    text = text_of(message.get("content")).strip()
    return bool(text) and not trace.prints(f"messages[{index}].content") and text not in subject.text


def _cures(index: int, message: JsonObject) -> dict[str, MessageEdit]:
    """What may bring a message into the prompt."""
    content = message.get("content")
    found: dict[str, MessageEdit] = {}
    if isinstance(content, str):
        found["parts"] = MessageEdit(index, ("content",), [{"type": "text", "text": content}])
    elif all_text(content):
        found["text"] = MessageEdit(index, ("content",), text_of(content))
    if message.get("role") == "developer":
        found["system"] = MessageEdit(index, ("role",), "system")
    return found


_TITLES = {
    "parts": "Make a list of one part of its text",
    "text": "Make one text of its parts",
    "system": "Make a system message of it",
}
_REASONS = {
    "parts": "takes content only as a list of parts.",
    "text": "takes content only as a text.",
    "system": "does not know its role.",
}


def _of_message(subject: Subject, index: int, message: JsonObject, answers: Answers) -> Finding:
    role = message.get("role")
    known = subject.names("role")
    odd = isinstance(role, str) and bool(known) and role not in known
    text = text_of(message.get("content")).strip()
    helps = [
        (cure, edit)
        for cure, edit in _cures(index, message).items()
        if (answer := answers.get(f"{cure} {index}")) is not None and answer.text is not None and text in answer.text
    ]
    cure, edit = helps[0] if helps else ("", None)
    reason = _REASONS.get(cure) or ("does not know its role." if odd else "leaves its content out.")
    return Finding(
        _IDS[1] if odd else _IDS[0],
        "warning",
        f"Message {subject.number(index)} ({role}) is not in the prompt: the template {reason}",
        "The model never reads it, and no server says so.",
        message_index=index,
        name=role if odd and isinstance(role, str) else None,
        fix=Fix(_TITLES[cure], messages=(edit,)) if edit else None,
    )


def _of_parts(subject: Subject, index: int, message: JsonObject) -> Iterator[Finding]:
    content = message.get("content")
    for place, part in enumerate(content if isinstance(content, list) else ()):
        text = text_of([part]).strip()
        trace = subject.trace
        if text and trace and not trace.prints(f"messages[{index}].content[{place}]") and text not in subject.text:
            yield _part(subject, index, place, "")


def _part(subject: Subject, index: int, place: int, kind: str) -> Finding:
    return Finding(
        _IDS[2],
        "warning",
        f"Part {place + 1} of message {subject.number(index)}{f', {kind},' if kind else ''} is not in the prompt.",
        "The template prints nothing for it, so that the model never gets it.",
        message_index=index,
        name=f"content[{place}]",
    )


def _of_calls(subject: Subject, index: int, message: JsonObject) -> Iterator[Finding]:
    calls = message.get("tool_calls")
    trace = subject.trace
    if not isinstance(calls, list) or not calls or trace is None:
        return
    if not trace.prints(f"messages[{index}].tool_calls"):
        yield Finding(
            _IDS[3],
            "warning",
            f"The tool calls of message {subject.number(index)} are not in the prompt.",
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

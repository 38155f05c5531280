"""Arguments of tool calls in a shape that the template does not expect: text for an object, an object for text."""

import json
from collections.abc import Iterator

from thinkpane.analysis.lint._api import Answers, Asked, Trial
from thinkpane.analysis.lint.findings import Finding, MessageEdit
from thinkpane.analysis.lint.subject import Subject
from thinkpane.analysis.lint.variants import arguments_edits, as_object, as_text, fix_of, with_edits
from thinkpane.formats.json_values import JsonValue

_IDS = (
    "arguments-string-but-template-needs-object",
    "arguments-double-encoded",
    "arguments-object-but-template-needs-text",
    "arguments-not-json",
)


def _ask(subject: Subject) -> Asked:
    messages = subject.messages()
    objects, texts = arguments_edits(messages, as_object), arguments_edits(messages, as_text)
    asked = {}
    if objects:
        asked["objects"] = with_edits(subject.request, objects)
        asked["texts"] = with_edits(subject.request, texts)
    elif texts and subject.problem is not None:
        asked["texts"] = with_edits(subject.request, texts)
    return asked


def _find(subject: Subject, answers: Answers) -> Iterator[Finding]:
    yield from _malformed(subject)
    objects, texts = answers.get("objects"), answers.get("texts")
    messages = subject.messages()
    if objects is not None and objects.text is not None:
        edits = arguments_edits(messages, as_object)
        if subject.problem is not None:
            yield _needs_object(subject, edits)
        elif texts is not None and texts.text is not None and not _alike(objects.text, texts.text):
            double = [edit for edit in edits if _escaped(subject, edit) in subject.text]
            yield _double(subject, tuple(double)) if double else _needs_object(subject, edits)
    elif subject.problem is not None and texts is not None and texts.text is not None:
        edits = arguments_edits(messages, as_text)
        yield Finding(
            _IDS[2],
            "error",
            f"The arguments of {_calls(subject, edits)} are an object, and the template needs JSON text: "
            f"{subject.problem.message}",
            "The template was written for OpenAI's form, in which arguments are text.",
            line=subject.problem.line,
            message_index=edits[0].index,
            fix=fix_of("Make JSON text of the arguments", edits),
        )


def _needs_object(subject: Subject, edits: tuple[MessageEdit, ...]) -> Finding:
    problem = subject.problem
    told = f": {problem.message}" if problem else ", which makes another prompt of it."
    return Finding(
        _IDS[0],
        "error" if problem else "warning",
        f"The arguments of {_calls(subject, edits)} are JSON text, and the template needs an object{told}",
        "OpenAI-style clients send arguments as text. vLLM and SGLang make an object of it before they render, "
        "transformers and llama.cpp's older versions do not.",
        line=problem.line if problem else _line(subject, edits[0]),
        message_index=edits[0].index,
        fix=fix_of("Make an object of the arguments", edits),
    )


def _double(subject: Subject, edits: tuple[MessageEdit, ...]) -> Finding:
    return Finding(
        _IDS[1],
        "warning",
        f"The arguments of {_calls(subject, edits)} are JSON text and are encoded once more, "
        "so that every quote is escaped.",
        "The model reads a text where it was trained on an object, and writes its own calls in the same way.",
        line=_line(subject, edits[0]),
        message_index=edits[0].index,
        fix=fix_of("Make an object of the arguments", edits),
    )


def _malformed(subject: Subject) -> Iterator[Finding]:
    for index, place, function in subject.calls():
        arguments = function.get("arguments")
        if not isinstance(arguments, str) or not arguments.strip():
            continue
        try:
            found = json.loads(arguments)
        except (ValueError, RecursionError):
            yield Finding(
                _IDS[3],
                "warning",
                f"The arguments of call {place + 1} in message {subject.number(index)} are no JSON.",
                "Servers that make an object of them refuse the request; others print them as they stand.",
                message_index=index,
            )
            continue
        if isinstance(found, str):
            edits = arguments_edits([each for each in subject.messages() if each[0] == index], _decoded)
            yield Finding(
                _IDS[1],
                "warning",
                f"The arguments of call {place + 1} in message {subject.number(index)} are JSON text "
                "inside of JSON text.",
                "They were encoded twice on their way here; the model reads escaped quotes.",
                message_index=index,
                fix=fix_of("Decode the arguments once", edits),
            )


def _decoded(arguments: JsonValue) -> JsonValue:
    if isinstance(arguments, str):
        try:
            found = json.loads(arguments)
        except (ValueError, RecursionError):
            return arguments
        if isinstance(found, str):
            return found
    return arguments


def _alike(one: str, other: str) -> bool:
    """Whether two prompts differ in white space alone: JSON may be written with or without it."""
    return "".join(one.split()) == "".join(other.split())


def _escaped(subject: Subject, edit: MessageEdit) -> str:
    text = subject.value_at(_path(edit))
    return json.dumps(text, ensure_ascii=False)[1:-1] if isinstance(text, str) and '"' in text else "\0"


def _path(edit: MessageEdit) -> str:
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in edit.path)
    return f"messages[{edit.index}]{steps}"


def _line(subject: Subject, edit: MessageEdit) -> int | None:
    owners = subject.trace.owners if subject.trace else None
    spans = subject.trace.spans_of(_path(edit)) if subject.trace else []
    return (owners.line_at(spans[0][0]) or None) if owners and spans else None


def _calls(subject: Subject, edits: tuple[MessageEdit, ...]) -> str:
    indexes = list(dict.fromkeys(subject.number(edit.index) for edit in edits))
    return f"message {indexes[0]}" if len(indexes) == 1 else f"messages {', '.join(map(str, indexes))}"


CHECK = Trial("tool-arguments", _IDS, _find, _ask)

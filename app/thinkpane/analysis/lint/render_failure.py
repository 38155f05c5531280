"""Why the render fails, tried out: which change of the conversation makes the template take it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from thinkpane.analysis.lint._api import Answers, Asked, Trial
from thinkpane.analysis.lint.findings import Finding, MessageEdit
from thinkpane.analysis.lint.subject import Subject, all_text, text_of
from thinkpane.analysis.lint.variants import arguments_edits, fix_of, with_edits
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

_Messages = list[tuple[int, JsonObject]]
_Edits = tuple[MessageEdit, ...]


class _Cure(NamedTuple):
    """A change to try. id, words, why: of the finding, where it is what helps. title: of its fix."""

    id: str
    edits: Callable[[_Messages], _Edits]
    words: str
    why: str
    title: str


def _texts(messages: _Messages) -> _Edits:
    return tuple(
        MessageEdit(index, ("content",), text_of(content))
        for index, message in messages
        if all_text(content := message.get("content"))
    )


def _parts(messages: _Messages) -> _Edits:
    return tuple(
        MessageEdit(index, ("content",), [{"type": "text", "text": content}])
        for index, message in messages
        if isinstance(content := message.get("content"), str)
    )


def _nulls(messages: _Messages) -> _Edits:
    return tuple(MessageEdit(index, ("content",), "") for index, message in messages if message.get("content") is None)


def _no_arguments(messages: _Messages) -> _Edits:
    return arguments_edits(messages, lambda arguments: {} if arguments in (None, "") else arguments)


def _merged(messages: _Messages) -> _Edits:
    """Messages of one role in a row as one."""
    edits: list[MessageEdit] = []
    run: list[tuple[int, JsonObject]] = []
    for index, message in [*messages, (-1, {})]:
        mergeable = run and message.get("role") == run[0][1].get("role") and message.get("role") != "tool"
        if mergeable and isinstance(message.get("content"), str) and not message.get("tool_calls"):
            run.append((index, message))
            continue
        if len(run) > 1:
            text = "\n\n".join(str(each.get("content")) for _, each in run)
            edits.append(MessageEdit(run[0][0], ("content",), text))
            edits += [MessageEdit(number, delete=True) for number, _ in run[1:]]
        run = [(index, message)] if isinstance(message.get("content"), str) else []
    return tuple(edits)


def _system_in_user(messages: _Messages) -> _Edits:
    """A system message at the start, put before the first user message's text."""
    if len(messages) < 2 or messages[0][1].get("role") not in ("system", "developer"):
        return ()
    (first, system), (second, user) = messages[:2]
    texts: list[JsonValue] = [system.get("content"), user.get("content")]
    if user.get("role") != "user" or not all(isinstance(text, str) for text in texts):
        return ()
    return (MessageEdit(second, ("content",), f"{texts[0]}\n\n{texts[1]}"), MessageEdit(first, delete=True))


def _developers(messages: _Messages) -> _Edits:
    return tuple(
        MessageEdit(index, ("role",), "system") for index, message in messages if message.get("role") == "developer"
    )


_REFUSED = "Servers that render with this template answer such a conversation with an error."
_CURES = (
    _Cure(
        "null-content-but-template-needs-text",
        _nulls,
        "has no content, and the template needs a text",
        "OpenAI-style replies with tool calls have null content; the template does not foresee it.",
        "Put an empty text in its place",
    ),
    _Cure(
        "empty-arguments-but-template-needs-object",
        _no_arguments,
        "calls a tool without arguments, and the template needs an object",
        "Clients send null or an empty text for “no arguments”; the template does not foresee it.",
        "Put an empty object in their place",
    ),
    _Cure(
        "parts-but-template-needs-text",
        _texts,
        "has a list of parts as content, and the template needs a text",
        "Some servers make a text of the parts before they render, others do not.",
        "Make one text of the parts",
    ),
    _Cure(
        "text-but-template-needs-parts",
        _parts,
        "has a text as content, and the template needs a list of parts",
        "Some servers make parts of the text before they render, others do not.",
        "Make a list of one part of each text",
    ),
    _Cure(
        "developer-role-refused",
        _developers,
        "has the role “developer”, which the template refuses",
        _REFUSED,
        "Make a system message of it",
    ),
    _Cure(
        "system-role-refused",
        _system_in_user,
        "is a system message, which the template refuses",
        _REFUSED,
        "Put its text before the first user message's",
    ),
    _Cure(
        "roles-must-alternate",
        _merged,
        "has the same role as the next, and the template wants them to alternate",
        _REFUSED,
        "Make one message of those in a row",
    ),
)
_EMPTY = ("tools", "documents")
_GENERAL = ("template-syntax", "template-refuses-conversation", "render-fails")


def _ask(subject: Subject) -> Asked:
    if subject.problem is None or not subject.facts:
        return {}
    tried = {cure.id: cure.edits(subject.messages()) for cure in _CURES}
    asked = {id: with_edits(subject.request, edits) for id, edits in tried.items() if edits}
    if subject.request.tools is None:
        asked["tools"] = replace(subject.request, tools=[])
    if subject.request.documents is None:
        asked["documents"] = replace(subject.request, documents=[])
    return asked


def _find(subject: Subject, answers: Answers) -> Iterator[Finding]:
    problem = subject.problem
    if problem is None or (not subject.given and subject.facts):
        return
    for cure in _CURES:
        answer = answers.get(cure.id)
        if answer is not None and answer.text is not None:
            edits = cure.edits(subject.messages())
            index = min(edit.index for edit in edits)
            at = problem.message_index
            yield Finding(
                cure.id,
                "error",
                f"Message {subject.number(index)} {cure.words}: {problem.message}",
                cure.why,
                line=problem.line,
                message_index=at if at is not None and at in {edit.index for edit in edits} else index,
                fix=fix_of(cure.title, edits),
            )
            return
    for name in _EMPTY:
        answer = answers.get(name)
        if answer is not None and answer.text is not None:
            yield Finding(
                f"{name}-needed",
                "error",
                f"The template goes through “{name}”, and none are given: {problem.message}",
                "It was written for requests that bring some; models often have another template for the rest.",
                line=problem.line,
                name=name,
            )
            return
    yield Finding(
        _general(subject, problem),
        "error",
        problem.message,
        "There is no prompt until this is put right; a server answers with an error.",
        line=problem.line,
        message_index=problem.message_index,
        name=problem.field,
    )


def _general(subject: Subject, problem: Problem) -> str:
    if not subject.facts and problem.kind == "template":
        return _GENERAL[0]
    if problem.detail.get("class") != "TemplateError":
        return _GENERAL[2]
    return "roles-must-alternate" if "alternat" in problem.message.lower() else _GENERAL[1]


_IDS = (*(cure.id for cure in _CURES), *(f"{name}-needed" for name in _EMPTY), *_GENERAL)
CHECK = Trial("render-failure", _IDS, _find, _ask)

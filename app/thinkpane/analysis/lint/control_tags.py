"""Control tags in messages that the template does not see, takes out of other text, or leaves for the model to read."""

import re
from collections.abc import Iterator

from thinkpane.analysis.lint._api import Answers, Asked, Trial
from thinkpane.analysis.lint.findings import Finding, Fix, MessageEdit
from thinkpane.analysis.lint.subject import Subject, all_text, text_of
from thinkpane.analysis.lint.variants import with_edits
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue

_IDS = ("control-tag-in-parts", "control-tag-stripped-from-text", "control-tag-stays-visible")
_TAG = re.compile(r"[\[{/@#(]\S{1,60}|\S{1,60}[\]})]")
_MOST = 8


def _tags(subject: Subject) -> list[str]:
    """The tags that the template looks for in messages; what stands in angle brackets is markup, no control."""
    names = dict.fromkeys(each.name for each in subject.of_kind("tested", "gated"))
    return [name for name in names if _TAG.fullmatch(name) and not name.startswith("<")]


def _in_parts(subject: Subject) -> list[tuple[int, str]]:
    found = [
        (index, tag)
        for index, message in subject.messages()
        if isinstance(content := message.get("content"), list)
        for tag in _tags(subject)
        if tag.lower() in text_of(content).lower()
    ]
    return found[:_MOST]


def _ask(subject: Subject) -> Asked:
    asked: dict[str, RenderRequest] = {}
    for index, tag in _in_parts(subject):
        content = dict(subject.messages())[index].get("content")
        text = text_of(content)
        for label, value in (
            ("text", text),
            ("bare text", _without(text, tag)),
            ("bare parts", _without(content, tag)),
        ):
            asked[f"{label} {index} {tag}"] = with_edits(subject.request, (MessageEdit(index, ("content",), value),))
    return asked


def _find(subject: Subject, answers: Answers) -> Iterator[Finding]:
    for index, tag in _in_parts(subject):
        seen, unseen, bare = (answers[f"{label} {index} {tag}"].text for label in ("text", "bare text", "bare parts"))
        works = seen is not None and not _alike(seen, unseen, tag)
        if works and subject.trace is not None and _alike(subject.text, bare, tag):
            yield _unseen(subject, index, tag)
    for index, message in subject.messages():
        text = text_of(message.get("content"))
        for tag in _tags(subject):
            if tag in text:
                yield from _of_text(subject, index, text, tag)


def _unseen(subject: Subject, index: int, tag: str) -> Finding:
    content = dict(subject.messages())[index].get("content")
    plain = all_text(content)
    edit = MessageEdit(index, ("content",), text_of(content))
    return Finding(
        _IDS[0],
        "warning",
        f"{tag} in message {subject.number(index)} is not seen, because the content is a list of parts.",
        "The template looks for the tag in plain text only; here it does nothing and the model may read it.",
        message_index=index,
        token=tag,
        line=_line(subject, tag),
        fix=Fix("Make one text of the parts", messages=(edit,)) if plain else None,
    )


def _of_text(subject: Subject, index: int, text: str, tag: str) -> Iterator[Finding]:
    if subject.trace is None:
        return
    removed = any(fact.name == tag for fact in subject.of_kind("replaced"))
    kept = any(tag in subject.text[start:end] for start, end in subject.trace.spans_of(f"messages[{index}].content"))
    embedded = re.search(rf"[\w)\]]{re.escape(tag)}|{re.escape(tag)}\w", text) if not tag[0].isalnum() else None
    if removed and not kept and embedded:
        yield Finding(
            _IDS[1],
            "warning",
            f"“{embedded[0]}” in message {subject.number(index)} is taken for the control tag {tag} "
            "and cut out of the text.",
            "It stands in the middle of a word or of code, so that it is most likely no control: the model reads a "
            "changed text, and the mode may have switched.",
            message_index=index,
            token=tag,
            line=_line(subject, tag),
        )
    elif kept:
        yield Finding(
            _IDS[2],
            "note",
            f"{tag} in message {subject.number(index)} stays in the prompt, where the model reads it.",
            "The template obeys the tag and does not take it out.",
            message_index=index,
            token=tag,
            line=_line(subject, tag),
        )


def _line(subject: Subject, tag: str) -> int | None:
    return next((each.line for each in subject.of_kind("tested") if each.name == tag), None)


def _without(content: JsonValue, tag: str) -> JsonValue:
    if isinstance(content, str):
        return re.sub(re.escape(tag), "", content, flags=re.IGNORECASE)
    if isinstance(content, list):
        return [_without(part, tag) for part in content]
    if isinstance(content, dict) and "text" in content:
        return {**content, "text": _without(content["text"], tag)}
    return content


def _alike(one: str | None, other: str | None, tag: str) -> bool:
    """Whether two prompts differ in the tag and in white space alone."""
    if one is None or other is None:
        return one == other
    first, second = (re.sub(re.escape(tag), "", each, flags=re.IGNORECASE) for each in (one, other))
    return "".join(first.split()) == "".join(second.split())


CHECK = Trial("control-tags", _IDS, _find, _ask)

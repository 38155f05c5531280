"""The file form of a document: `name.thinkpane.json`.

One JSON object: "thinkpane" (the form's version, 1), "template", "template_name", "messages", "tools", "documents",
"variables", "steps", "profile", "endpoint" (a name), "path", "model", "params". "template" is a REF, or, with an
edited text, an object of its own (templates/edited.py). `messages`, `tools` and `documents` are exactly what is sent,
so the file is a valid OpenAI-style body too. What is kept but not sent stands beside them:

    "excluded_messages", "disabled_tools", "disabled_documents": [{"at": place in the whole list, "value": …}]
    "parked_messages": the messages while `messages` is one raw text
    "parked_text": the raw text while `messages` is a list
    "body": keys of the request body that are none of ours
    "drafts": texts that are not applied yet, by place (workspace/drafts.py)
    "kept_edits": edited texts of templates that the document had before, as "template" has one

Every other key is kept and written back. A file without "thinkpane" is read as a plain OpenAI-style body.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from thinkpane.conversation.conversation import Conversation, conversation_from_body
from thinkpane.conversation.messages import Message
from thinkpane.conversation.tools import ContextDocument, Tool
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.strict_json import dump, parse_bytes
from thinkpane.templates.edited import (
    EditedTemplate,
    KeptEdit,
    edited_from_json,
    edited_to_json,
    kept_from_json,
    kept_to_json,
)
from thinkpane.workspace.atomic_file import read_file, write_atomically
from thinkpane.workspace.state import DocumentState

VERSION = 1
SUFFIX = ".thinkpane.json"
_TEXTS = ("template_name", "profile", "endpoint", "path", "model", "brought_model")
_OBJECTS = ("variables", "steps", "params")
_BODY = ("messages", "tools", "documents")
_BESIDE = ("excluded_messages", "disabled_tools", "disabled_documents", "parked_messages", "parked_text", "body")
Kept = TypeVar("Kept", Message, Tool, ContextDocument)


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """What a file held. digest: of its bytes. is_foreign: it is no document of ours but a plain body."""

    state: DocumentState
    digest: str
    is_foreign: bool


def read_document_file(path: Path) -> DocumentFile:
    """The document in a file, or the body. Raises ThinkpaneError (kind "file" or "json"), naming file and place."""
    data = read_file(path)
    try:
        value = parse_bytes(data)
        is_ours = isinstance(value, dict) and "thinkpane" in value
        return DocumentFile(document_from_json(value), _digest(data), not is_ours)
    except ThinkpaneError as fault:
        old = fault.problem
        sentence = f"{path.name} is no document: {old.message}"
        raise ThinkpaneError(
            Problem(old.kind, sentence, old.line, old.column, old.message_index, old.field, {"path": str(path)})
        ) from None


def read_document(path: Path) -> DocumentState:
    """The state in a file, as `read_document_file` reads it."""
    return read_document_file(path).state


def write_document(path: Path, state: DocumentState) -> str:
    """Writes a document, whole or not at all, readable as the umask says; gives the digest of what was written.

    Raises ThinkpaneError (kind "file").
    """
    data = (dump(document_to_json(state)) + "\n").encode("utf-8")
    write_atomically(path, data, mode=0o666)
    return _digest(data)


def file_digest(path: Path) -> str:
    """The digest of what a file holds now, "" where it cannot be read."""
    try:
        return _digest(read_file(path))
    except ThinkpaneError:
        return ""


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def document_to_json(state: DocumentState) -> JsonObject:
    """The file's object for a document. Keys that say nothing are left out, the main ones always stand there."""
    talk = state.conversation
    found: JsonObject = {"thinkpane": VERSION, "template": state.template}
    if state.edited is not None:
        found["template"] = edited_to_json(state.template, state.edited)
    _add(found, "template_name", state.template_name)
    found["messages"] = talk.messages_value()
    found["tools"] = talk.tools_value() or []
    found["documents"] = talk.documents_value() or []
    for name in _OBJECTS:
        found[name] = dict(getattr(state, name))
    found |= {"profile": state.profile, "endpoint": state.endpoint, "path": state.path}
    _add(found, "model", state.model)
    _add(found, "brought_model", state.brought_model)
    _add(found, "excluded_messages", _unsent(talk.messages, lambda each: each.excluded, lambda each: dict(each.data)))
    _add(found, "disabled_tools", _unsent(talk.tools, lambda each: not each.enabled, lambda each: dict(each.data)))
    _add(found, "disabled_documents", _unsent(talk.documents, lambda each: not each.enabled, lambda each: each.data))
    if talk.raw_text is not None:
        _add(found, "parked_messages", [dict(each.data) for each in talk.sent_messages])
    _add(found, "parked_text", talk.parked_text)
    _add(found, "body", dict(talk.extra))
    _add(found, "drafts", dict(state.drafts))
    _add(found, "kept_edits", [kept_to_json(each) for each in state.kept_edits])
    return found | {key: value for key, value in state.extra.items() if key not in found}


def document_from_json(value: JsonValue) -> DocumentState:
    """The document that a file's object, or a plain body, describes. Raises ThinkpaneError (kind "json")."""
    if not isinstance(value, dict) or "thinkpane" not in value:
        return _from_body(value)
    version = value["thinkpane"]
    if version != VERSION or isinstance(version, bool):
        raise _wrong(f"“thinkpane” is {dump(version, indent=None)}, and this program reads form {VERSION}.")
    blank = DocumentState()
    known = {"thinkpane", "template", "drafts", "kept_edits", *_TEXTS, *_OBJECTS, *_BODY, *_BESIDE}
    path = _text(value, "path", blank.path)
    if path not in ("raw", "chat"):
        raise _wrong("“path” must be “raw” or “chat”.")
    template, edited = _template(value, blank.template)
    return DocumentState(
        template=template,
        edited=edited,
        template_name=_text(value, "template_name"),
        conversation=_conversation(value),
        variables=_object(value, "variables"),
        steps=_object(value, "steps"),
        profile=_text(value, "profile", blank.profile),
        endpoint=_text(value, "endpoint", blank.endpoint),
        path=path,
        model=_text(value, "model"),
        brought_model=_text(value, "brought_model"),
        params=_object(value, "params"),
        extra={key: each for key, each in value.items() if key not in known},
        drafts=_drafts(value),
        kept_edits=_kept_edits(value),
    )


def _template(value: JsonObject, default: str) -> tuple[str, EditedTemplate | None]:
    found = value.get("template")
    return edited_from_json(found) if isinstance(found, dict) else (_text(value, "template", default), None)


def _from_body(value: JsonValue) -> DocumentState:
    """A plain body; its model goes where the window shows it, all else stays with the body (body_sampling.py)."""
    talk = conversation_from_body(value)
    extra = dict(talk.extra)
    model = extra.pop("model") if isinstance(extra.get("model"), str) else ""
    found = Conversation(talk.messages, talk.tools, talk.documents, talk.raw_text, extra=extra)
    return DocumentState(conversation=found, model=str(model), brought_model=str(model))


def _conversation(value: JsonObject) -> Conversation:
    sent = conversation_from_body({"messages": []} | {name: value[name] for name in _BODY if name in value})
    messages = sent.messages
    if sent.raw_text is not None and "parked_messages" in value:
        messages = conversation_from_body({"messages": value["parked_messages"]}).messages
    return Conversation(
        messages=_whole(value, "excluded_messages", messages, _excluded_message),
        tools=_whole(value, "disabled_tools", sent.tools, _disabled_tool),
        documents=_whole(value, "disabled_documents", sent.documents, _disabled_document),
        raw_text=sent.raw_text,
        parked_text=_text(value, "parked_text"),
        extra=_object(value, "body"),
    )


def _excluded_message(value: JsonValue) -> Message:
    if not isinstance(value, dict):
        raise _wrong("An entry of “excluded_messages” holds no message object.")
    return Message(value, excluded=True)


def _disabled_tool(value: JsonValue) -> Tool:
    if not isinstance(value, dict):
        raise _wrong("An entry of “disabled_tools” holds no tool object.")
    return Tool(value, enabled=False)


def _disabled_document(value: JsonValue) -> ContextDocument:
    return ContextDocument(value, enabled=False)


def _unsent(items: Sequence[Kept], is_unsent: Callable[[Kept], bool], data: Callable[[Kept], JsonValue]) -> JsonValue:
    return [{"at": place, "value": data(each)} for place, each in enumerate(items) if is_unsent(each)]


def _whole(value: JsonObject, name: str, sent: Sequence[Kept], make: Callable[[JsonValue], Kept]) -> tuple[Kept, ...]:
    """The whole list: what is sent, with the unsent ones put in at the places they had."""
    entries = value.get(name, [])
    if not isinstance(entries, list):
        raise _wrong(f"“{name}” must be a list.")
    found = list(sent)
    for entry in entries:
        at = entry.get("at") if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or not isinstance(at, int) or isinstance(at, bool) or "value" not in entry:
            raise _wrong(f"Each entry of “{name}” must be an object with “at” (a whole number) and “value”.")
        found.insert(max(0, at), make(entry["value"]))
    return tuple(found)


def _add(found: JsonObject, name: str, value: JsonValue) -> None:
    if value:
        found[name] = value


def _text(value: Mapping[str, JsonValue], name: str, default: str = "") -> str:
    found = value.get(name, default)
    if not isinstance(found, str):
        raise _wrong(f"“{name}” must be text.")
    return found


def _drafts(value: JsonObject) -> dict[str, str]:
    found = _object(value, "drafts")
    texts = {name: text for name, text in found.items() if isinstance(text, str)}
    if len(texts) != len(found):
        raise _wrong("“drafts” must hold texts.")
    return texts


def _kept_edits(value: JsonObject) -> tuple[KeptEdit, ...]:
    found = value.get("kept_edits", [])
    if not isinstance(found, list):
        raise _wrong("“kept_edits” must be a list.")
    return tuple(kept_from_json(each) for each in found)


def _object(value: Mapping[str, JsonValue], name: str) -> JsonObject:
    found = value.get(name, {})
    if not isinstance(found, dict):
        raise _wrong(f"“{name}” must be an object.")
    return found


def _wrong(sentence: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("json", sentence))

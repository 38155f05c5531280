"""Texts that are not applied yet: they belong to the document's unsaved work, and come back with its file."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, message
from thinkpane.conversation.tools import ContextDocument, Tool
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.workspace.autosave import Autosave, claim_leftovers
from thinkpane.workspace.document import Document
from thinkpane.workspace.document_file import document_from_json, read_document
from thinkpane.workspace.drafts import WHOLE, DraftPlace, draft_pane, draft_words
from thinkpane.workspace.state import DocumentState

CALL: JsonObject = {"id": "c", "type": "function", "function": {"name": "f", "arguments": {}}}
TALK = Conversation(
    messages=(
        message("user", "text"),
        Message({"role": "user", "content": [{"type": "odd"}]}),
        Message({"role": "assistant", "content": {"odd": 1}, "tool_calls": [CALL]}),
    ),
    tools=(Tool({"name": "a"}), Tool({"name": "b"})),
    documents=(ContextDocument({"text": "d"}),),
)
NAMED = {
    "json": "{oops",
    "tools[1]": "[",
    "documents[0]": "{",
    "messages[1].content[0]": "}",
    "messages[2].content": "x",
    "messages[2].tool_calls[0].arguments": '{"a": }',
}


def document_with_drafts() -> Document:
    document = Document()
    document.new(DocumentState(conversation=TALK, drafts=NAMED))
    return document


def test_a_draft_is_unsaved_work_until_it_is_forgotten() -> None:
    document = Document(DocumentState(conversation=TALK))
    heard: list[frozenset[str]] = []
    document.listen(lambda change: heard.append(change.parts))
    place = DraftPlace("tools", TALK.tools[1].key)
    document.drafts.put(place, "{oops")
    seen = [document.is_modified]
    assert not document.can_undo
    assert document.draft_texts == {"tools[1]": "{oops"}
    document.drafts.put(place, None)
    seen.append(document.is_modified)
    assert seen == [True, False]
    assert heard == [frozenset({"drafts"})] * 2


def test_they_are_saved_with_the_document_and_opened_again(tmp_path: Path) -> None:
    document = document_with_drafts()
    path = tmp_path / "a.thinkpane.json"
    document.save_as(path)
    assert not document.is_modified
    assert json.loads(path.read_text())["drafts"] == NAMED
    fresh = Document()
    fresh.open(path)
    assert fresh.draft_texts == NAMED
    assert fresh.state.drafts == {}
    assert not fresh.is_modified
    fresh.drafts.put(DraftPlace(WHOLE), None)
    assert fresh.is_modified


def test_the_autosave_holds_them(tmp_path: Path) -> None:
    document = Document(DocumentState(conversation=TALK))
    autosave = Autosave(document, tmp_path, delay=0.0)
    try:
        document.drafts.put(DraftPlace(WHOLE), '{"messages": [')
        assert autosave.flush()
        assert autosave._lock is not None
        autosave._lock.let_go()
        found = claim_leftovers(tmp_path)
        assert [each.state and each.state.drafts for each in found] == [{"json": '{"messages": ['}]
        assert found[0].size > 0
    finally:
        autosave.close()


def test_names_follow_their_items_and_wait_while_those_are_gone() -> None:
    document = document_with_drafts()
    state = document.state
    gone = replace(state, conversation=edits.set_tools(state.conversation, state.conversation.tools[1:]))
    document.change(gone, ["tools"], "test", "Delete")
    assert "tools[0]" in document.draft_texts
    none = replace(state, conversation=edits.set_tools(state.conversation, ()))
    document.change(none, ["tools"], "test", "Delete")
    assert not any(name.startswith("tools") for name in document.draft_texts)
    document.undo()
    document.undo()
    assert document.draft_texts == NAMED


def test_another_document_has_its_own() -> None:
    document = document_with_drafts()
    document.new()
    assert document.draft_texts == {}
    assert not document.is_modified


@pytest.mark.parametrize(
    ("name", "pane", "words"),
    [
        ("json", ("json", 0), "the JSON tab"),
        ("tools[1]", ("tools", 1), "tool 2"),
        ("messages[2].content", ("messages", 2), "message 3"),
        ("messages[1].content[0]", ("messages", 1), "part 1 of message 2"),
        ("messages[2].tool_calls[0].arguments", ("messages", 2), "the arguments of call 1 in message 3"),
    ],
)
def test_where_one_stands_in_words(name: str, pane: tuple[str, int], words: str) -> None:
    assert (draft_pane(name), draft_words(name)) == (pane, words)


@pytest.mark.parametrize("name", ["tools[9]", "messages[0].content", "messages[0].content[0]", "nonsense", "tools[x]"])
def test_places_that_are_not_there_are_passed_over(name: str) -> None:
    document = Document()
    document.new(DocumentState(conversation=TALK, drafts={name: "x"}))
    assert document.draft_texts == {}


def test_drafts_of_a_file_must_be_texts() -> None:
    with pytest.raises(ThinkpaneError, match="drafts"):
        document_from_json({"thinkpane": 1, "drafts": {"json": 1}})


def test_a_file_knows_whether_it_is_ours_and_whether_it_was_changed(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_text('{"messages": []}')
    document = Document()
    document.open(path)
    seen = [(document.is_foreign, document.is_changed_on_disk)]
    path.write_text('{"messages": [], "n": 1}')
    seen.append((document.is_foreign, document.is_changed_on_disk))
    document.save()
    seen.append((document.is_foreign, document.is_changed_on_disk))
    assert read_document(path).conversation == document.state.conversation
    path.unlink()
    seen.append((document.is_foreign, document.is_changed_on_disk))
    assert seen == [(True, False), (True, True), (False, False), (False, False)], "a file that is gone is no other one"

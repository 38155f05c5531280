"""The file form: nothing of a document is lost, `messages` stays a valid body, faults are told in one sentence."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.conversations import CONVERSATIONS, VALUES
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, message
from thinkpane.conversation.tools import ContextDocument, Tool
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.formats.strict_json import dump, parse
from thinkpane.templates.edited import EditedTemplate
from thinkpane.workspace.body_sampling import given_params
from thinkpane.workspace.document_file import document_from_json, document_to_json, read_document, write_document
from thinkpane.workspace.state import DocumentState

FULL = DocumentState(
    template="protium-1.0",
    template_name="tool_use",
    conversation=Conversation(
        messages=(
            message("system", "s"),
            Message({"role": "user", "content": "draft"}, excluded=True),
            message("user"),
        ),
        tools=(Tool({"type": "function", "function": {"name": "off"}}, enabled=False), Tool({"name": "on"})),
        documents=(ContextDocument({"title": "t", "text": "x"}), ContextDocument("loose", enabled=False)),
        extra={"user": "u"},
    ),
    variables={"enable_thinking": False},
    steps={"locale": {"on": True}},
    profile="plain",
    endpoint="my server",
    path="chat",
    model="glm",
    params={"temperature": 0.7},
    extra={"note": {"from": "a colleague"}},
)


def test_document_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.thinkpane.json"
    write_document(path, FULL)
    assert read_document(path) == FULL


def test_edited_template_comes_back_to_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.thinkpane.json"
    edited = EditedTemplate("{{ x }}\r\n\u00a0\u2028\r", {"bos_token": "<s>"}, ("<s>",), {"kept": True})
    for ref in ("chatml", ""):
        state = replace(FULL, template=ref, edited=edited)
        write_document(path, state)
        assert read_document(path) == state
    assert document_to_json(FULL)["template"] == "protium-1.0"


def test_messages_and_tools_of_the_file_are_what_is_sent() -> None:
    found = document_to_json(FULL)
    assert found["thinkpane"] == 1
    assert found["messages"] == [{"role": "system", "content": "s"}, {"role": "user", "content": ""}]
    assert found["tools"] == [{"name": "on"}]
    assert found["excluded_messages"] == [{"at": 1, "value": {"role": "user", "content": "draft"}}]
    assert found["note"] == {"from": "a colleague"}


@settings(max_examples=60, deadline=None)
@given(CONVERSATIONS, st.dictionaries(st.sampled_from(["a", "b"]), VALUES))
def test_any_conversation_survives_the_file(talk: Conversation, variables: JsonObject) -> None:
    state = DocumentState(conversation=talk, variables=variables)
    text = dump(document_to_json(state))
    text.encode("utf-8")
    again = document_from_json(parse(text))
    assert again == state
    assert dump(document_to_json(again)) == text


def test_raw_text_and_the_messages_under_it_are_both_kept() -> None:
    talk = replace(FULL.conversation, raw_text="one text")
    found = document_to_json(replace(FULL, conversation=talk))
    assert found["messages"] == "one text"
    assert document_from_json(found).conversation == talk


def test_plain_body_is_opened_too(tmp_path: Path) -> None:
    path = tmp_path / "body.json"
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}], "temperature": 0, "seed": 3, "stream": True}
    path.write_text(json.dumps(body), encoding="utf-8")
    state = read_document(path)
    assert state.model == "m"
    assert state.params == {}
    assert given_params(state) == {"temperature": 0, "seed": 3}
    assert state.conversation.extra == {"temperature": 0, "seed": 3, "stream": True}
    assert document_from_json(document_to_json(state)) == state
    assert state.conversation.messages[0].text == "x"
    path.write_text(json.dumps(body["messages"]), encoding="utf-8")
    assert read_document(path).conversation.messages[0].text == "x"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"thinkpane": 1,\n "messages": [}', "bad.json is no document: Not JSON: expecting value (line 2, column 15)"),
        ('{"thinkpane": 2}', "“thinkpane” is 2"),
        ('{"thinkpane": 1, "messages": 3}', "“messages” must be a list"),
        ('{"thinkpane": 1, "messages": [3]}', "Message 1 is not an object"),
        ('{"thinkpane": 1, "template": 3}', "“template” must be text"),
        ('{"thinkpane": 1, "params": []}', "“params” must be an object"),
        ('{"thinkpane": 1, "path": "air"}', "“path” must be"),
        ('{"thinkpane": 1, "disabled_tools": {}}', "“disabled_tools” must be a list"),
        ('{"thinkpane": 1, "excluded_messages": [{"at": true, "value": {}}]}', "“at” (a whole number)"),
        ('{"thinkpane": 1, "excluded_messages": [{"at": 0, "value": 1}]}', "no message object"),
        ('{"thinkpane": 1, "disabled_tools": [{"at": 0, "value": 1}]}', "no tool object"),
        ('{"hello": 1}', "has no “messages”"),
        ("3", "must be an object"),
        ("", "There is no JSON here"),
    ],
)
def test_fault_is_one_sentence_with_the_file(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ThinkpaneError) as caught:
        read_document(path)
    assert words in caught.value.problem.message
    assert caught.value.problem.message.startswith("bad.json")


def test_missing_file_and_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(ThinkpaneError, match=r"gone\.json could not be read: No such file"):
        read_document(tmp_path / "gone.json")
    with pytest.raises(ThinkpaneError, match="could not be read"):
        read_document(tmp_path)


def test_failed_write_leaves_the_old_file_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.thinkpane.json"
    write_document(path, FULL)
    before = path.read_bytes()

    def full_disk(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(ThinkpaneError, match="could not be written: No space left"):
        write_document(path, DocumentState())
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX")
def test_permissions_and_links_are_kept(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    real.write_text("{}")
    real.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(real)
    write_document(link, FULL)
    assert link.is_symlink()
    assert read_document(real) == FULL
    assert real.stat().st_mode & 0o777 == 0o640

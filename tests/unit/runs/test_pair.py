"""Which endpoints have both paths, and how two runs are told to be a pair."""

from pathlib import Path

import pytest

from support.runs import CALL, seen_to_its_end
from support.server import Server, answer, chat_stream
from thinkpane.endpoints.client import Client
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.profile import DEMO, Endpoint
from thinkpane.endpoints.recording import read_recording
from thinkpane.errors import ThinkpaneError
from thinkpane.runs.journal import Journal
from thinkpane.runs.pair import STEADY, pair_dialects, places
from thinkpane.runs.runner import Runner

HERE = "http://127.0.0.1:8080"


@pytest.mark.parametrize(
    ("dialect", "chat", "raw"),
    [
        ("openai-chat", "openai-chat", "openai-completions"),
        ("openai-completions", "openai-chat", "openai-completions"),
        ("llamacpp", "openai-chat", "llamacpp"),
        ("ollama", "ollama", "ollama-generate"),
        ("openai-responses", "openai-responses", "openai-completions"),
    ],
)
def test_both_paths(dialect: str, chat: str, raw: str) -> None:
    found = pair_dialects(Endpoint("e", dialect, HERE))
    assert (found["chat"].name, found["raw"].name) == (chat, raw)


@pytest.mark.parametrize(
    ("endpoint", "why"),
    [
        (Endpoint("e", "anthropic", HERE), "has no raw path"),
        (Endpoint("e", DEMO, ""), "replays recordings"),
        (Endpoint("e", "openai-chat", "https://api.groq.com/openai/v1"), "Groq takes no raw prompts"),
        (Endpoint("e", "openai-chat", HERE, variant="ollama"), "takes no raw prompts"),
    ],
)
def test_one_path_only_is_said_in_one_sentence(endpoint: Endpoint, why: str) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        pair_dialects(endpoint)
    problem = caught.value.problem
    assert problem.kind == "path"
    assert problem.message.startswith("Chat and raw cannot be run side by side here: ")
    assert why in problem.message
    assert problem.message.count(". ") == 0


def test_a_person_may_know_better() -> None:
    endpoint = Endpoint("e", "openai-chat", "https://api.groq.com/openai/v1", variant_edits={"raw": True})
    assert pair_dialects(endpoint)["raw"].name == "openai-completions"


def test_two_places_of_one_pair() -> None:
    chat, raw = places(STEADY)
    assert (chat.path, raw.path, chat.id == raw.id) == ("chat", "raw", True)
    assert chat.label != raw.label
    assert chat.params == {"temperature": 0, "seed": 1}
    assert places({})[0].id != chat.id


def test_the_journals_say_which_runs_are_a_pair(tmp_path: Path) -> None:

    journal = Journal(tmp_path)
    runner = Runner(Client, journal)
    chat, _raw = places({})
    try:
        with Server([answer(chat_stream())]) as server:
            endpoint = Endpoint("e", "openai-chat", server.url)
            run = runner.start(endpoint, dialect_named("openai-chat"), CALL, label=chat.label, pair=chat.id)
            seen_to_its_end(run)
    finally:
        runner.close()
    assert run.pair == chat.id
    header = read_recording(journal.files()[0].read_bytes()).header
    assert header.extra["pair"] == chat.id
    assert (header.label, header.path) == ("Chat: the server's template", "chat")

"""What an earlier run sent goes out again as it was, or one sentence says why it cannot."""

from dataclasses import replace
from pathlib import Path

import pytest

from support.runs import CHAT, endpoint_at, seen_to_its_end
from support.server import Server, answer, chat_stream
from thinkpane.endpoints.client import Client
from thinkpane.endpoints.dialects._api import DEFAULT_LIMITS, Call, DecodeOptions, Dialect
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.runs.journal import Journal
from thinkpane.runs.pair import STEADY, PairPlace
from thinkpane.runs.past import past_runs, read_past
from thinkpane.runs.repeating import repeated
from thinkpane.runs.run import Run
from thinkpane.runs.runner import Runner

PLACE = PairPlace("chat", params=STEADY)
PICTURE: JsonValue = [{"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 40_000}}]


def kept(journal: Journal, url: str, dialect: Dialect, content: JsonValue, **more: JsonValue) -> Run:
    """A run with these parameters, read back from its journal."""
    call = Call(dialect.path, "m", messages=[{"role": "user", "content": content}], prompt="Go.", params=more)
    runner = Runner(Client, journal)
    try:
        seen_to_its_end(runner.start(endpoint_at(url), dialect, call, options=DecodeOptions("anywhere")))
    finally:
        runner.close()
    return read_past(past_runs(journal)[0], DEFAULT_LIMITS)


@pytest.mark.parametrize("name", ["openai-chat", "openai-completions", "llamacpp", "ollama", "anthropic"])
def test_the_same_body_goes_out_but_for_the_sampling_of_the_pair(tmp_path: Path, name: str) -> None:
    with Server([answer(chat_stream())], [answer(chat_stream())]) as server:
        run = kept(Journal(tmp_path), server.url, dialect_named(name), "Hi", temperature=0.9, top_p=0.5)
        endpoint = replace(endpoint_at(server.url), extra_body={"later": True}, headers={"X-Now": "1"})
        asked = repeated(run, endpoint, PLACE)
        runner = Runner(Client)
        try:
            seen_to_its_end(runner.start(endpoint, asked.dialect, asked.call, options=asked.options))
        finally:
            runner.close()
    first, second = (each.json for each in server.received)
    options: JsonObject = {"temperature": 0, "seed": 1}
    if name == "ollama":
        assert isinstance(first["options"], dict)
        assert second == first | {"options": first["options"] | options}
    else:
        assert second == first | {key: value for key, value in options.items() if key != "seed" or name != "anthropic"}
    assert server.received[1].headers["x-now"] == "1"
    assert asked.options.think_mode == "anywhere"


def test_a_request_whose_pictures_are_not_kept_does_not_go_out(tmp_path: Path) -> None:
    with Server([answer(chat_stream())]) as server:
        run = kept(Journal(tmp_path), server.url, CHAT, PICTURE)
        with pytest.raises(ThinkpaneError, match="only the beginnings of its pictures"):
            repeated(run, endpoint_at(server.url), PLACE)


def test_an_endpoint_that_leads_elsewhere_by_now_is_not_asked(tmp_path: Path) -> None:
    with Server([answer(chat_stream())]) as server:
        run = kept(Journal(tmp_path), server.url, CHAT, "Hi")
    with pytest.raises(ThinkpaneError, match="“here” leads to another address now"):
        repeated(run, endpoint_at("http://other.example"), PLACE)

"""What every dialect keeps to, whatever its wire format."""

import json
from pathlib import Path

import pytest

from thinkpane.endpoints import dialects
from thinkpane.endpoints.dialects._api import Call, DecodeOptions, Dialect
from thinkpane.endpoints.dialects._registry import all_dialects, dialect_named
from thinkpane.errors import ThinkpaneError
from thinkpane.streaming.events import Ended
from thinkpane.streaming.transcript import Transcript

EACH = pytest.mark.parametrize("dialect", all_dialects(), ids=lambda dialect: dialect.name)
KEY = "sk-never"
CALL = {
    "chat": Call("chat", "m", messages=[{"role": "user", "content": "q"}], params={"max_tokens": 5}),
    "raw": Call("raw", "m", prompt="q", params={"max_tokens": 5}),
}


def test_every_file_is_found_and_found_by_name() -> None:
    files = {path.stem for path in Path(dialects.__path__[0]).glob("[!_]*.py")}
    assert len(all_dialects()) == len(files)
    assert len({dialect.name for dialect in all_dialects()}) == len(files)
    assert all(dialect_named(dialect.name) is dialect for dialect in all_dialects())


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ThinkpaneError) as caught:
        dialect_named("nope")
    assert "openai-chat" in caught.value.problem.message


@EACH
def test_it_says_what_it_is(dialect: Dialect) -> None:
    assert dialect.name
    assert dialect.title
    assert dialect.path in ("chat", "raw")


@EACH
def test_its_request_is_complete_but_for_the_key(dialect: Dialect) -> None:
    request = dialect.request("http://127.0.0.1:9/v1", CALL[dialect.path])
    assert request.url == dialect.url("http://127.0.0.1:9/v1")
    assert request.method == "POST"
    names = [name.lower() for name, _ in request.headers]
    assert "content-type" in names
    assert request.secret.name.lower() not in names
    assert request.body["model"] == "m"
    json.dumps(request.body)


@EACH
def test_an_url_that_is_none_is_refused(dialect: Dialect) -> None:
    with pytest.raises(ThinkpaneError):
        dialect.request("gopher://x", CALL[dialect.path])


@EACH
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "body", [b"", b"\n", b"<html>", b"{}", b"{", b"[]", b"null", b"\xff\xff", b"data: {}\n\n", b"x"]
)
def test_any_body_ends_once_and_not_clean(dialect: Dialect, stream: bool, body: bytes) -> None:
    decoder = (dialect.decoder if stream else dialect.answer_decoder)(DecodeOptions())
    events = [*decoder.feed(body), *decoder.close()]
    assert [event for event in events if isinstance(event, Ended)] == [Ended(clean=False)]
    assert isinstance(events[-1], Ended)
    transcript = Transcript()
    transcript.apply_all(events)
    assert transcript.problem is not None
    assert transcript.problem.message


@EACH
def test_its_errors_are_one_sentence_with_the_status(dialect: Dialect) -> None:
    problem = dialect.error(401, {}, b'{"error":{"message":"bad key"}}')
    assert (problem.kind, problem.detail["status"], problem.detail["class"]) == ("server", 401, "auth")
    assert "bad key" in problem.message
    assert "\n" not in problem.message

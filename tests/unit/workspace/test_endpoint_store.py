"""Endpoints on disk."""

from pathlib import Path

import pytest

from thinkpane.endpoints.profile import Endpoint
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.strict_json import parse_bytes
from thinkpane.workspace.endpoint_store import DEMO_ENDPOINT, EndpointStore

LOCAL = Endpoint("local", "openai-chat", "http://127.0.0.1:8080/v1", "small", "env:KEY", {"x-team": "a"}, {"n": 1})


@pytest.fixture
def store(tmp_path: Path) -> EndpointStore:
    return EndpointStore(tmp_path / "endpoints.json")


def test_an_endpoint_comes_back_as_it_was_kept(store: EndpointStore) -> None:
    assert store.all() == ()
    store.put(LOCAL)
    assert store.all() == (LOCAL,)
    assert store.named("local") == LOCAL


def test_the_demo_is_always_there(store: EndpointStore) -> None:
    assert store.named("demo") is DEMO_ENDPOINT


def test_dialect_and_url_name_an_endpoint_that_nobody_kept(store: EndpointStore) -> None:
    found = store.named("openai-chat+http://127.0.0.1:1/v1")
    assert (found.dialect, found.base_url) == ("openai-chat", "http://127.0.0.1:1/v1")


def test_a_name_that_is_not_there_is_told_with_those_that_are(store: EndpointStore) -> None:
    store.put(LOCAL)
    with pytest.raises(ThinkpaneError, match=r"“lokal”; known: demo, local"):
        store.named("lokal")


def test_an_edited_endpoint_keeps_its_place_and_what_nobody_knows(store: EndpointStore, tmp_path: Path) -> None:
    file = tmp_path / "endpoints.json"
    file.write_text('{"endpoints": [{"name": "a", "dialect": "openai-chat", "base_url": "http://a", "colour": 1}]}')
    store.put(LOCAL)
    store.put(Endpoint("b", "openai-chat", "http://b"), replacing="a")
    assert [each.name for each in store.all()] == ["b", "local"]
    assert b'"colour": 1' in file.read_bytes()


@pytest.mark.parametrize(
    ("endpoint", "field"),
    [
        (Endpoint("local", "openai-chat", "http://x"), "name"),
        (Endpoint("demo", "openai-chat", "http://x"), "name"),
        (Endpoint(" ", "openai-chat", "http://x"), "name"),
        (Endpoint("x", "openai-chat", "ftp://x"), "base_url"),
        (Endpoint("x", "openai-chat", "http://x", headers={"Authorization": "Bearer abc"}), "headers"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_field(store: EndpointStore, endpoint: Endpoint, field: str) -> None:
    store.put(LOCAL)
    with pytest.raises(ThinkpaneError) as caught:
        store.put(endpoint)
    assert caught.value.problem.field == field
    assert store.all() == (LOCAL,)


def test_removing_tells_the_listeners(store: EndpointStore) -> None:
    store.put(LOCAL)
    told: list[int] = []
    end = store.listen(lambda: told.append(len(store.all())))
    store.remove("local")
    end()
    store.put(LOCAL)
    assert told == [0]


def test_a_broken_file_is_one_sentence(store: EndpointStore, tmp_path: Path) -> None:
    (tmp_path / "endpoints.json").write_text('{"endpoints": 3}')
    with pytest.raises(ThinkpaneError, match="list of “endpoints”"):
        store.all()


def test_the_file_holds_where_the_key_is_and_no_key(store: EndpointStore, tmp_path: Path) -> None:
    store.put(LOCAL)
    found = parse_bytes((tmp_path / "endpoints.json").read_bytes())
    assert isinstance(found, dict)
    assert isinstance(found["endpoints"], list)
    assert found["endpoints"][0] == {
        "name": "local",
        "dialect": "openai-chat",
        "base_url": "http://127.0.0.1:8080/v1",
        "model": "small",
        "key_ref": "env:KEY",
        "headers": {"x-team": "a"},
        "extra_body": {"n": 1},
        "variant": "",
        "variant_edits": {},
        "connection": {"http2": False, "proxy": "", "ca_file": ""},
    }

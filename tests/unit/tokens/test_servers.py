"""What servers answer for the tokens of a text: every kind reads its own form and refuses the others."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.tokens.servers._registry import all_servers
from thinkpane.tokens.servers.llamacpp import SERVER as LLAMACPP
from thinkpane.tokens.servers.sglang import SERVER as SGLANG
from thinkpane.tokens.servers.vllm import SERVER as VLLM

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def test_llamacpp_gives_pieces_as_text_or_as_bytes() -> None:
    answer: Any = {"tokens": [{"id": 1, "piece": "<|im_start|>"}, {"id": 187, "piece": [240, 159]}]}
    found = LLAMACPP.read(answer, "")
    assert found is not None
    assert ([*found.ids], found.pieces) == ([1, 187], (b"<|im_start|>", b"\xf0\x9f"))


def test_vllm_gives_letters_or_marked_text() -> None:
    answer: Any = {"count": 2, "tokens": [5, 6], "token_strs": ["Ġthe", "Ã©"], "max_model_len": 9}
    found = VLLM.read(answer, " theé")
    assert found is not None
    assert found.pieces == (b" the", "é".encode())
    marked: Any = {"count": 2, "tokens": [5, 6], "token_strs": ["▁the", "<0x0A>"]}
    found = VLLM.read(marked, " the\n")
    assert found is not None
    assert found.pieces == (b" the", b"\n")


def test_without_strings_there_are_no_pieces() -> None:
    answer: Any = {"tokens": [5, 6], "count": 2, "token_strs": None}
    found = VLLM.read(answer, "ab")
    assert found is not None
    assert ([*found.ids], found.pieces) == ([5, 6], ())


def test_nothing_is_put_around_the_text() -> None:
    assert LLAMACPP.body("a", "", special=False) == {
        "content": "a",
        "add_special": False,
        "parse_special": False,
        "with_pieces": True,
    }
    assert VLLM.body("a", "m") == {"prompt": "a", "add_special_tokens": False, "return_token_strs": True, "model": "m"}


@pytest.mark.parametrize("server", all_servers(), ids=lambda server: str(server.name))
def test_every_kind_says_what_it_is(server: Any) -> None:
    assert server.name
    assert server.path.startswith("/")
    assert isinstance(server.tells_special, bool)
    assert server.read({}, "a") is None
    assert server.read({"tokens": "x"}, "a") is None
    assert server.read({"tokens": [-1]}, "a") is None


@pytest.mark.parametrize("id", [-1, 2**32, True, 1.0, "1", None])
@pytest.mark.parametrize("server", all_servers(), ids=lambda server: str(server.name))
def test_what_is_no_id_makes_no_answer(server: Any, id: Any) -> None:
    for answer in (
        {"tokens": [5, id]},
        {"tokens": [5, id], "token_strs": ["a", "b"], "count": 2},
        {"tokens": [{"id": id, "piece": "a"}]},
    ):
        assert server.read(answer, "ab") is None


def test_they_are_tried_in_their_order() -> None:
    assert [each.name for each in all_servers()] == ["llamacpp", "vllm", "sglang"]


def test_ids_alone_are_sglangs_and_their_texts_are_asked_for() -> None:
    answer: Any = {"tokens": [5, 6], "count": 2, "max_model_len": 9}
    assert VLLM.read(answer, "ab") is None
    found = SGLANG.read(answer, "ab")
    assert found is not None
    assert ([*found.ids], found.pieces) == ([5, 6], ())
    assert SGLANG.body("a", "m") == {"prompt": "a", "add_special_tokens": False, "model": "m"}
    asked: Any = {"tokens": [[5], [5, 6]], "skip_special_tokens": False, "model": "m"}
    assert SGLANG.decoding_body([[5], [5, 6]], "m") == asked
    assert SGLANG.read_decoded({"text": ["a", "ab"]}) == ["a", "ab"]
    assert SGLANG.read_decoded({"text": "ab"}) == []


@given(st.dictionaries(st.sampled_from(["tokens", "token_strs", "count", "id", "piece"]), JSON))
def test_any_answer_is_read_or_refused(answer: Any) -> None:
    for server in all_servers():
        found = server.read(answer, "the")
        assert found is None or len(found.pieces) in (0, len(found.ids))

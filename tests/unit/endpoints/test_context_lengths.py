"""Context lengths in lists of models, in the forms of several servers."""

from thinkpane.endpoints.context_lengths import context_lengths
from thinkpane.formats.json_values import JsonObject


def test_each_server_has_its_own_name_for_it() -> None:
    listed: JsonObject = {
        "data": [
            {"id": "vllm", "max_model_len": 8192},
            {"id": "llama", "meta": {"n_ctx": 4096, "n_ctx_train": 131072}},
            {"id": "not loaded", "meta": {"n_ctx_train": 131072}},
            {"id": "router", "context_length": 200000},
            {"id": "studio", "loaded_context_length": 2048, "max_context_length": 32768},
            {"id": "window", "context_window": 16384},
            {"id": "silent"},
            {"id": "odd", "max_model_len": "8192"},
            {"max_model_len": 1},
            "text",
        ]
    }
    found = context_lengths(listed)
    assert {name: each.tokens for name, each in found.items()} == {
        "vllm": 8192,
        "llama": 4096,
        "not loaded": 131072,
        "router": 200000,
        "studio": 2048,
        "window": 16384,
    }
    assert (found["llama"].name, found["llama"].place) == ("meta.n_ctx", "the server's list of models")


def test_what_is_no_list_says_nothing() -> None:
    assert context_lengths(None) == context_lengths({"data": {}}) == context_lengths("x") == {}
    assert context_lengths({"models": [{"name": "a", "context_length": 5}]})["a"].tokens == 5

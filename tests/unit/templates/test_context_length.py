"""Context lengths: of model files, of a GGUF header, of servers; what is no length says nothing."""

import json
from pathlib import Path

import pytest

from support.gguf_files import gguf
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.context_files import lengths_beside
from thinkpane.templates.context_length import (
    ContextLength,
    context_length,
    length_in_force,
    of_model_info,
    of_props,
)


def test_the_files_beside_a_template_say_it(tmp_path: Path) -> None:
    template = tmp_path / "chat_template.jinja"
    template.write_text("", encoding="utf-8")
    assert lengths_beside(template) == ()
    (tmp_path / "tokenizer_config.json").write_text('{"model_max_length": 131072.0}', encoding="utf-8")
    (tmp_path / "config.json").write_text('{"text_config": {"max_position_embeddings": 32768}}', encoding="utf-8")
    found = lengths_beside(template)
    assert found == lengths_beside(tmp_path)
    assert found == (
        ContextLength(131072, "model_max_length", "tokenizer_config.json"),
        ContextLength(32768, "max_position_embeddings", "config.json"),
    )
    assert length_in_force((), found) == found[1]
    served = ContextLength(65536, "n_ctx", "a server")
    assert length_in_force([served], found) == served, "a server may hold more than the model was made for, or less"
    assert length_in_force((), ()) is None


def test_files_that_cannot_be_read_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "tokenizer_config.json").write_text("{", encoding="utf-8")
    (tmp_path / "config.json").write_text('{"max_position_embeddings": "many"}', encoding="utf-8")
    assert lengths_beside(tmp_path) == ()
    assert lengths_beside(tmp_path / "not there.gguf") == ()
    (tmp_path / "broken.gguf").write_bytes(b"GGUF")
    assert lengths_beside(tmp_path / "broken.gguf") == ()


@pytest.mark.parametrize("value", [1e30, 0, -1, True, None, "4096", float("nan")])
def test_what_is_no_length(value: JsonValue) -> None:
    assert context_length(value, "name", "somewhere") is None


def test_a_gguf_header_says_it(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(gguf({"general.architecture": "qwen2", "qwen2.context_length": 4096}))
    assert lengths_beside(file) == (ContextLength(4096, "qwen2.context_length", "the GGUF header"),)
    file.write_bytes(gguf({"general.architecture": "qwen2", "llama.context_length": 4096}))
    assert lengths_beside(file) == ()


def test_a_running_server_says_what_a_slot_holds() -> None:
    props = json.loads('{"default_generation_settings": {"n_ctx": 8192}, "n_ctx": 1}')
    assert of_props(props) == ContextLength(8192, "n_ctx", "the server's /props")
    assert of_props({"default_generation_settings": []}) is None
    assert of_props({}) is None


def test_ollama_says_what_the_model_was_made_for() -> None:
    info: JsonObject = {"general.architecture": "qwen3", "qwen3.context_length": 40960}
    assert of_model_info(info) == ContextLength(40960, "qwen3.context_length", "the server's /api/show")
    assert of_model_info({}) is None

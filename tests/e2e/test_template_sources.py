"""Template sources against the real thing: one model's template from its GGUF file and from the server that runs it."""

from pathlib import Path

import pytest

from support.llama_server import MISSING, LlamaServer, model_file
from thinkpane.endpoints.asking import Asking
from thinkpane.endpoints.client import Client
from thinkpane.templates import library
from thinkpane.templates.reach import Reach

pytestmark = [pytest.mark.real_server, pytest.mark.skipif(model_file() is None, reason=MISSING)]


def test_a_gguf_file_and_the_server_that_runs_it_tell_the_same(tmp_path: Path) -> None:
    file = model_file()
    assert file is not None
    from_file = library.load(str(file))
    client = Client()
    try:
        with LlamaServer() as server:
            from_server = library.load(server.url, "", Reach(Asking(client), tmp_path))
    finally:
        client.close()
    assert from_file.source == from_server.source
    assert "<|im_start|>" in from_file.source
    for token in ("bos_token", "eos_token"):
        assert from_file.variables[token] == from_server.variables[token]
    assert {"<|im_start|>", "<|im_end|>", "<|endoftext|>"} <= set(from_file.special_tokens)

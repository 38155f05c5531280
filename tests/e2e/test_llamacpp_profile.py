"""The llama.cpp profile against a real llama.cpp server: the same prompt for the same conversation, or no prompt."""

import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.llama_server import MISSING, LlamaServer, model_file
from support.patience import PATIENCE
from support.records import records
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.profiles._registry import profile
from thinkpane.templates.built_in import load

pytestmark = [pytest.mark.real_server, pytest.mark.skipif(model_file() is None, reason=MISSING)]

TEMPLATES = ("glm-5.2", "chatml", "llama-3", "plain-instruct", "protium-1.0", "memreader", "command-r7b")
UNLIKE = {
    "lone-surrogates": "JSON cannot carry them to the server",
    "strange-characters": "its engine trims fewer kinds of blanks than Jinja",
    "long-text": "it only takes long",
}
"""Conversations that say nothing about the profile."""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    found = Engine(deadline=PATIENCE)
    yield found
    found.close()


@pytest.mark.parametrize("template", TEMPLATES)
def test_prompts_are_the_servers_own(template: str, engine: Engine, tmp_path: Path) -> None:
    source = load(template).source
    file = tmp_path / "template.jinja"
    file.write_text(source, encoding="utf-8")
    with LlamaServer(file) as server:
        tokens = {name: server.get("/props")[name] for name in ("bos_token", "eos_token")}
        compared = {
            record["name"]: (_theirs(server, record), _ours(engine, source, record, tokens))
            for record in records("conversations")
            if record["name"] not in UNLIKE
        }
    assert {name: pair for name, pair in compared.items() if pair[0] != pair[1]} == {}
    assert sum(theirs is not None for theirs, _ in compared.values()) > 15


def _theirs(server: LlamaServer, record: dict[str, Any]) -> str | None:
    variables = {name: value for name, value in record["variables"].items() if not name.endswith("_token")}
    # llama-server sets this one at its start; the library that starts it here does not.
    variables["preserve_reasoning"] = True
    body: dict[str, Any] = {"messages": record["messages"], "chat_template_kwargs": variables}
    if record["tools"]:
        body["tools"] = record["tools"]
    if record["continue_final_message"]:
        body |= {"continue_final_message": record["continue_final_message"], "add_generation_prompt": False}
    elif record["add_generation_prompt"] is False:
        body["add_generation_prompt"] = False
    try:
        return str(server.post("/apply-template", body)["prompt"])
    except urllib.error.HTTPError:
        return None


def _ours(engine: Engine, source: str, record: dict[str, Any], tokens: dict[str, str]) -> str | None:
    variables = {name: value for name, value in record["variables"].items() if not name.endswith("_token")}
    asked = RenderRequest(
        source,
        record["messages"],
        record["tools"],
        record["documents"],
        # The vocabulary of the server's model adds neither token.
        {**variables, **tokens, "add_bos_token": False},
        False if record["add_generation_prompt"] is False and not record["continue_final_message"] else None,
        record["continue_final_message"] or False,
    )
    try:
        return engine.render(profile("llamacpp").apply(asked, engine).request).text
    except ThinkpaneError:
        return None

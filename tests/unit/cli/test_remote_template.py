"""Templates on the network: fetched where the command line names them, never because a file does."""

import json
from pathlib import Path

import pytest

from support.server import Server, answer
from thinkpane.cli._api import Services
from thinkpane.cli.program import run

PROPS = json.dumps({"chat_template": "{{ bos_token }}{{ messages[0].content }}", "bos_token": "<s>"}).encode()


@pytest.fixture
def server() -> Server:
    return Server([answer(PROPS)])


def body(folder: Path) -> str:
    path = folder / "body.json"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "Hi"}]}), encoding="utf-8")
    return str(path)


def test_a_server_named_on_the_command_line_gives_its_template(
    server: Server, tmp_path: Path, running: Services, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    with server:
        assert run(["render", body(tmp_path), "--template", server.url], running) == 0
    assert capsysbinary.readouterr().out == b"<s>Hi"
    [received] = server.received
    assert received.head.startswith("GET /props ")


def test_a_file_has_nothing_fetched(
    server: Server, tmp_path: Path, running: Services, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "a.thinkpane.json"
    state = {"thinkpane": 1, "template": server.url, "messages": [{"role": "user", "content": "Hi"}]}
    file.write_text(json.dumps(state), encoding="utf-8")
    with server:
        assert run(["render", str(file)], running) == 1
    assert b"not reached from here" in capsysbinary.readouterr().err
    assert server.received == []

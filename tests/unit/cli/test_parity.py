"""`thinkpane parity`: what it prints, and its exit status."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from support.server import Server, answer
from thinkpane.cli.program import run
from thinkpane.compose import Services

Compared = Callable[..., tuple[int, str, str]]


@pytest.fixture
def parity(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Compared:
    monkeypatch.setenv("THINKPANE_HOME", str(tmp_path))
    body = tmp_path / "body.json"
    body.write_text('{"messages": [{"role": "user", "content": "hi"}]}', encoding="utf-8")

    def parity(theirs: str | None, *words: str) -> tuple[int, str, str]:
        props = answer(b'{"build_info": "b1"}', kind="application/json")
        prompt = answer(json.dumps({"prompt": theirs}).encode(), kind="application/json")
        with Server([props], [prompt]) as server:
            services = Services()
            try:
                endpoint = f"openai-chat+{server.url}"
                status = run(["parity", str(body), "--template", "chatml", "--endpoint", endpoint, *words], services)
            finally:
                services.close()
        told = capsys.readouterr()
        return status, told.out, told.err

    return parity


OURS = "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n"


def test_the_same(parity: Compared) -> None:
    assert parity(OURS)[:2] == (0, "same (llama.cpp b1 /apply-template)\n")


def test_the_object_of_the_contract(parity: Compared) -> None:
    status, out, _ = parity("<s>" + OURS, "--json")
    found = json.loads(out)
    assert status == 1
    assert (found["same"], found["ours"], found["theirs"]) == (False, OURS, "<s>" + OURS)
    assert found["cause"].startswith("BOS")


def test_a_difference_shows_where_it_is(parity: Compared) -> None:
    status, out, err = parity(OURS.replace("hi", "ho"))
    assert status == 1
    assert out.startswith("differs: ")
    assert "- 'hi'\n+ 'ho'\n" in out
    assert "only in ours" in err


def test_what_cannot_be_told_is_no_success(parity: Compared) -> None:
    status, out, _ = parity(None)
    assert (status, out) == (1, "cannot tell: The server's /apply-template answered without a prompt.\n")


def test_the_demo_endpoint_has_no_prompt_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = tmp_path / "body.json"
    body.write_text('{"messages": [{"role": "user", "content": "hi"}]}', encoding="utf-8")
    services = Services()
    try:
        assert run(["parity", str(body), "--template", "chatml", "--endpoint", "demo", "--json"], services) == 1
    finally:
        services.close()
    assert json.loads(capsys.readouterr().out)["same"] is None

"""Tokenizers that cannot be loaded name their file and what it is."""

from pathlib import Path

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.tokens.kinds._registry import kind_for

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
PAGE = b"<!DOCTYPE html>\n<html><body>404</body></html>"


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer.model", "m.gguf", "qwen.tiktoken"])
@pytest.mark.parametrize(
    ("data", "said"), [(POINTER, "is a Git LFS pointer"), (PAGE, "is a web page"), (b"", "is empty")]
)
def test_what_lies_in_their_place(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    assert f"“{tmp_path / name}” {said}" in _fault(tmp_path / name, data)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("tokenizer.json", b'{"version": ', " is cut off"),
        ("tokenizer.json", b"{}", " holds JSON, but no tokenizer: it has no “model”"),
        ("tokenizer.json", b'{"model": {"type": "?"}}', " is a tokenizer that the library “tokenizers” cannot read"),
        ("tokenizer.model", b"\n\x05", ": The file is no SentencePiece model: it is cut off inside a field"),
        ("tokenizer.model", b"IQ== 0\nxx", ": The file of ranks gives no tokenizer: its line 2"),
        ("qwen.tiktoken", b"xx", ": The file of ranks gives no tokenizer: its line 1"),
        ("m.gguf", b"nothing of the kind", ": "),
    ],
)
def test_the_file_is_named(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    assert _fault(tmp_path / name, data).startswith(f"“{tmp_path / name}”{said}")


def _fault(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    found = kind_for(path)
    assert found is not None
    with pytest.raises(ThinkpaneError) as fault:
        found[0].load(found[1])
    return fault.value.problem.message

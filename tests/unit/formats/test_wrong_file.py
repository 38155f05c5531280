"""What lies in the place of a model's file."""

import pytest

from thinkpane.formats.wrong_file import wrong_file, wrong_json


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "is a Git LFS pointer"),
        (b"\n<!-- a -->\n<!DOCTYPE html><html>", "is a web page"),
        (b"<html lang=en>", "is a web page"),
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n", "is empty"),
    ],
)
def test_the_usual_ones_are_recognised(head: bytes, said: str) -> None:
    assert wrong_file(head).startswith(said)


@pytest.mark.parametrize("head", [b"{}", b"GGUF", b"\n\x0e\n\x05<unk>", b"<s> 0", b"IQ== 0\n", b"<htmlish>"])
def test_others_are_let_through(head: bytes) -> None:
    assert wrong_file(head) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"version": ', "is cut off"),
        ('{"version": "1.', "is cut off"),
        ("version: 1", "is no JSON (line 1, column 1)"),
        ("[" * 100_000, "is JSON that is nested too deep"),
        ("[1]", "holds JSON, but no object"),
        ("{}", ""),
    ],
)
def test_why_a_text_is_no_json_object(text: str, said: str) -> None:
    assert wrong_json(text).startswith(said)
    assert bool(wrong_json(text)) == bool(said)

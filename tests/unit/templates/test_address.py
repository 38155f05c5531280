"""What a person types for a template is understood as the REF it means."""

from pathlib import Path

import pytest

from thinkpane.templates.address import ref_of


@pytest.mark.parametrize(
    ("typed", "ref"),
    [
        ("  Qwen/Qwen3-8B ", "hf:Qwen/Qwen3-8B"),
        ("Qwen/Qwen3-8B@main", "hf:Qwen/Qwen3-8B@main"),
        ("hf:Qwen/Qwen3-8B", "hf:Qwen/Qwen3-8B"),
        ("https://huggingface.co/Qwen/Qwen3-8B", "hf:Qwen/Qwen3-8B"),
        ("https://huggingface.co/Qwen/Qwen3-8B/tree/main", "hf:Qwen/Qwen3-8B@main"),
        ("https://huggingface.co/Qwen/Qwen3-8B/blob/abc123/chat_template.jinja", "hf:Qwen/Qwen3-8B@abc123"),
        ("https://huggingface.co/a/b/blob/main/m.gguf", "https://huggingface.co/a/b/resolve/main/m.gguf"),
        ("https://huggingface.co/models", "https://huggingface.co/models"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        (":8080/v1", "http://127.0.0.1:8080/v1"),
        ("localhost:11434#qwen3:8b", "ollama+http://localhost:11434#qwen3:8b"),
        ("http://127.0.0.1:11434", "ollama+http://127.0.0.1:11434"),
        ("http://host:99999999", "http://host:99999999"),
        ("ollama:qwen3:8b", "ollama:qwen3:8b"),
        ("“chatml”", "chatml"),
        ("file:///home/me/a%20b.jinja", "/home/me/a b.jinja"),
        ("", ""),
    ],
)
def test_each_form_is_its_ref(typed: str, ref: str) -> None:
    assert ref_of(typed) == ref


def test_a_path_that_is_there_is_no_name_on_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "own").mkdir()
    monkeypatch.chdir(tmp_path)
    assert ref_of("models/own") == "models/own"
    assert ref_of("models/other") == "hf:models/other"

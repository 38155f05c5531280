"""Published vocabularies with texts and the ids that llama.cpp gives for them; `make corpus` fetches them."""

from pathlib import Path

from support.corpus import CACHE

FOLDER = CACHE / "corpus" / "vocabularies"
MISSING = "The published vocabularies are not there; `make corpus` fetches them."
_BETWEEN = "\n__ggml_vocab_test__\n"


def with_texts() -> list[str]:
    """The names of those that have texts."""
    return sorted(path.name.removesuffix(".gguf.inp") for path in FOLDER.glob("*.gguf.inp"))


def file_of(name: str) -> Path:
    """The vocabulary's file."""
    return FOLDER / f"{name}.gguf"


def texts_of(name: str) -> list[tuple[str, list[int]]]:
    """Texts, and the ids that llama.cpp gives for each."""
    texts = (FOLDER / f"{name}.gguf.inp").read_bytes().decode("utf-8").split(_BETWEEN)
    lines = (FOLDER / f"{name}.gguf.out").read_text(encoding="utf-8").split("\n")
    return [(text, [*map(int, line.split())]) for text, line in zip(texts, lines, strict=False)]

"""Vocabularies in GGUF files encode as llama.cpp does: over its own texts, with small ones of ours, and faults told."""

import re
from pathlib import Path

import pytest

from support import vocabularies
from support.gguf_files import Value, gguf
from thinkpane.errors import ThinkpaneError
from thinkpane.tokens.kinds.gguf import KIND


@pytest.mark.parametrize("name", vocabularies.with_texts() or ["missing"])
def test_published_vocabularies_give_the_ids_of_llamacpp(name: str) -> None:
    if not vocabularies.file_of(name).exists():
        pytest.skip(vocabularies.MISSING)
    if name == "bert-bge":
        with pytest.raises(ThinkpaneError, match="of the kind “bert”"):
            KIND.load(vocabularies.file_of(name))
        return
    vocabulary = KIND.load(vocabularies.file_of(name))
    known = vocabularies.texts_of(name)
    assert len(known) > 40
    found = vocabulary.encode([text for text, _ in known])
    wrong = [text for (text, ids), got in zip(known, found, strict=True) if [*got] != ids]
    assert wrong == []
    pieces = vocabulary.pieces()
    for (text, _), ids in zip(known, found, strict=True):
        # SentencePiece writes a space before the first word.
        assert b"".join(pieces[id] for id in ids).decode() in (text, f" {text}")


def written(folder: Path, **entries: Value) -> Path:
    path = folder / "small.gguf"
    path.write_bytes(gguf({name.replace("__", ".", 2): value for name, value in entries.items()}))
    return path


def test_special_tokens_are_cut_out_and_the_rest_is_merged(tmp_path: Path) -> None:
    tokens = ["a", "b", "ab", "<|im_end|>", "abab"]
    path = written(
        tmp_path,
        tokenizer__ggml__model="gpt2",
        tokenizer__ggml__pre="gpt-2",
        tokenizer__ggml__tokens=tokens,
        tokenizer__ggml__merges=["a b", "ab ab"],
        tokenizer__ggml__token_type=[1, 1, 1, 3, 1],
    )
    vocabulary = KIND.load(path)
    (ids,) = vocabulary.encode(["abab<|im_end|>ba"])
    assert [*ids] == [4, 3, 1, 0]
    assert vocabulary.cuts == ("<|im_end|>",)
    assert [(each.id, each.special) for each in vocabulary.added] == [(3, True)]
    assert vocabulary.pieces() == [b"a", b"b", b"ab", b"<|im_end|>", b"abab"]


def test_the_best_score_is_merged_first_and_unknown_letters_become_bytes(tmp_path: Path) -> None:
    # "\u2581" is a space; bytes of what is unknown have tokens of their own.
    tokens = ["<unk>", "<0xC3>", "<0xA9>", "\u2581", "a", "b", "c", "ab", "bc", "\u2581a"]
    path = written(
        tmp_path,
        tokenizer__ggml__model="llama",
        tokenizer__ggml__tokens=tokens,
        tokenizer__ggml__scores=[0.0, 0.0, 0.0, -9.0, -9.0, -9.0, -9.0, -2.0, -1.0, -3.0],
        tokenizer__ggml__token_type=[2, 6, 6, 1, 1, 1, 1, 1, 1, 1],
    )
    vocabulary = KIND.load(path)
    (ids,) = vocabulary.encode(["abcé"])
    assert [tokens[id] for id in ids] == ["\u2581a", "bc", "<0xC3>", "<0xA9>"]
    assert b"".join(vocabulary.pieces()[id] for id in ids).decode() == " abcé"


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({}, "holds no vocabulary"),
        ({"tokenizer__ggml__model": "rwkv", "tokenizer__ggml__tokens": ["a"]}, "of the kind “rwkv”"),
        (
            {"tokenizer__ggml__model": "gpt2", "tokenizer__ggml__pre": "kimi-k2", "tokenizer__ggml__tokens": ["a"]},
            "how its vocabulary cuts words (“kimi-k2”) is not known",
        ),
        ({"tokenizer__ggml__model": "llama", "tokenizer__ggml__tokens": ["a"]}, "fewer scores than tokens"),
        (
            {
                "tokenizer__ggml__model": "gpt2",
                "tokenizer__ggml__pre": "gpt-2",
                "tokenizer__ggml__tokens": ["a"],
                "tokenizer__ggml__merges": ["nothing"],
            },
            "its merges are broken",
        ),
    ],
)
def test_faults_are_one_sentence(entries: dict[str, Value], said: str, tmp_path: Path) -> None:
    with pytest.raises(ThinkpaneError, match=re.escape(said)) as fault:
        KIND.load(written(tmp_path, **entries))
    assert fault.value.problem.kind == "tokenizer"

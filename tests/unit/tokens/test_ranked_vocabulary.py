"""Files of ranks: with the package tiktoken and without it the same ids, those of the same GGUF vocabulary."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import vocabularies
from support.edits import HARD
from support.ranks import ranks
from thinkpane.errors import ThinkpaneError
from thinkpane.tokens.kinds._registry import kind_for
from thinkpane.tokens.kinds.gguf import KIND as GGUF
from thinkpane.tokens.ranked_forms import ranked_forms
from thinkpane.tokens.ranked_vocabulary import QuickVocabulary, holds_ranks, ranked_vocabulary
from thinkpane.tokens.vocabulary import Vocabulary

SAME = {"gpt-2": ("r50k_base.tiktoken", 50256), "llama-bpe": ("tokenizer.model", 128000)}
"""Published GGUF vocabularies: the name of a file with their ranks, and how many tokens stand in it."""


SMALL = ranks([*(bytes([byte]) for byte in range(256)), b"th", b"the", b" the", b"\r\n", b"12", b"123", b"\xc3\xa9"])


def small() -> Vocabulary:
    return ranked_vocabulary(SMALL, Path("cl100k_base.tiktoken"))


@pytest.mark.parametrize("name", SAME)
def test_ids_are_those_of_the_same_vocabulary_as_gguf(name: str) -> None:
    file = vocabularies.file_of(name)
    if not file.exists():
        pytest.skip(vocabularies.MISSING)
    gguf = GGUF.load(file)
    title, count = SAME[name]
    made = ranked_vocabulary(ranks(gguf.pieces()[:count]), Path(title))
    chance = random.Random(4)
    texts = [
        "".join(chance.choice(HARD) + chance.choice([" ", "\n", "  ", "a b"]) for _ in range(8)) for _ in range(300)
    ]
    expected = gguf.encode(texts)
    assert made.encode(texts) == expected
    assert Vocabulary.encode(made, texts) == expected


@given(st.text(alphabet=st.sampled_from([*"the12 3é\r\n'sſ日🙂\u0301<|endoftext|>"]), max_size=40))
def test_with_and_without_the_package_the_ids_are_the_same(text: str) -> None:
    pytest.importorskip("tiktoken")
    assert isinstance(SMALL_VOCABULARY, QuickVocabulary)
    assert SMALL_VOCABULARY.encode([text]) == Vocabulary.encode(SMALL_VOCABULARY, [text])


SMALL_VOCABULARY = small()


def test_special_tokens_have_the_ids_that_are_published() -> None:
    (ids,) = SMALL_VOCABULARY.encode(["the<|endofprompt|> the"])
    assert [*ids] == [257, 100276, 258]
    assert SMALL_VOCABULARY.cuts == tuple(ranked_forms()["cl100k_base"].special)


def test_half_a_character_is_told() -> None:
    with pytest.raises(ThinkpaneError, match="surrogate pair"):
        SMALL_VOCABULARY.encode(["\ud800"])


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"!! 0\n", "cl100k_base.tiktoken", "line 1 is no token"),
        (SMALL + b"AA==\n", "cl100k_base.tiktoken", "line 264 is no token"),
        (SMALL, "mine.tiktoken", "with 263 tokens, cuts texts into words is not known"),
    ],
)
def test_what_is_not_known_is_one_sentence(data: bytes, name: str, said: str) -> None:
    with pytest.raises(ThinkpaneError, match=said):
        ranked_vocabulary(data, Path(name))


def test_a_model_file_that_holds_ranks_is_told_from_others() -> None:
    assert holds_ranks(SMALL)
    assert not holds_ranks(b"\x0a\x0e\x0a\x05<unk>")


def test_every_form_cuts_text_and_names_its_source() -> None:
    for form in ranked_forms().values():
        made = ranked_vocabulary(SMALL, Path(form.files[0])) if form.files else None
        assert form.special
        assert not form.url or (form.url.startswith("https://") and len(form.sha256) == 64)
        if made is not None:
            (ids,) = made.encode(["the 123\r\n"])
            assert b"".join(made.pieces()[id] for id in ids) == b"the 123\r\n"


def test_files_of_ranks_are_found(tmp_path: Path) -> None:
    file = tmp_path / "qwen.tiktoken"
    file.write_bytes(SMALL)
    found = kind_for(tmp_path / "chat_template.jinja")
    assert found is not None
    assert (found[0].name, found[1]) == ("tiktoken", file)
    (tmp_path / "tokenizer.json").write_bytes(b"{}")
    found = kind_for(tmp_path)
    assert found is not None
    assert found[0].name == "tokenizer-json"

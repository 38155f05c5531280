"""A tokenizer in its child process: ids, pieces and places cross the pipe as they are; faults are sentences."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tokenizers import AddedToken, models, pre_tokenizers
from tokenizers import Tokenizer as Library

from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.tokenizer import Tokenizer, shown_piece
from thinkpane.tokens.byte_level import letters


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tokenizer]:
    made = Library(models.BPE({letter: byte for byte, letter in enumerate(letters())}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.add_special_tokens([AddedToken("<|end|>", normalized=False)])
    folder = tmp_path_factory.mktemp("model")
    made.save(str(folder / "tokenizer.json"))
    found = Tokenizer(folder)
    yield found
    found.close()


def test_it_tells_what_it_is(tokenizer: Tokenizer) -> None:
    known = tokenizer.description
    assert known.title.endswith("tokenizer.json")
    assert known.cuts == ("<|end|>",)
    assert known.added == {256: "<|end|>"}
    assert known.special == {256}
    assert len(known.pieces) == 257
    assert (known.pieces[65], known.pieces[255], known.pieces[256]) == (b"A", b"\xff", b"<|end|>")


def test_many_texts_at_once(tokenizer: Tokenizer) -> None:
    assert [[*ids] for ids in tokenizer.encode(["hi", "", "<|end|>é"])] == [[104, 105], [], [256, 0xC3, 0xA9]]
    assert tokenizer.encode([]) == []


def test_places_of_one_text(tokenizer: Tokenizer) -> None:
    found = tokenizer.tokens("é<|end|>")
    assert [*found.ids] == [0xC3, 0xA9, 256]
    assert [*zip(found.starts, found.ends, strict=True)] == [(0, 1), (0, 1), (1, 8)]


def test_bytes_that_are_no_text_are_shown_as_bytes() -> None:
    assert shown_piece("é".encode()) == "é"
    assert shown_piece(b"\xe2\x82") == "\\xe2\\x82"


def test_what_cannot_be_loaded_says_so_and_says_it_again(tmp_path: Path) -> None:
    found = Tokenizer(tmp_path / "nothing.jinja")
    try:
        for _ in range(2):
            with pytest.raises(ThinkpaneError, match="No tokenizer was found at"):
                found.encode(["a"])
    finally:
        found.close()


def test_more_than_one_reply_may_hold_comes_in_parts(tokenizer: Tokenizer) -> None:
    text = "é<|end|>x" * 500_000
    found = tokenizer.tokens(text)
    assert len(found.ids) == 2_000_000
    assert [*found.ids[-4:]] == [0xC3, 0xA9, 256, ord("x")]
    assert found.places[-1] == (len(text) - 1, len(text))
    first, second = tokenizer.encode([text, "x"])
    assert first == found.ids
    assert [*second] == [ord("x")]

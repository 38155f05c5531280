"""What a loaded tokenizer says of itself: where texts may be cut, what its ids stand for."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

from thinkpane.errors import ThinkpaneError
from thinkpane.tokens.byte_level import bytes_of, letters
from thinkpane.tokens.kinds._registry import all_kinds, kind_for
from thinkpane.tokens.kinds.tokenizer_json import KIND
from thinkpane.tokens.vocabulary import Vocabulary


def byte_level(**added: dict[str, Any]) -> Tokenizer:
    """One token a byte, and the added ones."""
    made = Tokenizer(models.BPE({letter: byte for byte, letter in enumerate(letters())}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    for text, flags in added.items():
        made.add_tokens([AddedToken(text, **{"normalized": False, **flags})])
    return made


@given(st.binary(max_size=40))
def test_every_byte_has_a_letter_and_back(data: bytes) -> None:
    assert bytes_of("".join(letters()[byte] for byte in data)) == data


def test_letters_are_those_of_gpt_2() -> None:
    assert letters()[ord(" ")] == "\u0120"
    assert letters()[ord("\n")] == "\u010a"
    assert letters()[ord("A")] == "A"
    assert len(set(letters())) == 256


def test_a_token_with_other_letters_stands_for_its_text() -> None:
    assert bytes_of("日本") == "日本".encode()


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60))
def test_pieces_join_to_the_text(text: str) -> None:
    vocabulary = Vocabulary(byte_level(), "test")
    (ids,) = vocabulary.encode([text])
    assert b"".join(vocabulary.pieces()[id] for id in ids).decode() == text


def test_offsets_are_code_points_and_parts_of_a_character_share_its_place() -> None:
    ids, places = Vocabulary(byte_level(), "test").offsets("a\U0001f642b")
    assert len(ids) == 6
    assert places == [(0, 1), (1, 2), (1, 2), (1, 2), (1, 2), (2, 3)]


@pytest.mark.parametrize(
    ("flags", "cuts"),
    [
        ({}, ("<x>",)),
        ({"lstrip": True}, ()),
        ({"rstrip": True}, ()),
        ({"single_word": True}, ()),
        ({"normalized": True}, ("<x>",)),
    ],
)
def test_texts_are_cut_only_at_tokens_that_leave_their_neighbours_alone(
    flags: dict[str, Any], cuts: tuple[str, ...]
) -> None:
    assert Vocabulary(byte_level(**{"<x>": flags}), "test").cuts == cuts


@pytest.mark.parametrize(
    ("first", "second", "overlap"),
    [("b>", "<b", True), ("<b", "b>", True), ("b", "<b>", True), ("<b>", "b", True), ("<b>", "<c>", False)],
)
def test_tokens_that_are_looked_for_one_after_the_other_may_not_overlap(first: str, second: str, overlap: bool) -> None:
    vocabulary = Vocabulary(byte_level(**{first: {}, second: {"normalized": True}}), "test")
    assert vocabulary.cuts == (() if overlap else (first, second))


def test_a_normalizer_keeps_texts_whole_where_it_may_touch_an_added_token() -> None:
    made = byte_level(**{"<x>": {"normalized": True}})
    made.normalizer = normalizers.NFC()
    assert Vocabulary(made, "test").cuts == ()


def test_a_prefix_for_the_first_word_alone_keeps_texts_whole() -> None:
    made = byte_level(**{"<x>": {}})
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    assert Vocabulary(made, "test").cuts == ()


def test_cut_texts_give_the_ids_of_the_whole() -> None:
    vocabulary = Vocabulary(byte_level(**{"<|a|>": {}, "<|ab|>": {}}), "test")
    chance = random.Random(5)
    for _ in range(50):
        parts = [chance.choice(["<|a|>", "<|ab|>", " x", "é\n", "<|", "|>"]) for _ in range(12)]
        (whole,) = vocabulary.encode(["".join(parts)])
        cut = vocabulary.encode(_cut("".join(parts), vocabulary.cuts))
        assert [*whole] == [id for ids in cut for id in ids]


def _cut(text: str, cuts: tuple[str, ...]) -> list[str]:
    import re

    pattern = re.compile(f"({'|'.join(sorted(map(re.escape, cuts), key=len, reverse=True))})")
    return [each for each in pattern.split(text) if each]


def test_a_tokenizer_json_is_found_beside_the_template(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    byte_level().save(str(file))
    for asked in (file, tmp_path, tmp_path / "chat_template.jinja"):
        assert kind_for(asked) == (KIND, file)
    assert kind_for(tmp_path / "model.GGUF") is not None
    assert kind_for(tmp_path / "elsewhere" / "a.jinja") is None
    assert KIND.load(file).size == 256


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{}", "holds JSON, but no tokenizer"),
        (b"\xff", "no UTF-8"),
        (json.dumps([1]).encode(), "holds JSON, but no object"),
    ],
)
def test_a_broken_tokenizer_json_is_one_sentence(content: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_bytes(content)
    with pytest.raises(ThinkpaneError, match=said) as fault:
        KIND.load(file)
    assert "\n" not in fault.value.problem.message


def test_a_missing_file_is_told_by_every_kind(tmp_path: Path) -> None:
    for kind in all_kinds():
        with pytest.raises(ThinkpaneError, match="could not be read"):
            kind.load(tmp_path / "nothing")
        assert kind.name
        assert kind.takes

"""SentencePiece models encode as SentencePiece itself does, between control tokens.

data/sentencepiece/*.model were trained by the package sentencepiece 0.2.3 on texts of our own; beside each lie texts
with the ids that the package gives (*.json), so that our own reading is tested without it. Those that normalise texts
have each token's place as well, in code points: unigram-nmt_nfkc by the table of T5 and XLM-R, *-rules by a small one.
"""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.sentencepiece_files import model_bytes
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.sentencepiece_model import BPE, BYTE, CONTROL, NORMAL, UNKNOWN, read_model
from thinkpane.tokens.sentencepiece_reader import sentencepiece_vocabulary
from thinkpane.tokens.sentencepiece_vocabulary import SentencePieceVocabulary
from thinkpane.tokens.vocabulary import Vocabulary

DATA = Path(__file__).parents[2] / "data" / "sentencepiece"
MODELS = sorted(DATA.glob("*.model"))


@pytest.mark.parametrize("file", MODELS, ids=lambda file: str(file.stem))
def test_ids_are_those_of_sentencepiece(file: Path) -> None:
    vocabulary = ours(file)
    expected = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    assert len(expected) > 90
    different = [text for text, ids, *_ in expected if [*vocabulary.encode([text])[0]] != ids]
    assert different == []


@pytest.mark.parametrize("file", MODELS, ids=lambda file: str(file.stem))
def test_places_hold_those_of_sentencepiece(file: Path) -> None:
    """It gives no place to a space that it added and to bytes but the last of a character; ours share their neighbour's
    and the character's, and a token that is a part of what one key stands for has the place of that."""
    vocabulary = ours(file)
    for text, ids, *known in json.loads(file.with_suffix(".json").read_text(encoding="utf-8")):
        found, places = vocabulary.offsets(text)
        assert [*found] == ids
        assert all(0 <= begin <= end <= len(text) for begin, end in places)
        for (begin, end), (first, last) in zip(places, *known[:1] or [places], strict=True):
            assert first == last or begin <= first <= last <= end, text


def test_there_are_models_of_both_types() -> None:
    assert {file.stem.partition("-")[0] for file in MODELS} == {"bpe", "unigram"}


def ours(file: Path) -> Vocabulary:
    """The model as we read it, whether the package is there or not."""
    return SentencePieceVocabulary(read_model(file.read_bytes()), str(file))


def small(prefix: bool = True, collapses: bool = False) -> Vocabulary:
    pieces = [("<unk>", 0.0, UNKNOWN), ("<s>", 0.0, CONTROL), *((f"<0x{byte:02X}>", 0.0, BYTE) for byte in range(256))]
    pieces += [("▁", -9.0, NORMAL), ("a", -9.0, NORMAL), ("▁a", -1.0, NORMAL), ("aa", -2.0, NORMAL)]
    data = model_bytes(pieces, model=BPE, prefix=prefix, collapses=collapses)
    return SentencePieceVocabulary(read_model(data), "small")


def test_control_tokens_are_cut_out_and_each_stretch_begins_with_a_space() -> None:
    vocabulary = small()
    (ids,) = vocabulary.encode(["a<s>a"])
    assert [vocabulary.pieces()[id] for id in ids] == [b" a", b"<s>", b" a"]
    (ids,) = small(prefix=False).encode(["a<s>a"])
    assert [vocabulary.pieces()[id] for id in ids] == [b"a", b"<s>", b"a"]


def test_bytes_stand_in_for_what_has_no_piece() -> None:
    vocabulary = small(prefix=False)
    (ids,) = vocabulary.encode(["é"])
    assert [vocabulary.pieces()[id] for id in ids] == [b"\xc3", b"\xa9"]


def test_spaces_collapse_where_the_model_says_so() -> None:
    vocabulary = small(collapses=True)
    assert vocabulary.encode(["  a   a "]) == vocabulary.encode(["a a"])


def test_texts_are_written_by_the_character_map() -> None:
    vocabulary = ours(DATA / "unigram-nmt_nfkc.model")
    assert vocabulary.encode(["ＡＢＣ　ﬁ①"]) == vocabulary.encode(["ABC fi1"])
    assert vocabulary.encode(["e\u0301\t\x01a"]) == vocabulary.encode(["é a"])


def test_places_are_those_of_the_text_before_it_was_normalised() -> None:
    text = "½ ＡＢ  x"
    ids, places = (vocabulary := ours(DATA / "unigram-nmt_nfkc.model")).offsets(text)
    pieces = vocabulary.pieces()
    spelled = [(pieces[id].decode(), text[begin:end]) for id, (begin, end) in zip(ids, places, strict=True)]
    # The fraction is three characters to the model, and so is each of their tokens from the one that stood there.
    assert {part for piece, part in spelled if piece.strip() in {"1", "⁄", "2"}} == {"½"}
    assert [part for piece, part in spelled if piece.strip() in {"A", "B"}][-1] == "Ｂ"
    assert spelled[-1][1].strip() == "x"


def test_a_control_token_is_none_where_only_the_map_writes_it() -> None:
    vocabulary = ours(DATA / "unigram-nmt_nfkc.model")
    control = next(each.id for each in vocabulary.added if each.text == "</s>")
    assert control in vocabulary.encode(["a</s>"])[0]
    assert control not in vocabulary.encode(["a＜/s＞"])[0]


def test_texts_are_cut_at_defined_symbols_only_where_nothing_beside_them_counts() -> None:
    assert set(ours(DATA / "bpe-defined.model").cuts) == {"<s>", "</s>", "<tool>", "<tool>>", "\n\n"}
    assert set(ours(DATA / "bpe-rules.model").cuts) == {"<s>", "</s>"}
    assert {each.text for each in ours(DATA / "bpe-rules.model").added if not each.special} > {"<tool>", "bc"}


@given(st.text("aᄀ각e\u0301\u0323ﾞｶ＜/s＞ \t▁½\x01\u3000ab<tol>", max_size=30))
def test_a_text_cut_at_control_tokens_has_the_same_ids(text: str) -> None:
    vocabulary = _normalising()
    cut = [part for part in re.split("(</s>|<s>)", f"{text}</s>{text}") if part]
    assert [id for ids in vocabulary.encode(cut) for id in ids] == [*vocabulary.encode([f"{text}</s>{text}"])[0]]


@given(st.text(max_size=30))
def test_every_text_has_ids_and_places(text: str) -> None:
    vocabulary = _normalising()
    (ids,) = vocabulary.encode([text])
    same, places = vocabulary.offsets(text)
    assert same == ids
    assert all(begin < end for begin, end in places)
    assert places == sorted(places)


@pytest.mark.parametrize("text", ["\ud800", "a\udfff\u0301"])
def test_half_a_surrogate_pair_has_no_ids(text: str) -> None:
    for act in (_normalising().encode_plain, _normalising().offsets, lambda text: _normalising().encode([text])):
        with pytest.raises(ThinkpaneError, match="surrogate"):
            act(text)


@pytest.mark.parametrize(
    ("rules", "said"),
    [({"model": 3}, "of the type 3"), ({"charsmap": b"\x01"}, "its size is wrong")],
)
def test_what_is_not_known_is_one_sentence(rules: dict[str, object], said: str) -> None:
    data = model_bytes([("<unk>", 0.0, UNKNOWN), ("a", 0.0, NORMAL)], **rules)  # type: ignore[arg-type]
    with pytest.raises(ThinkpaneError, match=said):
        sentencepiece_vocabulary(data, "small")


@cache
def _normalising() -> Vocabulary:
    return ours(DATA / "unigram-nmt_nfkc.model")

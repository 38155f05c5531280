"""SentencePiece models encode as SentencePiece itself does, between control tokens.

data/sentencepiece/*.model were trained by the package sentencepiece 0.2.3 on texts of our own; beside each lie texts
with the ids that the package gives (*.json), so that tests need no package.
"""

import json
from pathlib import Path

import pytest

from support.sentencepiece_files import model_bytes
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.sentencepiece_model import BPE, BYTE, CONTROL, NORMAL, UNKNOWN
from thinkpane.tokens.kinds.sentencepiece import KIND
from thinkpane.tokens.sentencepiece_vocabulary import sentencepiece_vocabulary
from thinkpane.tokens.vocabulary import Vocabulary

DATA = Path(__file__).parents[2] / "data" / "sentencepiece"
MODELS = sorted(DATA.glob("*.model"))


@pytest.mark.parametrize("file", MODELS, ids=lambda file: str(file.stem))
def test_ids_are_those_of_sentencepiece(file: Path) -> None:
    vocabulary = KIND.load(file)
    expected = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    assert len(expected) > 100
    different = [text for text, ids in expected if [*vocabulary.encode([text])[0]] != ids]
    assert different == []


def test_there_are_models_of_both_types() -> None:
    assert {file.stem.partition("-")[0] for file in MODELS} == {"bpe", "unigram"}


def small(prefix: bool = True, collapses: bool = False) -> Vocabulary:
    pieces = [("<unk>", 0.0, UNKNOWN), ("<s>", 0.0, CONTROL), *((f"<0x{byte:02X}>", 0.0, BYTE) for byte in range(256))]
    pieces += [("▁", -9.0, NORMAL), ("a", -9.0, NORMAL), ("▁a", -1.0, NORMAL), ("aa", -2.0, NORMAL)]
    return sentencepiece_vocabulary(model_bytes(pieces, model=BPE, prefix=prefix, collapses=collapses), "small")


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


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"model": 3}, "of the type 3"),
        ({"suffix": True}, "behind words"),
        ({"charsmap": b"\x01"}, "by a table of its own"),
    ],
)
def test_what_is_not_known_is_one_sentence(rules: dict[str, object], said: str) -> None:
    data = model_bytes([("<unk>", 0.0, UNKNOWN), ("a", 0.0, NORMAL)], **rules)  # type: ignore[arg-type]
    with pytest.raises(ThinkpaneError, match=said):
        sentencepiece_vocabulary(data, "small")

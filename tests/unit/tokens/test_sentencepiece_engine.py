"""The package sentencepiece and our own reading of a model agree: in ids, in places, and in how a text is written."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.sentencepiece_model import UNIGRAM, read_model
from thinkpane.tokens.kinds.sentencepiece import KIND
from thinkpane.tokens.sentencepiece_engine import EngineVocabulary, engine_of
from thinkpane.tokens.sentencepiece_text import SentencePieceText
from thinkpane.tokens.sentencepiece_vocabulary import SentencePieceVocabulary

pytest.importorskip("sentencepiece")

DATA = Path(__file__).parents[2] / "data" / "sentencepiece"
MODELS = sorted(DATA.glob("*.model"))
HARD = (
    "ab c\t\n\r\x00\x01\x7f\x85\xa0▁eé\u0301\u0308\u0323"
    "ｶﾞ゙各ＡＢ１　ﬁ½①㍿ﷺ¨\u200b\u200d\ufeff🙂👩🏽ᄀ\u1161\u11a8각#zbcxy<tol>!\u0344"
)
READ: dict[Path, tuple[SentencePieceText, SentencePieceVocabulary, Any]] = {}
for each in MODELS:
    model = read_model(each.read_bytes())
    engine = engine_of(each.read_bytes())
    READ[each] = SentencePieceText(model), SentencePieceVocabulary(model, ""), engine


def test_the_package_encodes_where_it_is_installed() -> None:
    assert isinstance(KIND.load(MODELS[0]), EngineVocabulary)
    assert engine_of(b"no model") is None


@pytest.mark.parametrize("file", MODELS, ids=lambda file: str(file.stem))
def test_it_gives_the_same_as_what_we_read(file: Path) -> None:
    quick, ours = KIND.load(file), READ[file][1]
    texts = [text for text, *_ in json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))]
    assert quick.encode(texts) == ours.encode(texts)
    assert [quick.offsets(text) for text in texts] == [ours.offsets(text) for text in texts]
    assert (quick.pieces(), quick.cuts, quick.added, quick.size) == (ours.pieces(), ours.cuts, ours.added, ours.size)
    assert quick.encode(["a</s>b"]) == ours.encode(["a</s>b"])
    assert quick.encode_plain("a  b") == ours.encode_plain("a  b")


@pytest.mark.parametrize("file", MODELS, ids=lambda file: str(file.stem))
@given(st.text(HARD, max_size=40) | st.text(max_size=20))
def test_every_text_is_written_as_the_package_writes_it(file: Path, text: str) -> None:
    shape, _, engine = READ[file]
    assert shape.shaped(text) == engine.normalize(text)
    shaped, origins = shape.origins(text)
    assert shaped == shape.shaped(text)
    assert len(origins) == len(shaped) + 1
    assert [*origins] == sorted(origins)


@pytest.mark.parametrize(
    "file", [each for each in MODELS if read_model(each.read_bytes()).model != UNIGRAM], ids=lambda file: str(file.stem)
)
@given(st.text(HARD, max_size=40) | st.text(max_size=20))
def test_every_text_of_a_byte_pair_model_has_the_ids_of_the_package(file: Path, text: str) -> None:
    _, ours, engine = READ[file]
    assert [*ours.encode_plain(text)] == engine.encode(text, out_type=int)


def test_half_a_surrogate_pair_has_no_ids() -> None:
    with pytest.raises(ThinkpaneError, match="surrogate"):
        KIND.load(MODELS[0]).encode(["a\ud800"])

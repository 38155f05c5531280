"""Our render of published templates is what transformers 5.24 gives: the same text, or a refusal in the same line.

Asked of transformers itself where `make corpus` could fetch it, else of its recorded answers (support/corpus.py).
"""

from collections.abc import Iterator, Sequence

import pytest

from support import corpus
from support.corpus import Pair
from thinkpane.engine.host import Engine

NO_TEMPLATES = "The published templates are not there; `make corpus` fetches them."
NO_ORACLE = "transformers is not there; `make corpus` fetches it."
needs_templates = pytest.mark.skipif(not corpus.published(), reason=NO_TEMPLATES)
needs_oracle = pytest.mark.skipif(not corpus.has_oracle(), reason=NO_ORACLE)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """Workers of this module's own."""
    made = Engine()
    yield made
    made.close()


@pytest.fixture(scope="module")
def live() -> list[corpus.Answer]:
    """What transformers says now of all that is recorded."""
    return corpus.ask_oracle(corpus.recorded_pairs())


def differences(engine: Engine, asked: Sequence[Pair], answers: Sequence[corpus.Answer]) -> dict[Pair, str]:
    """What differs, by pair."""
    compared = zip(asked, answers, corpus.rendered(engine, asked), strict=True)
    return {pair: told for pair, answer, ours in compared if (told := corpus.difference(answer, ours))}


def test_conversations_are_many() -> None:
    assert len(corpus.conversations()) >= 18


def test_built_in_templates_against_recorded_answers(engine: Engine) -> None:
    asked = corpus.pairs(corpus.built_in())
    assert differences(engine, asked, corpus.recorded(asked)) == {}


@needs_templates
@pytest.mark.skipif(corpus.has_oracle(), reason="transformers itself is there to be asked")
def test_sample_against_recorded_answers(engine: Engine) -> None:
    asked = corpus.sample()
    assert differences(engine, asked, corpus.recorded(asked)) == {}


@needs_templates
@needs_oracle
def test_sample_against_transformers(engine: Engine, live: list[corpus.Answer]) -> None:
    assert differences(engine, corpus.recorded_pairs(), live) == {}


@needs_templates
@needs_oracle
def test_recorded_answers_are_what_transformers_gives(live: list[corpus.Answer]) -> None:
    assert corpus.recorded(corpus.recorded_pairs()) == [corpus.hashed(each) for each in live]


@pytest.mark.long
@needs_templates
@needs_oracle
def test_every_published_template(engine: Engine) -> None:
    asked = corpus.pairs(corpus.built_in() | corpus.published())
    assert differences(engine, asked, corpus.ask_oracle(asked)) == {}


def test_a_difference_is_seen(engine: Engine) -> None:
    pair = corpus.pairs(corpus.built_in())[0]
    [ours] = corpus.rendered(engine, [pair])
    text = str(ours.text)
    refusal = {"class": "UndefinedError", "message": "x", "lines": [3]}
    assert corpus.difference({"text": text}, ours) is None
    assert corpus.difference({"text": text + " "}, ours) is not None
    assert corpus.difference({"sha256": corpus.sha256(text + " ")}, ours) is not None
    assert corpus.difference({"error": refusal}, ours) is not None

"""Owners over the published templates: the traced text is the plain one, each character leads to where it is from."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from support import corpus
from support.corpus import Pair
from support.marked import check
from support.patience import PATIENCE
from thinkpane.engine.host import Engine
from thinkpane.errors import ThinkpaneError

NO_TEMPLATES = "The published templates are not there; `make corpus` fetches them."
needs_templates = pytest.mark.skipif(not corpus.published(), reason=NO_TEMPLATES)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """Workers of this module's own."""
    made = Engine(deadline=PATIENCE)
    yield made
    made.close()


def faults(engine: Engine, asked: Sequence[Pair]) -> dict[Pair, str]:
    """The first wrong owner of each pair whose conversation was marked; pairs that the template refuses have none."""
    found: dict[Pair, str] = {}
    for pair in asked:
        request, marks = corpus.marked_request(pair)
        try:
            traced: dict[str, Any] = engine.trace(request)
        except ThinkpaneError as error:
            if error.problem.kind not in ("template", "request", "recursion"):
                found[pair] = error.problem.message
            continue
        wrong = check(traced, marks).faults
        if wrong:
            found[pair] = wrong[0]
    return found


def test_owners_in_built_in_templates(engine: Engine) -> None:
    assert faults(engine, corpus.pairs(corpus.built_in())) == {}


@needs_templates
def test_owners_in_sample(engine: Engine) -> None:
    assert faults(engine, corpus.sample()) == {}


@pytest.mark.long
@needs_templates
def test_owners_in_every_published_template(engine: Engine) -> None:
    assert faults(engine, corpus.pairs(corpus.published())) == {}

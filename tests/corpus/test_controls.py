"""Controls found in published templates are those that a person finds who reads them, and they prove themselves."""

import json
from collections import Counter
from collections.abc import Iterator

import pytest

from support import corpus
from support.discovered import facts_of
from support.patience import PATIENCE
from support.records import DATA
from thinkpane.analysis.controls import controls
from thinkpane.engine.host import Engine
from thinkpane.templates.template import Template

EXPECTED: dict[str, dict[str, str]] = json.loads((DATA / "controls" / "llama-cpp.json").read_text(encoding="utf-8"))
"""For each of llama.cpp's templates the variables that it takes from outside, with their kinds; read by a person."""

TEMPLATES = {name: text for name, text in corpus.published().items() if name.startswith("llama.cpp/")}
pytestmark = pytest.mark.skipif(
    not TEMPLATES, reason="The published templates are not there; `make corpus` fetches them."
)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """Workers of this module's own."""
    made = Engine(deadline=PATIENCE)
    yield made
    made.close()


def test_the_variables_of_each_template_are_found_and_no_others(engine: Engine) -> None:
    found = {
        name.removeprefix("llama.cpp/"): {each.name: each.kind for each in facts_of(engine, text).variables}
        for name, text in TEMPLATES.items()
    }
    assert found == EXPECTED


def test_no_template_of_the_corpus_fails_to_be_read(engine: Engine) -> None:
    names = Counter(each.name for text in corpus.published().values() for each in facts_of(engine, text).variables)
    assert names["enable_thinking"] > 150
    never = {"content", "message", "loop_messages", "reasoning_content", "bos_token", "eos_token", "ns", "role"}
    assert not never & names.keys()


@pytest.mark.long
def test_what_is_found_proves_itself(engine: Engine) -> None:
    effects: Counter[str] = Counter()
    failing: list[str] = []
    for name, text in TEMPLATES.items():
        found = controls(Template(name, text), facts_of(engine, text), engine.render_many)
        if found.problem is not None:
            failing.append(name)
        effects.update(each.effect for each in found.variables)
    assert failing == ["llama.cpp/fireworks-ai-llama-3-firefunction-v2"], (
        "it needs “functions” and “datetime” to be set"
    )
    assert effects.keys() == {"changes", "none"}
    assert effects["changes"] > 12 * effects["none"]

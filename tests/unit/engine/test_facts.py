"""What a template's text says about itself."""

import pytest

from thinkpane.engine.host import Engine
from thinkpane.errors import ThinkpaneError


def test_constants_and_data(engine: Engine) -> None:
    source = "<|a|>{% if x == '<|b|>' %}c{{ d ~ \"[E]\" }}{% endif %}{{ 1 }}"
    assert engine.job("constants", {"source": source}) == {"constants": ["<|b|>", "[E]"], "data": ["<|a|>", "c"]}


def test_constants_are_not_evaluated(engine: Engine) -> None:
    assert engine.job("constants", {"source": "{{ 'x' * 10 ** 12 }}"})["constants"] == ["x"]


@pytest.mark.parametrize(("source", "kind"), [("\n{% if %}", "template"), ("\n{{ " + "(" * 3000, "recursion")])
def test_source_that_cannot_be_parsed(source: str, kind: str, engine: Engine) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        engine.job("constants", {"source": source})
    assert (caught.value.problem.kind, caught.value.problem.line) == (kind, 2)

"""What runtimes leave out of a render and do to its ends, plain and traced alike."""

from typing import Any

import pytest

from thinkpane.engine.host import Engine
from thinkpane.engine.request import Ends, RenderRequest
from thinkpane.errors import ThinkpaneError

SOURCE = "{{ bos_token }}{{ messages[0].content }}{% if tools is defined %}T{% endif %}{{ eos_token }}"
MESSAGES: list[Any] = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "I go"}]
VARIABLES = {"bos_token": "<s>", "eos_token": "</s>"}


def both(engine: Engine, **rest: Any) -> tuple[str | None, Any]:
    """The plain text and the traced spans; the traced text is the same."""
    request = RenderRequest(SOURCE, MESSAGES, variables=VARIABLES, **rest)
    rendered, traced = engine.render(request), engine.trace(request)
    assert traced["text"] == rendered.text
    return rendered.text, traced["spans"]


def test_a_value_can_be_left_out_altogether(engine: Engine) -> None:
    assert both(engine)[0] == "<s>hiT</s>"
    assert both(engine, left_out=("tools", "documents", "add_generation_prompt"))[0] == "<s>hi</s>"


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        (Ends(cut_start="<s>", cut_end="</s>"), "hiT"),
        (Ends(cut_start="<x>", cut_end="x"), "<s>hiT</s>"),
        (Ends(cut_start="<s>hiT</s>", cut_end="<s>hiT</s>"), ""),
        (Ends(cut_start="<s>", suffix=(("I ", ""), ("go", ""))), "hiT</s>I go"),
    ],
)
def test_ends(engine: Engine, ends: Ends, expected: str) -> None:
    text, spans = both(engine, ends=ends)
    assert text == expected
    assert sum(end - start for start, end, _ in spans) == len(expected)


def test_a_suffix_knows_where_it_came_from(engine: Engine) -> None:
    _, spans = both(engine, ends=Ends(suffix=((">", ""), ("I go", "messages[1].content"))))
    assert spans[-1][2]["path"] == "messages[1].content"
    assert spans[-1][2]["at"] == [0, 4]


def test_what_was_found_about_a_template_is_asked_once(engine: Engine) -> None:
    assert engine.about("constants", "a{{ 'b' }}") is engine.about("constants", "a{{ 'b' }}")
    with pytest.raises(ThinkpaneError):
        engine.about("constants", "{{ broken")

"""A conversation that is one text: for templates that print it; others say in one sentence that they read a list."""

from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest


def test_a_template_that_reads_messages_says_so(engine: Engine) -> None:
    found = engine.render(RenderRequest("{% for m in messages %}\n{{ m.role + '' }}{% endfor %}", "x"))
    assert found.problem is not None
    assert found.problem.message.startswith("“messages” is one text, and the template reads a list of messages: ")
    assert found.problem.line == 2


def test_a_template_that_prints_it_goes_on(engine: Engine) -> None:
    assert engine.render(RenderRequest("[{{ messages }}]", "x")).text == "[x]"

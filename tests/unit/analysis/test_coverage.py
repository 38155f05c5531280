"""Lines that ran, and lines that never did."""

from thinkpane.analysis.coverage import Coverage, coverage, dead_branches, united
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest

SOURCE = """{# a comment #}
{% if tools %}
tools
and more
{% elif documents %}
documents
{% else %}
neither

{% endif %}
{% for m in messages %}{{ m.role }}
{{ m.content }}
{% endfor %}
"""


def test_one_render() -> None:
    found = coverage([1, 2, 3, 5], [5, 1])
    assert (found.executed, found.missed) == ((1, 5), (2, 3))
    assert found.words == "2 of 4 lines executed"
    assert Coverage((1,), (1,)).words == "1 of 1 line executed"


def test_dead_branches_are_those_that_no_conversation_reached() -> None:
    one, other = Coverage((1, 2, 4, 6, 7, 9), (1, 6)), Coverage((1, 2, 4, 6, 7, 9), (1, 9))
    assert united([one, other]).executed == (1, 6, 9)
    assert dead_branches([one, other]) == ((2, 4), (7, 7))
    assert dead_branches([one]) == ((2, 4), (7, 9))
    assert dead_branches([]) == ()


def test_every_printed_line_counts(engine: Engine) -> None:
    ran = engine.trace(RenderRequest(SOURCE, [{"role": "user", "content": "x"}]))["lines"]
    assert ran == [2, 8, 11, 12]


def test_what_could_run(engine: Engine) -> None:
    found = engine.job("facts", {"source": SOURCE})["executable"]
    assert found == [2, 3, 4, 6, 8, 11, 12]

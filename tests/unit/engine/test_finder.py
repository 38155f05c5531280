"""Regular expressions in their child process."""

import threading
from collections.abc import Iterator

import pytest

from support.patience import PATIENCE
from thinkpane.engine.finder import ExpressionFinder
from thinkpane.engine.host import Ticket
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.finding import Query


@pytest.fixture(scope="module")
def finder() -> Iterator[ExpressionFinder]:
    found = ExpressionFinder(deadline=PATIENCE)
    yield found
    found.close()


def test_hits_come_back_with_their_places(finder: ExpressionFinder) -> None:
    found = finder.find("😀 one\ud800 two \u2002", Query(r"\b\w+|\N{EN SPACE}", regex=True))
    assert (list(found.starts), list(found.ends)) == ([2, 7, 11], [5, 10, 12])


@pytest.mark.parametrize("words", ["(a+)+$", "(a|aa)+[bc]$", "(.*)*x(.*)*y(.*)*z(.*)*q"])
def test_an_expression_without_end_is_stopped_and_told(words: str) -> None:
    finder = ExpressionFinder(deadline=0.5)
    found = finder.find("a" * 60 + "?", Query(words, regex=True))
    assert found.problem == "This expression was stopped after 0.5 s: it tries too many ways on this text."
    finder._engine.deadline = PATIENCE
    assert len(finder.find("aaa", Query("a", regex=True))) == 3
    finder.close()


def test_what_is_no_expression_is_told(finder: ExpressionFinder) -> None:
    assert finder.find("", Query("(", regex=True)).problem.startswith("This is no regular expression: ")


def test_a_search_is_cancelled_by_its_ticket() -> None:
    finder = ExpressionFinder(deadline=PATIENCE)
    ticket = Ticket()
    ended: list[str] = []

    def search() -> None:
        try:
            finder.find("a" * 60 + "?", Query("(a+)+$", regex=True), ticket)
        except ThinkpaneError as error:
            ended.append(error.problem.kind)

    thread = threading.Thread(target=search)
    thread.start()
    while thread.is_alive():
        finder.cancel(ticket)
        thread.join(0.05)
    finder.close()
    assert ended == ["cancelled"]

"""Analyses share batches, keep their labels apart, and long batches are cut."""

from collections.abc import Sequence

from thinkpane.analysis.rendering import JOB_CHARACTERS, Analysis, analyse, analyse_together
from thinkpane.engine.request import Rendered, RenderRequest


def request(text: str) -> RenderRequest:
    return RenderRequest("source", text)


def asking(*rounds: str) -> Analysis[list[str | None]]:
    got = []
    for text in rounds:
        answered = yield {"label": request(text)}
        got.append(answered["label"].text)
    return got


class Echo:
    def __init__(self) -> None:
        self.sizes: list[int] = []

    def __call__(self, requests: Sequence[RenderRequest]) -> list[Rendered]:
        self.sizes.append(len(requests))
        return [Rendered(f"<{each.messages}>") for each in requests]


def test_rounds_are_shared_and_answers_go_to_whoever_asked() -> None:
    echo = Echo()
    assert analyse_together(echo, asking("a", "b", "c"), asking("x"), asking()) == (
        ["<a>", "<b>", "<c>"],
        ["<x>"],
        [],
    )
    assert echo.sizes == [2, 1, 1]


def test_one_analysis_by_itself() -> None:
    assert analyse(Echo(), asking("a")) == ["<a>"]


def test_a_batch_of_long_conversations_is_cut_into_jobs() -> None:
    echo = Echo()
    long = "x" * (JOB_CHARACTERS // 2 - 100)

    def many() -> Analysis[int]:
        answered = yield {number: request(long) for number in range(5)}
        return len(answered)

    assert analyse(echo, many()) == 5
    assert echo.sizes == [2, 2, 1]

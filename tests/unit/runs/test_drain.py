"""Draining has an end even where more comes than can be taken."""

from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.runs.run import Over, Run
from thinkpane.streaming.events import AnswerDelta, Ended, Finish


def test_what_is_left_comes_with_the_next_call() -> None:
    run = Run(HttpRequest("POST", "http://h", (), {}))
    for number in range(2_000):
        run.put(AnswerDelta(f"{number} ", "a"), 0.0)
    for event in (Finish("stop"), Ended(clean=True), Over(None)):
        run.put(event, 0.0)
    found = run.drain(0.0)
    assert len(found) < 2_000
    assert run.state != "done"
    assert run.wait_for_news(0)
    while len(found) < 2_002:
        found += run.drain(0.001)
    assert run.is_over
    assert len(found) == 2_002
    assert run.transcript.answer.split() == [str(number) for number in range(2_000)]

"""The prompt service: newest wins, the last good prompt stays, a stale render is ended."""

import contextlib
import queue
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from support.patience import PATIENCE
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.service import PromptService
from thinkpane.templates.library import from_source

ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


class Desk:
    """A service and the prompts it delivered: each once as it is rendered, and again as it is traced."""

    def __init__(self, engine: Engine) -> None:
        self.prompts: queue.Queue[Prompt] = queue.Queue()
        self.traced: queue.Queue[Prompt] = queue.Queue()
        self._seen: set[int] = set()
        self.service = PromptService(engine, self._take)

    def _take(self, prompt: Prompt) -> None:
        kept = self.traced if prompt.serial in self._seen else self.prompts
        self._seen.add(prompt.serial)
        kept.put(prompt)

    def next(self) -> Prompt:
        """The next prompt that is delivered."""
        return self.prompts.get(timeout=PATIENCE)


class Signalling(Engine):
    """An engine that says when a render begins."""

    def __init__(self, deadline: float) -> None:
        super().__init__(spare=0, deadline=deadline)
        self.started = threading.Event()

    def render(self, request: RenderRequest, deadline: float | None = None, owner: object = None) -> Rendered:
        """The render, announced."""
        self.started.set()
        return super().render(request, deadline, owner)


class Tracing(Engine):
    """An engine whose first trace waits until it is cancelled."""

    def __init__(self, deadline: float) -> None:
        super().__init__(spare=1, deadline=deadline)
        self.tracing, self.ended, self.free = threading.Event(), threading.Event(), threading.Event()
        self._ticket: object = None

    def owners(self, request: RenderRequest, deadline: float | None = None, owner: object = None) -> JsonObject:
        """The trace; the first one is an endless one."""
        if not self.tracing.is_set():
            self._ticket = owner
            self.tracing.set()
            assert self.ended.wait(PATIENCE)
            raise ThinkpaneError(Problem("cancelled", "The render was cancelled."))
        assert self.free.wait(PATIENCE)
        return super().owners(request, deadline, owner)

    def cancel(self, owner: object = None) -> None:
        """Ends what `owner` started."""
        if owner is self._ticket:
            self.ended.set()
        super().cancel(owner)


@pytest.fixture
def desk(engine: Engine) -> Iterator[Desk]:
    made = Desk(engine)
    yield made
    made.service.close()


def job(source: str, text: str = "hi") -> PromptJob:
    """A job over one user message."""
    return PromptJob(from_source(source), Conversation((message("user", text),)))


def test_prompt_is_delivered(desk: Desk) -> None:
    desk.service.ask(job("<|user|>{{ messages[0].content }}", "U"))
    prompt = desk.next()
    assert prompt.text == "<|user|>U"
    assert [(each.start, each.end, each.special, each.role) for each in prompt.segments] == [
        (0, 8, True, "user"),
        (8, 9, False, "user"),
    ]
    assert prompt.is_current
    assert prompt.request is not None


def test_last_good_prompt_stays_on_an_error(desk: Desk) -> None:
    desk.service.ask(job("good"))
    first = desk.next()
    desk.service.ask(job("a\n{{ 1 / 0 }}"))
    second = desk.next()
    assert (second.text, second.stale, second.is_current) == ("good", True, False)
    assert second.segments == first.segments
    assert second.problem is not None
    assert second.problem.line == 2
    assert second.serial > first.serial


def test_error_without_a_good_prompt(desk: Desk) -> None:
    desk.service.ask(job("{{ 1 / 0 }}"))
    prompt = desk.next()
    assert (prompt.text, prompt.stale) == ("", False)


def test_the_same_prompt_comes_again_with_its_owners(desk: Desk) -> None:
    desk.service.ask(job("<|user|>{{ messages[0].content }}{# #}", "U"))
    first = desk.next()
    assert (first.owners, first.untraced) == (None, "")
    second = desk.traced.get(timeout=PATIENCE)
    assert second.owners is not None
    assert second == replace(
        first, owners=second.owners, reads=second.reads, ignored=second.ignored, lines=second.lines
    )
    span = second.owners.at(8)
    assert span is not None
    assert (span.owner.line, span.owner.path, span.owner.at) == (1, "messages[0].content", (0, 1))
    assert "messages[0].content" in second.reads
    assert second.lines == (1,)


def test_a_stale_prompt_keeps_the_owners_of_its_text(desk: Desk) -> None:
    desk.service.ask(job("good"))
    traced = desk.traced.get(timeout=PATIENCE)
    desk.service.ask(job("{{ 1 / 0 }}"))
    desk.next()
    stale = desk.next()
    assert stale.stale
    assert stale.owners is traced.owners


def test_a_prompt_whose_text_comes_out_otherwise_has_no_owners_and_says_so(desk: Desk) -> None:
    desk.service.ask(job("{{ range(99999) | random }}{{ range(99999) | random }}"))
    prompt = desk.traced.get(timeout=PATIENCE)
    assert prompt.owners is None
    assert prompt.untraced


def test_the_time_is_printed_alike_when_it_is_traced(desk: Desk) -> None:
    desk.service.ask(job("{{ strftime_now('%Y-%m-%d %H:%M') }}"))
    prompt = desk.traced.get(timeout=PATIENCE)
    assert prompt.owners is not None


def test_a_newer_prompt_ends_the_trace_before() -> None:
    slow = Tracing(deadline=PATIENCE * 2)
    desk = Desk(slow)
    desk.service.ask(job("{{ messages[0].content }}", "old"))
    assert slow.tracing.wait(PATIENCE)
    desk.service.ask(job("{{ messages[0].content }}", "new"))
    assert [desk.next().text, desk.next().text] == ["old", "new"]
    assert slow.ended.wait(PATIENCE)
    slow.free.set()
    prompt = desk.traced.get(timeout=PATIENCE)
    desk.service.close()
    slow.close()
    assert (prompt.text, desk.traced.empty()) == ("new", True)
    assert prompt.owners is not None


def test_fault_before_rendering_is_delivered(desk: Desk) -> None:
    desk.service.ask(PromptJob(from_source("x"), Conversation(), profile="nope"))
    problem = desk.next().problem
    assert problem is not None
    assert problem.kind == "profile"


def test_fault_of_our_own_does_not_end_the_service(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    desk.service.ask(job("good"))
    desk.next()
    monkeypatch.setattr("thinkpane.prompt.making.prepare", lambda _job, _facts: 1 / 0)
    desk.service.ask(job("x"))
    prompt = desk.next()
    assert (prompt.text, prompt.stale) == ("good", True)
    assert prompt.problem is not None
    assert prompt.problem.kind == "internal"
    assert "ZeroDivisionError" in caplog.text
    monkeypatch.undo()
    desk.service.ask(job("again"))
    assert desk.next().text == "again"


class Held(Engine):
    """An engine whose first render waits until it may go on."""

    def __init__(self) -> None:
        super().__init__(spare=0, deadline=PATIENCE)
        self.started, self.goes_on = threading.Event(), threading.Event()
        self.sources: list[str] = []

    def render(self, request: RenderRequest, deadline: float | None = None, owner: object = None) -> Rendered:
        """The render, noted."""
        self.sources.append(request.source)
        self.started.set()
        assert self.goes_on.wait(PATIENCE)
        return super().render(request, deadline, owner)


def test_newest_wins() -> None:
    engine = Held()
    desk = Desk(engine)
    desk.service.ask(job("0"))
    assert engine.started.wait(PATIENCE)
    for number in range(1, 50):
        desk.service.ask(job(f"{number}"))
    engine.goes_on.set()
    last = desk.next()
    while last.text != "49":
        last = desk.next()
    desk.service.close()
    engine.close()
    assert desk.prompts.empty()
    assert engine.sources == ["0", "49"]


def test_stale_render_is_ended() -> None:
    engine = Signalling(deadline=PATIENCE * 2)
    desk = Desk(engine)
    desk.service.ask(job(ENDLESS))
    assert engine.started.wait(PATIENCE)
    desk.service.ask(job("new"))
    prompt = desk.next()
    desk.service.close()
    engine.close()
    assert (prompt.text, prompt.problem) == ("new", None)


def test_cancelled_render_that_nothing_follows_is_told() -> None:
    engine = Signalling(deadline=PATIENCE * 2)
    desk = Desk(engine)
    desk.service.ask(job(ENDLESS))
    assert engine.started.wait(PATIENCE)
    problem = None
    for _ in range(200):  # the announced render may not have reached a worker yet
        engine.cancel()
        with contextlib.suppress(queue.Empty):
            problem = desk.prompts.get(timeout=0.1).problem
            break
    desk.service.close()
    engine.close()
    assert problem is not None
    assert problem.kind == "cancelled"


def test_render_now_gives_what_it_made(desk: Desk) -> None:
    assert desk.service.render_now(job("{{ messages[0].content }}", "now")).text == "now"
    assert desk.prompts.empty()
    assert desk.service.render_now(job("{{ 1 / 0 }}")).text == "now"


def test_nothing_is_delivered_after_close() -> None:
    engine = Signalling(deadline=PATIENCE * 2)
    desk = Desk(engine)
    desk.service.ask(job(ENDLESS))
    assert engine.started.wait(PATIENCE)
    desk.service.close()
    desk.service.ask(job("late"))
    engine.close()
    assert desk.prompts.empty()

"""Owners of real renders: they cover exactly the text that is shown, and lead to the characters they came from."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.patience import PATIENCE
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.making import PromptMaker
from thinkpane.prompt.places import value_at
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.tracer import OTHER_TEXT, traced
from thinkpane.templates.library import from_source, load

ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)
SHARED_ENGINE = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=20
)


def rendered(engine: Engine, template: str, *talk: tuple[str, str]) -> Prompt:
    """A prompt as it is shown first, by a built-in template."""
    conversation = Conversation(tuple(message(role, text) for role, text in talk))
    return PromptMaker(engine).make(PromptJob(load(template), conversation))


@pytest.mark.parametrize("template", ["chatml", "protium-1.0", "command-r7b", "glm-5.2", "llama-3"])
@SHARED_ENGINE
@given(texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_spans_cover_exactly_the_text_and_lead_to_their_characters(
    engine: Engine, template: str, texts: list[str]
) -> None:
    roles = ("user", "assistant")
    prompt = rendered(engine, template, *((roles[number % 2], text) for number, text in enumerate(texts)))
    assert prompt.problem is None
    found = traced(prompt, engine)
    owners = found.owners
    assert owners is not None, found.untraced
    assert found.text == prompt.text
    spans = [owners.span(number) for number in range(len(owners))]
    assert [span.start for span in spans] == [0, *(span.end for span in spans[:-1])][: len(spans)]
    assert owners.length == len(prompt.text) == (spans[-1].end if spans else 0)
    assert sum(owners.counts.values()) == len(prompt.text)
    assert prompt.request is not None
    given_messages: JsonObject = {"messages": prompt.request.messages}
    for span in spans:
        path, at = span.owner.path, span.owner.at
        if path is not None and path.endswith(".content") and at is not None and span.is_exact:
            value = value_at(given_messages, path)
            assert isinstance(value, str)
            assert value[at[0] : at[1]] == prompt.text[span.start : span.end]
            place = found.origins.place(span)
            assert place is not None
            assert place.at == at


def test_a_text_that_is_not_the_shown_one_has_no_owners(engine: Engine) -> None:
    prompt = PromptMaker(engine).make(
        PromptJob(from_source("{{ messages[0].content }}"), Conversation((message("user", "a"),)))
    )
    forged = Prompt(text="b", request=prompt.request, serial=prompt.serial)
    found = traced(forged, engine)
    assert (found.owners, found.untraced) == (None, OTHER_TEXT)


def test_a_trace_that_takes_too_long_says_so(engine: Engine) -> None:
    hurried = Engine(spare=0, deadline=0.2)
    prompt = rendered(engine, "chatml", ("user", "hi"))
    assert prompt.request is not None
    found = traced(replace(prompt, request=replace(prompt.request, source=ENDLESS), milliseconds=0.0), hurried)
    hurried.close()
    assert found.owners is None
    assert found.untraced == "the template ran longer than 0.2 s and was stopped"


def test_nothing_rendered_has_no_owners(engine: Engine) -> None:
    assert traced(Prompt("x"), engine).untraced == "nothing was rendered"


class _Deadlines(Engine):
    """Keeps how long a trace may take."""

    def __init__(self) -> None:
        super().__init__(deadline=2.0)
        self.asked: list[float | None] = []

    def owners(self, request: RenderRequest, deadline: float | None = None, owner: object = None) -> JsonObject:
        self.asked.append(deadline)
        return super().owners(request, PATIENCE, owner)


@pytest.mark.parametrize(("milliseconds", "seconds"), [(0.4, 2.0), (20.0, 6.0), (1_900.0, 10.0)])
def test_the_trace_of_a_long_prompt_may_take_its_time(milliseconds: float, seconds: float, engine: Engine) -> None:
    tracing = _Deadlines()
    try:
        prompt = replace(rendered(engine, "chatml", ("user", "hi")), milliseconds=milliseconds)
        assert traced(prompt, tracing).owners is not None
        assert tracing.asked == [seconds]
    finally:
        tracing.close()

"""Cache reuse between turns: what is reused, what was lost first, and why."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from support.services import PatientServices
from thinkpane.analysis import prefix
from thinkpane.analysis.generated import Reply, generated
from thinkpane.analysis.prefix import Reuse, reuse
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, message
from thinkpane.engine.host import Engine
from thinkpane.prompt.job import PromptJob
from thinkpane.templates.library import from_source

TAGS = ("<think>", "</think>")
KEEPS = (
    "{% for m in messages %}<|{{ m.role }}|>{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>"
    "{% endif %}{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
DROPS = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
OPENS = DROPS.replace("<|assistant|>{% endif", "<|assistant|><think>\n{% endif")
# Thinking stays until the next question, as in templates that keep it while tools are called.
LAST = (
    "{% set ns = namespace(last=0) %}{% for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}"
    "{% endif %}{% endfor %}{% for m in messages %}<|{{ m.role }}|>\n"
    "{% if m.reasoning_content and loop.index0 > ns.last %}<think>{{ m.reasoning_content }}</think>{% endif %}\n"
    "{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """One engine for these tests."""
    services = PatientServices()
    yield services.engine
    services.close()


def talk(turns: int) -> tuple[Message, ...]:
    """Questions and answers with thinking, and one more question."""
    found = []
    for turn in range(turns):
        found += [
            message("user", f"question {turn}"),
            message("assistant", f"answer {turn}", reasoning_content=f"hm {turn}"),
        ]
    return (*found, message("user", "last"))


def found(engine: Engine, source: str, messages: tuple[Message, ...]) -> Reuse:
    return reuse(PromptJob(from_source(source), Conversation(messages)), engine, TAGS)


def test_all_is_reused_where_thinking_stays(engine: Engine) -> None:
    turns = found(engine, KEEPS, talk(3)).turns
    assert [(each.message, each.kept, each.reused == each.total, each.cause) for each in turns] == [
        (1, "all", True, ""),
        (3, "all", True, ""),
        (5, "all", True, ""),
    ]
    assert turns[0].before == "<|user|>question 0<|end|><|assistant|><think>hm 0</think>answer 0<|end|>"
    assert turns[0].after == turns[0].before + "<|user|>question 1<|end|><|assistant|>"
    assert turns[0].length == len(turns[0].after)


def test_thinking_that_is_left_out_of_an_answer(engine: Engine) -> None:
    (turn,) = found(engine, DROPS, talk(1)).turns
    assert turn.kept == "answer"
    assert turn.before == "<|user|>question 0<|end|><|assistant|><think>\nhm 0\n</think>\n\nanswer 0<|end|>"
    assert turn.reused == turn.prompt == len("<|user|>question 0<|end|><|assistant|>")
    assert turn.cause == "thinking of message 2 left out"
    assert (turn.line, turn.token) == (1, "answer 0<|end|><|user|>l…")
    assert turn.place is not None
    assert (turn.place.kind, turn.place.index) == ("message", 1)


def came(engine: Engine, source: str, messages: tuple[Message, ...], reply: Reply) -> Reuse:
    """The reuse where the first answer came in this window."""
    replies = {messages[1].key: reply}.get
    return reuse(PromptJob(from_source(source), Conversation(messages)), engine, TAGS, replies=replies)


def test_an_answer_is_taken_as_the_model_wrote_it(engine: Engine) -> None:
    messages = talk(1)
    wrote = " hm 0 </think>\n answer 0"
    reply = Reply(message("assistant", "answer 0"), "earlier<|assistant|><think>\n", wrote)
    (turn,) = came(engine, OPENS, messages, reply).turns
    assert turn.before == "<|user|>question 0<|end|><|assistant|><think>\n" + wrote
    assert turn.basis == "completion"
    (turn,) = found(engine, OPENS, messages).turns
    assert turn.basis == "template"


def test_what_the_model_wrote_stands_only_behind_the_generation_prompt_that_it_had(engine: Engine) -> None:
    # The thinking was taken out of the message since; it was generated all the same.
    messages = (talk(1)[0], message("assistant", "edited"), talk(1)[2])
    reply = Reply(message("assistant", "answer 0", reasoning_content="hm 0"), "<|assistant|>", "x")
    (turn,) = came(engine, OPENS, messages, reply).turns
    assert turn.before.endswith("<|assistant|><think>\nhm 0\n</think>\n\nanswer 0<|end|>")
    assert turn.basis == "reply"


def test_all_that_came_is_reused_where_the_template_writes_it_so(engine: Engine) -> None:
    reply = Reply(message("assistant", "answer 0"), "<|assistant|>", "<think>hm 0</think>answer 0")
    (turn,) = came(engine, KEEPS, talk(1), reply).turns
    assert (turn.kept, turn.reused == turn.total, turn.basis) == ("all", True, "completion")


def test_only_the_generation_prompt_is_lost(engine: Engine) -> None:
    (turn,) = found(engine, OPENS, talk(1)).turns
    assert turn.kept == "generation prompt"
    assert turn.before.endswith("<|assistant|><think>\nhm 0\n</think>\n\nanswer 0<|end|>")
    assert turn.reused == len("<|user|>question 0<|end|><|assistant|>")


def test_history_is_rewritten_when_a_tool_turn_loses_its_thinking(engine: Engine) -> None:
    loop = (
        message("user", "go"),
        message("assistant", "calling", reasoning_content="first"),
        message("tool", "21"),
        message("assistant", "done", reasoning_content="second"),
        message("user", "again"),
    )
    one, two = found(engine, LAST, loop).turns
    assert one.kept == "all"
    assert two.kept == "history"
    assert two.cause == "thinking of message 2 left out"
    assert two.line == 3


def test_tool_results_in_another_order(engine: Engine) -> None:
    source = (
        "{% for m in messages | selectattr('role', 'equalto', 'tool') | sort(attribute='content') %}"
        "[{{ m.content }}]{% endfor %}{% for m in messages if m.role != 'tool' %}<{{ m.content }}>{% endfor %}"
    )
    loop = tuple(
        message(role, text)
        for role, text in (("user", "go"), ("assistant", "a"), ("tool", "9"), ("assistant", "b"), ("tool", "1"))
    )
    _, turn = found(engine, source, loop).turns
    assert turn.kept == "history"
    assert turn.cause == "tool results are written otherwise or in another order, from message 5 on"


def test_a_next_turn_is_assumed_where_the_answer_is_the_last_message(engine: Engine) -> None:
    (turn,) = found(engine, KEEPS, talk(1)[:-1]).turns
    assert turn.assumed
    assert turn.after.endswith("<|user|>…<|end|><|assistant|>")
    assert turn.kept == "all"


def test_only_the_latest_turns_are_looked_at(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefix, "MOST_TURNS", 2)
    few = found(engine, KEEPS, talk(5))
    assert ([each.message for each in few.turns], few.skipped) == ([7, 9], 3)
    monkeypatch.setattr(prefix, "MOST_CHARACTERS", 0)
    assert found(engine, KEEPS, talk(5)).skipped == 4


def test_a_date_is_found(engine: Engine) -> None:
    assert found(engine, "on {{ strftime_now('%Y-%m-%d') }} " + KEEPS, talk(1)).dated in (5, 6)
    assert found(engine, "on {{ strftime_now('%Y-%m-%d') }} " + KEEPS, talk(1)[:-1]).dated in (5, 6)
    assert found(engine, KEEPS, talk(1)).dated is None


def test_excluded_answers_are_no_turns(engine: Engine) -> None:
    messages = talk(2)
    left_out = (*messages[:1], replace(messages[1], excluded=True), *messages[2:])
    assert [each.message for each in found(engine, KEEPS, left_out).turns] == [3]
    assert found(engine, KEEPS, ()) == Reuse()


def test_a_template_that_refuses_says_so(engine: Engine) -> None:
    source = "{% if messages | length > 2 %}{{ raise_exception('too long') }}{% endif %}x"
    none = found(engine, source, talk(2))
    assert (none.turns, none.skipped) == ((), 2)
    assert none.problem is not None


@pytest.mark.parametrize(
    ("prompt", "answered", "answer", "wrote"),
    [
        ("P", "Panswer<e>", message("assistant", "answer"), "answer<e>"),
        ("P", None, message("assistant", "answer"), "answer"),
        ("P<think>\n", "Panswer<e>", message("assistant", "answer"), "</think>answer<e>"),
        ("P<think>\n", "P</think>a<e>", message("assistant", "a", reasoning="r"), "r\n</think>\n\na<e>"),
        ("P<think>\n", "P<think>r</think>a<e>", message("assistant", "a", reasoning="r"), "r</think>a<e>"),
        ("P", "P<think>\n\n</think>\n\na<e>", message("assistant", "a"), "<think>\n\n</think>\n\na<e>"),
        ("P", "Pa<e>", message("assistant", "a", thinking="r"), "<think>\nr\n</think>\n\na<e>"),
    ],
)
def test_an_answer_as_it_was_generated(prompt: str, answered: str | None, answer: Message, wrote: str) -> None:
    assert generated(prompt, answered, answer, TAGS) == wrote

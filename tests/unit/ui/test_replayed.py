"""How the next prompt would hold an edited thought, found by rendering."""

from collections.abc import Sequence

import jinja2
import pytest

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, message
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.profiles._api import NO_FACTS
from thinkpane.templates.template import Template
from thinkpane.ui.models.replayed import NEXT, Replayed, found_in, replayed

KEEPS = (
    "{% for m in messages %}<{{ m.role }}>"
    "{% if m.reasoning_content %}[{{ m.reasoning_content|trim }}]{% endif %}{{ m.content }}\n{% endfor %}"
)
DROPS = "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}"


def render_many(requests: Sequence[RenderRequest]) -> list[Rendered]:
    return [
        Rendered(jinja2.Environment(autoescape=False).from_string(each.source).render(messages=each.messages), None)
        for each in requests
    ]


def asked(template: str, thought: str, *talk: Message) -> Replayed:
    job = PromptJob(Template("", template), Conversation(messages=talk))
    return replayed(job, len(talk) - 1, thought, render_many, NO_FACTS)


REPLY = message("assistant", "So.")


def test_a_thought_that_the_template_replays_is_found_in_the_next_prompt() -> None:
    found = asked(KEEPS, " Hm. ", message("user", "Hi"), REPLY)
    assert (found.sentence, found.tone) == ("Replayed as it is, in line 2 of the next prompt.", "good")
    assert found.excerpt[found.start : found.end] == "Hm."
    assert NEXT in found.excerpt


def test_a_thought_that_the_template_drops_is_told() -> None:
    found = asked(DROPS, "Hm.", message("user", "Hi"), REPLY)
    assert (found.tone, found.start, found.end) == ("warning", 0, 0)
    assert found.sentence.startswith("Dropped: ")
    assert asked(DROPS, " ", REPLY).sentence == "There is no thought to replay."


def test_after_tool_calls_their_results_come_next() -> None:
    calls: list[JsonValue] = [{"id": "1", "type": "function", "function": {"name": "f", "arguments": {}}}]
    found = asked(KEEPS, "Hm.", Message({"role": "assistant", "content": "", "tool_calls": calls}))
    assert "<tool>" + NEXT in found.excerpt


def test_a_thought_in_another_form_is_told_as_such() -> None:
    assert found_in("a <THINK LOUD> b", "a <OTHER> b", "think loud") == Replayed(
        "Replayed in another form, in line 1 of the next prompt.", "warning", "a <THINK LOUD> b", 3, 13
    )


def test_the_first_letters_may_be_those_of_the_other_thought() -> None:
    found = found_in("x\n[Another day]", "x\n[Another thought.]", "Another day")
    assert found.excerpt[found.start : found.end] == "Another day"
    assert "line 2" in found.sentence


@pytest.mark.parametrize("profile", ["transformers", "nobody"])
def test_a_prompt_that_cannot_be_made_says_why(profile: str) -> None:
    def failing(requests: Sequence[RenderRequest]) -> list[Rendered]:
        return [Rendered(None, Problem("template", "No such filter.")) for _ in requests]

    job = PromptJob(Template("", KEEPS), Conversation(messages=(REPLY,)), profile=profile)
    found = replayed(job, 0, "x", failing, NO_FACTS)
    assert found.tone == "bad"
    assert ("No such filter." in found.sentence) == (profile == "transformers")

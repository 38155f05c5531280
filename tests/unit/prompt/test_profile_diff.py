"""What a switch of the runtime profile does to a prompt."""

from typing import Any

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.engine.host import Engine
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.profile_diff import ProfileDiff, compare_profiles
from thinkpane.templates.template import Template

TEXTS = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"


def compared(engine: Engine, profile: str, source: str, *messages: Any, before: str = "transformers") -> ProfileDiff:
    job = PromptJob(Template("x", source), Conversation(messages), profile=profile)
    return compare_profiles(job, before, engine)


def test_what_differs_is_counted_and_told(engine: Engine) -> None:
    found = compared(engine, "sglang", TEXTS, message("user", "u"), message("assistant", "I go"))
    assert found.before.text == "<user>u<assistant>I go"
    assert found.after.text == "<user>u<user>I go"
    assert [piece.kind for piece in found.pieces] == ["same", "removed", "added", "same"]
    assert found.sentence == "SGLang: 1 rewrite, 11 characters differ"


def test_a_prompt_that_stays_the_same(engine: Engine) -> None:
    found = compared(engine, "plain", TEXTS, message("user", "u"))
    assert found.characters == 0
    assert found.sentence == "Plain: nothing rewritten, the same prompt as with transformers"


def test_a_side_that_makes_no_prompt(engine: Engine) -> None:
    strange = message("narrator", "u")
    refused = compared(engine, "sglang", TEXTS, strange)
    assert refused.after.problem is not None
    assert refused.pieces == ()
    assert refused.sentence == "SGLang: no prompt to compare, as transformers had one."
    back = compared(engine, "transformers", TEXTS, strange, before="sglang")
    assert back.sentence == "transformers: nothing rewritten; SGLang makes no prompt of this."

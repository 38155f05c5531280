"""Tier text: what of a prompt comes and goes with a tier or a variable, on real templates and on changes of texts."""

import re
from collections.abc import Hashable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.discovered import discovered
from support.patient import PATIENT
from thinkpane.analysis import tier_text as module
from thinkpane.analysis.in_force import in_force
from thinkpane.analysis.tier_text import added, tier_text
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue


def brought(engine: Engine, id: str, content: str = "hi", **variables: JsonValue) -> list[str]:
    """The tier text of one question with a system message before it."""
    template = discovered(engine, id).template
    messages: list[JsonValue] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": content},
    ]
    request = RenderRequest(template.source, messages, variables={**template.variables, **variables})
    (rendered,) = engine.render_many([request])
    assert rendered.text is not None
    found = in_force(template, request, engine.render_many).tier_text
    return [rendered.text[start:end] for start, end in found]


def test_the_tiers_own_paragraph_with_its_turn_is_tier_text(engine: Engine) -> None:
    (found,) = brought(engine, "protium-1.0", reasoning_effort="3")
    assert found.startswith("<|system|>Reasoning effort: Artemis")
    assert found.endswith("then terminate thinking immediately.")


def test_a_tier_that_only_closes_thinking_brings_that(engine: Engine) -> None:
    assert brought(engine, "protium-1.0", reasoning_effort="0") == ["</think>"]


def test_the_default_tier_is_told_without_anything_set(engine: Engine) -> None:
    (found,) = brought(engine, "protium-1.0")
    assert found.startswith("<|system|>Reasoning effort: Proteus")


def test_a_template_without_controls_has_none(engine: Engine) -> None:
    assert brought(engine, "chatml") == []


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("<s><u>hi", "<s><u>think<u>hi", ["<u>think"]),
        ("a b", "a b", []),
        ("", "new", ["new"]),
        ("one two three", "one 2 three 4", ["2", " 4"]),
        ("gone", "", []),
    ],
)
def test_what_was_added_begins_as_early_as_it_may(before: str, after: str, found: list[str]) -> None:
    assert [after[start:end] for start, end in added(before, after)] == found


@PATIENT
@given(st.text("ab <|>\n", max_size=40), st.text("ab <|>\n", max_size=12), st.integers(0, 40))
def test_an_insertion_is_found_whole(text: str, new: str, at: int) -> None:
    place = min(at, len(text))
    after = text[:place] + new + text[place:]
    stretches = added(text, after)
    rest = list(after)
    for start, end in reversed(stretches):
        del rest[start:end]
    assert len("".join(rest)) <= len(text)
    assert stretches == sorted(stretches)


def test_stretches_of_several_comparisons_are_merged() -> None:
    answers: dict[Hashable, str | None] = {
        "actual": "a b c d",
        "one": "a c d",
        "two": "a d",
        "same": "a b c d",
        "failed": None,
    }
    assert tier_text(answers, ["one", "two", "same", "failed", "never asked"]) == ((1, 5),)
    assert tier_text({"actual": None}, []) == ()


def test_a_long_line_is_read_around_each_stretch_only(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    class Counted:
        def finditer(self, text: str, start: int, end: int) -> Iterator[re.Match[str]]:
            read.append(end - start)
            return words.finditer(text, start, end)

    words = module._WORD
    monkeypatch.setattr(module, "_WORD", Counted())
    before = " ".join(f"w{number}" for number in range(5_000))
    after = re.sub(r"(w\d*00) ", r"\1 more ", before)
    assert [after[start:end] for start, end in added(before, after)] == [" more"] * 49
    assert max(read) < 100


def test_a_text_of_one_repeated_word_is_gone_through_up_to_a_bound() -> None:
    ((start, end),) = added("ab " * 10_000, "ab " * 10_001)
    assert end - start == 3
    assert start in (0, 30_000 - module._FARTHEST)

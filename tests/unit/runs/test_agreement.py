"""Two replies compared: what counts as the same, where they part, and what is said of it."""

import pytest

from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.runs.agreement import Agreement, chance, compare
from thinkpane.runs.agreement_words import Prompts, may_be_chance, outcome, reasons
from thinkpane.streaming.events import (
    AnswerDelta,
    Ended,
    Event,
    Failed,
    Finish,
    ThinkingDelta,
    ToolDelta,
    UsageReport,
)
from thinkpane.streaming.transcript import Transcript

COLD: JsonObject = {"temperature": 0, "seed": 1}


def reply(
    thinking: str = "",
    answer: str = "",
    *more: Event,
    finish: str = "stop",
    prompt: int = 9,
    tokens: int = 5,
    ended: bool = True,
) -> Transcript:
    found = Transcript()
    if thinking:
        found.apply(ThinkingDelta(thinking, "t"))
    if answer:
        found.apply(AnswerDelta(answer, "a"))
    found.apply_all(more)
    if ended:
        counts: JsonObject = {"prompt_tokens": prompt, "completion_tokens": tokens}
        found.apply_all([UsageReport(counts), Finish(finish), Ended(clean=True)])
    return found


def failed(message: str) -> Transcript:
    found = Transcript()
    found.apply_all([Failed(Problem("server", message)), Ended(clean=False)])
    return found


def call(arguments: str, name: str = "get_weather") -> ToolDelta:
    return ToolDelta("0", "id", name, arguments)


def test_the_same_text_agrees() -> None:
    found = compare(reply("Hm.", "Hello."), reply("Hm.", "Hello."))
    assert found.verdict == "agree"
    assert found.parting is None
    said = "The replies agree: thinking and the answer are the same. Both finished with “stop”. Both took 5 tokens."
    assert outcome(found) == said
    assert reasons(found, COLD, "same") == "The prompts were the same."


def test_white_space_at_the_ends_is_what_servers_cut_off() -> None:
    found = compare(reply("Hm.", "Hello."), reply("\nHm.\n", "\n\nHello. "))
    assert (found.verdict, found.thinking, found.answer) == ("agree", "trimmed", "trimmed")
    assert "the same but for white space at the ends" in outcome(found)


def test_white_space_inside_is_a_difference() -> None:
    assert compare(reply("", "a b"), reply("", "a  b")).answer == "differs"


@pytest.mark.parametrize(
    ("one", "other", "at", "ends"),
    [
        ("The sea is calm.", "The sun is high.", 5, ("ea is calm.", "un is high.")),
        ("Short", "Short and long", 5, ("", " and long")),
        ("\nSame start 1", "Same start 2", 12, ("1", "2")),
        ("😀a", "😀b", 1, ("a", "b")),
    ],
)
def test_where_they_part(one: str, other: str, at: int, ends: tuple[str, str]) -> None:
    place = compare(reply("", one), reply("", other)).parting
    assert place is not None
    assert (place.part, place.at, place.one, place.other) == ("answer", at, *ends)


def test_the_first_difference_is_in_what_came_first() -> None:
    found = compare(reply("one", "x"), reply("two", "y"))
    assert found.parting is not None
    assert found.parting.part == "thinking"
    words = outcome(found)
    assert "The thinking parts after character 0: Chat goes on with “one”, Raw with “two”." in words
    assert "The answers differ, too." in words


def test_the_words_show_line_ends_and_where_one_is_over() -> None:
    words = outcome(compare(reply("", "a\nb"), reply("", "a")))
    assert "The answers part after character 1: Chat goes on with “⏎b”, Raw with nothing more." in words


def test_a_finish_alone_makes_a_difference() -> None:
    found = compare(reply("", "x", finish="stop", tokens=5), reply("", "x", finish="length", tokens=6))
    assert found.verdict == "differ"
    words = outcome(found)
    assert "The answer is the same." in words
    assert "Chat finished with “stop”, Raw with “length”." in words
    assert "Chat took 5 tokens, Raw 6." in words
    assert "No limit of tokens is set" in reasons(found, {}, "")
    assert "No limit of tokens is set" not in reasons(found, {"max_tokens": 9}, "")


def test_calls_are_compared_by_what_they_say() -> None:
    one, other = reply("", "", call('{"a": 1, "b": 2}')), reply("", "", call('{"a":1,"b":2}'))
    assert compare(one, other).calls == "same"
    assert outcome(compare(one, other)).startswith("The replies agree: the tool calls are the same.")
    assert compare(one, reply("", "", call('{"a": 1}'))).calls == "differs"
    assert compare(one, reply("", "", call('{"a": 1, "b": 2}', "other"))).calls == "differs"
    assert compare(reply("", "", call("{half")), reply("", "", call("{half"))).calls == "same"


def test_a_call_that_only_the_chat_server_reads_is_said_to_be_text_on_the_other_side() -> None:
    found = compare(reply("", "", call("{}"), finish="tool_calls"), reply("", "<tool_call>{}</tool_call>"))
    assert found.verdict == "differ"
    assert "Chat holds 1 tool call, Raw none: there a call stays text" in outcome(found)


def test_a_fault_without_a_reply_cannot_be_compared() -> None:
    found = compare(reply("", "Hello."), failed("The server says no."))
    assert found.verdict == "cannot tell"
    assert outcome(found) == "Raw brought no reply: The server says no."
    assert reasons(found, {}, "same") == ""
    assert not may_be_chance(found, {})


def test_a_stop_before_anything_came_cannot_be_compared() -> None:
    found = compare(Transcript(), reply("", "Hello."))
    assert outcome(found) == "Chat was stopped before anything came."


def test_what_was_stopped_is_compared_as_far_as_both_came() -> None:
    found = compare(reply("", "The sea is", ended=False), reply("", "The sea is calm."))
    assert (found.verdict, found.whole, found.is_same_so_far) == ("unfinished", False, True)
    assert outcome(found) == "As far as both came, the answer is the same. Chat is unfinished: stopped."
    other = compare(reply("", "The sun", ended=False), reply("", "The sea is calm."))
    assert other.verdict == "differ"


def test_an_empty_side_is_never_the_same_as_a_filled_one() -> None:
    """What one server sends as thinking, another may send as the answer; this one was cut off in it."""
    raw = reply("", "Let me see", ended=False)
    raw.apply_all([Failed(Problem("incomplete", "The connection broke off.")), Ended(clean=False)])
    found = compare(reply("Let me see", ""), raw)
    assert (found.verdict, found.thinking, found.answer, found.is_same_so_far) == (
        "unfinished",
        "untold",
        "untold",
        False,
    )
    assert outcome(found) == ("What came of thinking and the answer cannot be compared. Raw is unfinished: cut off.")
    assert reasons(found, {}, "same") == "The prompts were the same."
    assert not may_be_chance(found, {})
    told = found.as_json()
    assert (told["verdict"], told["thinking"], told["answer"]) == ("unfinished", "untold", "untold")


def test_a_difference_stays_one_where_a_reply_is_unfinished() -> None:
    broken = reply("", "The sun", ended=False)
    broken.apply_all([Failed(Problem("server", "It broke.", detail={"status": 500})), Ended(clean=False)])
    found = compare(reply("", "The sea is calm."), broken)
    assert (found.verdict, found.whole) == ("differ", False)
    assert outcome(found).endswith("Raw is unfinished: an error 500.")


def test_two_faults_are_told_each_by_its_name() -> None:
    found = compare(failed("It says no"), failed("It is away."))
    assert outcome(found) == "Chat brought no reply: It says no. Raw brought no reply: It is away."


@pytest.mark.parametrize(
    ("params", "left"),
    [
        ({}, "sampled"),
        ({"temperature": 0}, ""),
        ({"temperature": 0.0}, ""),
        ({"temperature": False}, "sampled"),
        ({"temperature": 0.7}, "sampled"),
        ({"temperature": 0.7, "seed": 1}, "seeded"),
        ({"seed": -1}, "unseeded"),
        ({"seed": "abc"}, "unseeded"),
        ({"seed": True}, "unseeded"),
        ({"seed": None}, "sampled"),
        ({"top_k": 1}, ""),
    ],
)
def test_what_is_left_to_chance(params: dict[str, JsonValue], left: str) -> None:
    assert chance(params) == left


PARTED = compare(reply("", "one"), reply("", "two"))
ALIKE = compare(reply("", "one"), reply("", "one"))


@pytest.mark.parametrize(
    ("found", "params", "prompts", "words"),
    [
        (PARTED, {}, "same", "they may differ by chance alone"),
        (PARTED, {}, "same", "No temperature is sent"),
        (PARTED, {"temperature": 1}, "", "The temperature is above 0 and there is no seed"),
        (PARTED, {"seed": 3}, "same", "only for the same prompt"),
        (PARTED, {"seed": "abc"}, "same", "and the seed that is sent is no number from 0 on: they may differ"),
        (ALIKE, {"seed": "abc"}, "same", "and the seed that is sent is no number from 0 on: another time"),
        (PARTED, COLD, "same", "So the paths themselves differ"),
        (PARTED, COLD, "differs", "The prompts were not the same, so the replies need not be."),
        (PARTED, COLD, "unknown", "cannot be told"),
        (ALIKE, {}, "same", "another time they may differ by chance"),
    ],
)
def test_what_the_outcome_says_and_what_it_does_not(
    found: Agreement, params: JsonObject, prompts: Prompts, words: str
) -> None:
    assert words in reasons(found, params, prompts)


def test_other_counts_of_prompt_tokens_say_that_the_prompts_differ() -> None:
    found = compare(reply("", "x", prompt=9), reply("", "x", prompt=8))
    assert "counts 9 prompt tokens for chat and 8 for raw" in reasons(found, COLD, "")
    assert "(9 and 8 tokens by the server)" in reasons(found, COLD, "differs")


def test_as_json_says_all_of_it() -> None:
    told = PARTED.as_json()
    assert told["verdict"] == "differ"
    assert told["first_difference"] == {"part": "answer", "at": 0, "texts": ["one", "two"]}
    assert told["finish"] == ["stop", "stop"]
    assert told["reply_tokens"] == [5, 5]


def test_a_parameter_of_one_path_is_named() -> None:
    params: JsonObject = {**COLD, "reasoning_budget_tokens": 8}
    assert "A server may heed “reasoning_budget_tokens” on one path only." in reasons(PARTED, params, "same")
    assert "heed" not in reasons(ALIKE, params, "same")


def test_the_same_text_that_only_one_server_took_for_thinking() -> None:
    found = compare(reply("", "\nLet me see. Yes."), reply("Let me see.", "Yes."))
    assert (found.verdict, found.split) == ("differ", (0, 11))
    words = outcome(found)
    expected = (
        "The replies are the same text, but not the same thinking: none of it in Chat, 11 characters of it in Raw."
    )
    assert words.startswith(expected)
    assert "may send it all as answer" in reasons(found, {}, "same")
    assert not may_be_chance(found, {})
    assert compare(reply("a", "b"), reply("a", "c")).split is None

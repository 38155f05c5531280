"""Where a target lies, what is told of it, and why there is none."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.encoded import encoded
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.destinations import Ground, Landmarks, destination, line_start, nearest_message
from thinkpane.prompt.going import target
from thinkpane.prompt.message_places import message_places
from thinkpane.prompt.owners import owners_of
from thinkpane.prompt.places import origins_of
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.special_places import special_places
from thinkpane.prompt.token_service import Encoded
from thinkpane.tokens.segments import cut

SAID = ("Be brief.", "Hé", "Again", "Gone")
TALK = Conversation(
    tuple(message(role, text) for role, text in zip(("system", "user", "user", "user"), SAID, strict=True))
)
TEXT = (
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHé<|im_end|>\n"
    "<|im_start|>user\nAgain<|im_end|>\n<|im_start|>assistant\n"
)


def owned() -> Prompt:
    spans: list[JsonValue] = []
    at = 0
    for index, said in enumerate(SAID[:3]):
        start = TEXT.index(said)
        spans.append([at, start, {"line": 1, "column": 1, "via": [], "path": None, "at": None}])
        at = start + len(said)
        path = f"messages[{index}].content"
        spans.append([start, at, {"line": 2, "column": 1, "via": [], "path": path, "at": [0, len(said)]}])
    spans.append([at, len(TEXT), {"line": 3, "column": 1, "via": [], "path": None, "at": None}])
    request = RenderRequest(source="", messages=TALK.messages_value())
    return Prompt(
        TEXT,
        cut(TEXT, ("<|im_start|>", "<|im_end|>"), {}),
        request=request,
        origins=origins_of(TALK, TALK, TALK.messages_value()),
        owners=owners_of(spans, len(TEXT)),
    )


PROMPT = owned()


def go(typed: str, caret: int = 0, prompt: Prompt = PROMPT, tokens: Encoded | None = None) -> tuple[str, str]:
    """The characters that are selected there, or those from there on, and what is told."""
    ground = Ground(Landmarks(prompt), caret, tokens or encoded(prompt.text))
    found = destination(target(typed), ground)
    return prompt.text[found.start : found.end] or prompt.text[found.start :], found.words


@pytest.mark.parametrize(
    ("typed", "there", "words"),
    [
        ("1", "<|im_start|>", "token 1 of 54 · id 256 · “<|im_start|>” · character 1"),
        ("token 2", "s", "token 2 of 54 · id 115 · “s” · character 13"),
        ("token -1", "\n", "token 54 of 54 · id 10 · “\\n” · character 124"),
    ],
)
def test_tokens(typed: str, there: str, words: str) -> None:
    assert go(typed) == (there, words)


def test_a_part_of_a_character_is_shown_as_its_byte() -> None:
    number = len("<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nH".replace("<|im_start|>", "x")) - 9
    there, words = go(f"token {number + 1}")
    assert (there, words.split(" · ")[2]) == ("é", "“\\xc3”")


def test_messages_begin_with_the_mark_that_opens_their_turn() -> None:
    places = message_places(PROMPT)
    assert [TEXT[each.start :].split("\n", 2)[:2] for each in places] == [
        ["<|im_start|>system", "Be brief.<|im_end|>"],
        ["<|im_start|>user", "Hé<|im_end|>"],
        ["<|im_start|>user", "Again<|im_end|>"],
    ]
    assert [(each.index, each.role) for each in places] == [(0, "system"), (1, "user"), (2, "user")]
    there, words = go("message 3")
    assert there.startswith("<|im_start|>user\nAgain")
    assert words == "message 3 · user · line 5 · character 70"
    found = nearest_message(places, TEXT.index("Again"))
    assert found is not None
    assert found.index == 2
    assert nearest_message(places[1:], 0) is None


@pytest.mark.parametrize(
    ("typed", "there", "words"),
    [
        ("line 2", "Be brief.<|im_end|>\n", "line 2 of 8 · character 20"),
        ("l2:4", "brief.<|im_end|>\n", "line 2 of 8 · character 23"),
        ("line last", "", "line 8 of 8 · character 125"),
        ("c58", "é<|im_end|>", "character 58 of 124 · line 4 · U+00E9 LATIN SMALL LETTER E WITH ACUTE"),
    ],
)
def test_lines_and_characters(typed: str, there: str, words: str) -> None:
    found, told = go(typed)
    assert found.startswith(there)
    assert told == words


def test_special_tokens_from_the_caret_on_and_back() -> None:
    assert go("next") == ("<|im_end|>", "<|im_end|> · 2 of 7 special tokens · character 29")
    assert go("<", caret=28)[1] == "<|im_start|> · 1 of 7 special tokens · character 1"
    assert go("<")[1] == "<|im_start|> · 7 of 7 special tokens, round the end · character 103"
    assert go("> end", caret=29)[1] == "<|im_end|> · 2 of 3 · character 59"
    assert go("im_end 3")[1] == "<|im_end|> · 3 of 3 · character 92"
    assert special_places(PROMPT).counts() == [("<|im_start|>", 4), ("<|im_end|>", 3)]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("80", "There are 54 tokens, so there is no token 80."),
        ("-80", "There are 54 tokens, so there is no token 80 from the end."),
        ("message 9", "There are 4 messages, so there is no message 9."),
        ("message 4", "Nothing of message 4 stands in this prompt."),
        ("line 9", "There are 8 lines, so there is no line 9."),
        ("line 1:30", "Line 1 has 18 characters, so there is no column 30."),
        ("im_", "“im_” stands in 2 special tokens: <|im_start|>, <|im_end|>."),
        ("im_end 4", "There are 3 of <|im_end|>, so there is no <|im_end|> 4."),
        (
            "nonsense",
            "“nonsense” is no place, and no special token of this prompt holds it: try “line 4” or “message 2”.",
        ),
    ],
)
def test_where_there_is_no_such_place_one_sentence_says_so(typed: str, sentence: str) -> None:
    with pytest.raises(ThinkpaneError) as raised:
        go(typed)
    assert raised.value.problem.message == sentence


@pytest.mark.parametrize(
    ("prompt", "tokens", "typed", "sentence"),
    [
        (Prompt(), None, "1", "There is no prompt to go to a place of."),
        (Prompt("x"), None, "next", "There is no special token in this prompt."),
        (
            Prompt("x"),
            None,
            "m1",
            "Where messages begin is not known: the owners are still being found; try again in a moment.",
        ),
        (
            Prompt("x", untraced="it takes too long"),
            None,
            "m1",
            "Where messages begin is not known: it takes too long.",
        ),
        (
            Prompt("x"),
            Encoded(1),
            "1",
            "Tokens are not known here, because no tokenizer lies beside the template; lines and characters are.",
        ),
        (
            Prompt("x"),
            Encoded(1, problem=Problem("tokenizer", "The file is broken.")),
            "1",
            "Tokens are not known here, because The file is broken; lines and characters are.",
        ),
    ],
)
def test_what_is_not_known_is_told(prompt: Prompt, tokens: Encoded | None, typed: str, sentence: str) -> None:
    with pytest.raises(ThinkpaneError) as raised:
        destination(target(typed), Ground(Landmarks(prompt), 0, tokens))
    assert raised.value.problem.message == sentence


def test_tokens_that_are_still_to_come_are_waited_for() -> None:
    with pytest.raises(ThinkpaneError, match="still being counted"):
        destination(target("1"), Ground(Landmarks(Prompt("x"))))


def test_a_message_that_a_step_added_stands_nowhere_in_the_document() -> None:
    moved = replace(PROMPT, origins=replace(PROMPT.origins, messages=(None, 0, 1, 2)))
    assert [each.index for each in message_places(moved)] == [None, 0, 1]


@given(st.lists(st.integers(0, 40), min_size=1, max_size=400), st.data())
def test_a_line_begins_behind_as_many_newlines(lengths: list[int], data: st.DataObject) -> None:
    text = "\n".join("x" * length for length in lengths)
    number = data.draw(st.integers(0, len(lengths) - 1))
    assert line_start(text, number) == sum(lengths[:number]) + number

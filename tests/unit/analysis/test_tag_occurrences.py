"""Where tags stand, and texts without them."""

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.analysis.tag_occurrences import (
    PLACEHOLDER,
    known_tags,
    tag_occurrences,
    without_tag_texts,
    without_tags,
)
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.template import TagCandidate, Template, TierCandidate

TAGS = ("[L1]", "[L10]", "{REASON:…}", "[MODE:…]")


def texts(content: JsonValue) -> list[str]:
    return [each.text for each in tag_occurrences([{"role": "user", "content": content}], TAGS)]


def test_tags_are_found_in_any_case_and_form() -> None:
    assert texts("[l10] {REASON: a\nb } x [MODE:low] [L1] [L1]") == ["[l10]", "{REASON: a\nb }", "[MODE:low]", "[L1]"]
    assert texts("{REASON:never closed  ") == ["{REASON:never closed"]
    assert texts([{"type": "text", "text": "[L1]"}, "[L10]", {"type": "image"}, None, 3]) == ["[L1]", "[L10]"]
    assert texts(None) == []
    assert tag_occurrences("[L1]", TAGS) == ()
    assert tag_occurrences([None, "x", {"content": "[L1]"}], TAGS)[0].words == "[L1] in message 3"


def test_sentences_name_role_and_number_and_cut_long_tags() -> None:
    messages: JsonValue = [{"role": "tool", "content": "[L1]"}, {"role": "user", "content": "{REASON:" + "x" * 99}]
    first, second = tag_occurrences(messages, TAGS, numbers=[4, 7])
    assert first.words == "[L1] in message 4 (tool)"
    assert second.words == "{REASON:" + "x" * 31 + "… in message 7"


def test_tags_are_those_of_tiers_and_tags() -> None:
    template = Template(
        "x",
        "",
        tiers=(TierCandidate("One", "1", {}, "[L1]"), TierCandidate("Two", "2", {})),
        tags=(TagCandidate("[L1]", "[L1] "), TagCandidate("{REASON:…}", "x")),
    )
    assert known_tags(template) == ("[L1]", "{REASON:…}")


def test_without_tags_changes_only_the_messages_meant_and_nothing_given() -> None:
    image: JsonValue = {"type": "image", "url": "[L1]"}
    messages: list[JsonValue] = [
        {"role": "user", "content": "[L1] a"},
        {"role": "user", "content": ["[L1]", {"type": "text", "text": "b [L1]"}, image]},
        {"role": "user", "content": "[L1] c", "name": "x"},
    ]
    found = tag_occurrences(messages, TAGS)
    assert without_tags(messages, found[1:2]) == [
        messages[0],
        {"role": "user", "content": [PLACEHOLDER, {"type": "text", "text": f"b {PLACEHOLDER}"}, image]},
        messages[2],
    ]
    assert messages[0] == {"role": "user", "content": "[L1] a"}
    assert without_tags("text", found) == "text"


@given(st.lists(st.sampled_from(["[L1]", "[l10]", "{REASON:", "}", "[MODE:x]", " a ", "\n", "[", "]"]), max_size=12))
def test_without_all_its_tags_a_text_folds_to_what_it_was_without_them(pieces: list[str]) -> None:
    text = "".join(pieces)
    messages: JsonValue = [{"role": "user", "content": text}]
    found = tag_occurrences(messages, TAGS)
    bare = without_tags(messages, found)
    assert isinstance(bare, list)
    assert isinstance(bare[0], dict)
    assert without_tag_texts(text, found) == without_tag_texts(str(bare[0]["content"]), found)

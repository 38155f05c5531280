"""A prompt cut at its special tokens: nothing lost, each stretch with whose part it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinkpane.tokens.changes import change_between
from thinkpane.tokens.segments import MOST_TOKENS, Cutter, Segment, Segments, cut

CHATML = ("<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_response>", "</tool_response>")


def roles_of(text: str, tokens: tuple[str, ...], roles: dict[str, str] | None = None) -> list[tuple[str, str]]:
    """The stretches as (text, role), white space left out."""
    found = cut(text, tokens, roles or {})
    return [(text[each.start : each.end], each.role) for each in found if text[each.start : each.end].strip()]


@given(
    st.text(st.sampled_from("<|a>b/[]\n\ud800é")), st.lists(st.text(st.sampled_from("<|a>[]"), max_size=4), max_size=5)
)
def test_no_gap_and_no_overlap(text: str, tokens: list[str]) -> None:
    found = cut(text, tokens, {})
    assert "".join(text[each.start : each.end] for each in found) == text
    assert [each.start for each in found[1:]] == [each.end for each in found[:-1]]
    for each in found:
        assert each.special == (text[each.start : each.end] in tokens)
        assert each.special or not any(token and token in text[each.start : each.end] for token in tokens)


PIECES = st.sampled_from(
    [
        *CHATML,
        "<|im_",
        "user",
        "system\n",
        "assistant",
        "tool",
        "\n",
        " ",
        "\t",
        "[",
        "x",
        "é",
        "\ud800",
        "<",
        "use",
        "r",
    ]
)


@given(
    st.lists(PIECES, max_size=40),
    st.lists(PIECES, max_size=8),
    st.integers(0, 60),
    st.integers(0, 60),
    st.sampled_from([CHATML, ("user", "x", "<|im_start|>"), ("<|im_start|>", "tool"), (), ("\n",)]),
)
@settings(max_examples=500)
def test_what_is_cut_again_is_as_if_cut_anew(
    pieces: list[str], put: list[str], first: int, last: int, tokens: tuple[str, ...]
) -> None:
    text = "".join(pieces)
    start, end = sorted((min(first, len(text)), min(last, len(text))))
    new = text[:start] + "".join(put) + text[end:]
    cutter = Cutter(tokens, {}, ("<think>", "</think>"))
    again = cutter.cut_again(new, cutter.cut(text), change_between(text, new))
    assert [*again] == [*cutter.cut(new)]
    assert again == cutter.cut(new), "the arrays too, so that the next one can go on from them"
    assert [again.state(index) for index in range(len(again))] == [
        cutter.cut(new).state(index) for index in range(len(again))
    ]


def test_many_edits_one_after_another() -> None:
    cutter = Cutter(CHATML, {})
    text = "".join(f"<|im_start|>user\nmessage {n}<|im_end|>\n<|im_start|>assistant\nA<|im_end|>\n" for n in range(50))
    segments = cutter.cut(text)
    for at, put in ((1_500, "<|im_start|>tool\n"), (1_507, "x"), (0, "<|im_end|>"), (len(text), "<think>"), (900, "<")):
        new = text[:at] + put + text[at:]
        segments = cutter.cut_again(new, segments, change_between(text, new))
        text = new
        assert segments == cutter.cut(text)


def test_segments_are_a_sequence() -> None:
    found = cut("a<|im_end|>b", CHATML, {})
    assert isinstance(found, Segments)
    assert found == (Segment(0, 1, False), Segment(1, 11, True), Segment(11, 12, False))
    assert found != (Segment(0, 1, False),)
    assert (found[-1], len(found[1:]), found.special_count) == (Segment(11, 12, False), 2, 1)
    assert [found.at(each) for each in (-1, 0, 1, 10, 11, 12)] == [-1, 0, 1, 1, 2, -1]
    assert (Segments() == (), bool(Segments()), hash(found) == hash(cut("a<|im_end|>b", CHATML, {}))) == (
        True,
        False,
        True,
    )


def test_longest_token_wins() -> None:
    assert [(each.start, each.end) for each in cut("<a><ab>", ("<a", "<a>", "<ab>"), {})] == [(0, 3), (3, 7)]


def test_chatml_roles() -> None:
    text = "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nU<|im_end|>\n<|im_start|>assistant\n<think>\nT</think>A"
    assert roles_of(text, CHATML) == [
        ("<|im_start|>", "system"),
        ("system\nS", "system"),
        ("<|im_end|>", "system"),
        ("<|im_start|>", "user"),
        ("user\nU", "user"),
        ("<|im_end|>", "user"),
        ("<|im_start|>", "assistant"),
        ("assistant\n", "assistant"),
        ("<think>", "thinking"),
        ("\nT", "thinking"),
        ("</think>", "thinking"),
        ("A", "assistant"),
    ]


def test_tool_result_inside_of_a_user_turn() -> None:
    text = "<|im_start|>user\n<tool_response>R</tool_response>U"
    assert roles_of(text, CHATML)[2:] == [
        ("<tool_response>", "tool"),
        ("R", "tool"),
        ("</tool_response>", "tool"),
        ("U", "user"),
    ]


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        (
            "<|user|>U<|assistant|>A<|observation|>O",
            ("<|user|>", "<|assistant|>", "<|observation|>"),
            ["user", "assistant", "tool"],
        ),
        (
            "<|start_header_id|>user<|end_header_id|>U<|start_header_id|>ipython<|end_header_id|>O",
            ("<|start_header_id|>", "<|end_header_id|>"),
            ["user", "user", "tool", "tool"],
        ),
        (
            "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>U<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>A",
            ("<|START_OF_TURN_TOKEN|>", "<|USER_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|END_OF_TURN_TOKEN|>"),
            ["user", "assistant"],
        ),
        ("<start_of_turn>model\nA", ("<start_of_turn>",), ["assistant"]),
        ("<|user|>U<|START_RESPONSE|>system of", ("<|user|>", "<|START_RESPONSE|>"), ["user", "user"]),
        ("<s>[INST]U[/INST]A</s>", ("<s>", "</s>", "[INST]", "[/INST]"), ["user", "assistant"]),
        ("[gMASK]<sop>x", ("[gMASK]", "<sop>"), [""]),
        ("<|user|>U<tool_call>C</tool_call>D", ("<|user|>", "<tool_call>", "</tool_call>"), ["user", "user", "user"]),
        ("<|assistant|>A</think>B", ("<|assistant|>", "</think>"), ["assistant", "assistant"]),
        ("<|START_THINKING|>T<|END_THINKING|>A", ("<|START_THINKING|>", "<|END_THINKING|>"), ["thinking", ""]),
    ],
)
def test_roles_by_look(text: str, tokens: tuple[str, ...], expected: list[str]) -> None:
    assert [role for piece, role in roles_of(text, tokens) if piece not in tokens] == expected


def test_roles_and_thinking_that_a_template_names() -> None:
    found = cut("@U#T$A", ("@", "#", "$"), {"@": "user"}, ("#", "$"))
    assert [each.role for each in found] == ["user", "user", "thinking", "thinking", "thinking", "user"]


def test_role_of_an_unknown_name_is_no_role() -> None:
    assert [each.role for each in cut("@U", ("@",), {"@": "emperor"})] == ["", ""]


def test_hostile_number_of_tokens_stays_bounded() -> None:
    text = "<a>" * (MOST_TOKENS + 5)
    found = cut(text, ("<a>",), {})
    assert len(found) == MOST_TOKENS + 1
    assert (found[-1].special, found[-1].end) == (False, len(text))

"""Which special tokens came from input, wholly or in part, with their place and template line."""

from hypothesis import given
from hypothesis import strategies as st

from support.owned import Piece, owned
from support.patient import PATIENT
from thinkpane.analysis.injection import Injection, injections, is_input, pattern_of


def found(pieces: list[Piece], *tokens: str) -> list[Injection]:
    text = "".join(each for each, _ in pieces)
    return [*injections(text, owned(pieces), tokens, [{"role": "user"}, {"role": "assistant"}])]


def test_a_token_typed_into_a_message() -> None:
    pieces: list[Piece] = [("<|user|>", None), ("see <|user|> here", "messages[0].content"), ("<|end|>", None)]
    (one,) = found(pieces)
    assert (one.token, one.start, one.end, one.kind, one.path) == ("<|user|>", 12, 20, "typed", "messages[0].content")
    assert (one.given.owner.at, one.message, one.line, one.ordinary) == ((4, 12), 0, 2, False)


def test_tokens_of_other_looks_count_where_they_are_known() -> None:
    pieces: list[Piece] = [("[INST] <s>", "tools[0].function.description")]
    assert found(pieces) == []
    assert [(each.token, each.message) for each in found(pieces, "[INST]", "<s>")] == [("[INST]", None), ("<s>", None)]


def test_a_token_that_both_sides_wrote() -> None:
    pieces: list[Piece] = [("\n", None), ("<|", None), ("im_end", "messages[1].name"), ("|>", None)]
    (one,) = found(pieces)
    assert (one.kind, one.path, one.line, one.ordinary) == ("assembled", "messages[1].name", 2, False)
    assert (one.given.start, one.given.end, one.given.owner.at) == (3, 9, (0, 6))


def test_a_token_of_two_inputs_is_assembled() -> None:
    (one,) = found([("<|en", "messages[0].content"), ("d|>", "messages[1].content")])
    assert (one.kind, one.path) == ("assembled", "messages[0].content")


def test_a_role_s_name_in_a_token_is_ordinary_and_a_strange_one_is_not() -> None:
    assert [each.ordinary for each in found([("<|", None), ("user", "messages[0].role"), ("|>", None)])] == [True]
    assert [each.ordinary for each in found([("<|", None), ("im_end", "messages[0].role"), ("|>", None)])] == [False]


def test_thinking_that_an_assistant_s_text_stores_is_none() -> None:
    assert found([("<think>a</think>", "messages[1].content")], "<think>", "</think>") == []
    assert len(found([("<think>a</think>", "messages[0].content")], "<think>", "</think>")) == 2


def test_variables_are_no_input() -> None:
    assert found([("<s>", "bos_token"), ("<|x|>", "hint")], "<s>") == []
    # Llama 3.1 and Command R have variables with such names.
    assert found([("<|x|>", "tools_in_user_message"), ("<|y|>", "documents_note.text")]) == []


def test_the_longest_token_is_the_one() -> None:
    assert [each.token for each in found([("<s>x", "messages[0].content")], "<s>", "<s>x")] == ["<s>x"]


def test_a_token_across_the_border_of_two_slices_is_found_once() -> None:
    for before in range(65_530, 65_540):
        pieces: list[Piece] = [("a" * before + "<|user|>" + "b" * 10, "messages[0].content")]
        assert [(each.start, each.token) for each in found(pieces)] == [(before, "<|user|>")]


@PATIENT
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["<|", "a|>", "<|a|>", "<s>", "<", "s>", "b"]),
            st.sampled_from([None, "messages[0].content", "messages[0].role", "tools[0].name", "bos_token"]),
        ),
        max_size=10,
    )
)
def test_exactly_the_tokens_with_input_in_them_are_told(pieces: list[Piece]) -> None:
    text, owners = "".join(each for each, _ in pieces), owned(pieces)
    expected = [
        match.span()
        for match in pattern_of(["<s>"]).finditer(text)
        if any(is_input(span) for span in owners.between(*match.span()))
    ]
    assert [(each.start, each.end) for each in found(pieces, "<s>")] == expected
    for each in found(pieces, "<s>"):
        spans = [*owners.between(each.start, each.end)]
        assert (each.kind == "typed") == (len({span.owner.path for span in spans}) == 1)

"""Blocks and brackets: who belongs to whom, in whole templates and in ones that are being typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.corpus import built_in
from thinkpane.formats.jinja_blocks import structure

LOOP = "{% for a in b %}{% if a %}x{% elif c %}{% else %}y{% endif %}{% endfor %}"


def words(text: str) -> list[tuple[str, list[str], bool, int]]:
    """Each block: its word, the words of its tags, whether it is closed, its depth."""
    whole = structure(text)
    return [
        (block.word, [whole.tags[place].word for place in block.tags], block.closed, block.depth)
        for block in whole.blocks
    ]


def test_tags_of_a_block() -> None:
    assert words(LOOP) == [
        ("for", ["for", "endfor"], True, 0),
        ("if", ["if", "elif", "else", "endif"], True, 1),
    ]
    assert structure(LOOP).is_whole


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("{% set x %}a{% endset %}", True),
        ("{% set x | upper %}a{% endset %}", True),
        ("{% set x = dict(a=1) %}", False),
        ("{% set ns.x = 1 %}", False),
        ("{% generation %}a{% endgeneration %}", True),
        ("{% call f(a=1) %}a{% endcall %}", True),
        ("{%- raw %}{% if %}{% endraw %}", True),
        ("{% break %}", False),
    ],
)
def test_what_opens_a_block(text: str, opens: bool) -> None:
    whole = structure(text)
    assert bool(whole.blocks) == opens
    assert whole.is_whole


@pytest.mark.parametrize(
    ("text", "blocks", "stray"),
    [
        ("{% if a %}{% for b in c %}{% endif %}", [("for", False), ("if", True)], []),
        ("{% if a %}", [("if", False)], []),
        ("x{% endif %}", [], ["endif"]),
        ("{% for a in b %}{% elif c %}{% endfor %}", [("for", True)], ["elif"]),
        ("{% else %}", [], ["else"]),
    ],
)
def test_what_does_not_match(text: str, blocks: list[tuple[str, bool]], stray: list[str]) -> None:
    whole = structure(text)
    assert sorted((block.word, block.closed) for block in whole.blocks) == sorted(blocks)
    assert [whole.tags[place].word for place in whole.stray] == stray
    assert not whole.is_whole


@pytest.mark.parametrize("text", ["{{ x", "{% if a", "{# x", "a{% raw %}{% if %}"])
def test_an_open_tag_is_not_whole(text: str) -> None:
    assert not structure(text).is_whole


def test_the_tag_at_a_caret() -> None:
    text = "ab{% if x %}{{ y }}c"
    whole = structure(text)
    assert [whole.tag_at(at) for at in (0, 1, 2, 8, 12, 13, 19, 20)] == [None, None, 0, 0, 1, 1, 1, None]
    block = whole.block_of(0)
    assert block is not None
    assert block.tags == (0,)
    assert whole.block_of(1) is None


def test_brackets_are_paired_within_their_tag() -> None:
    text = "{{ f(a[0], {'b': (1)}) }}({{ x) }}"
    whole = structure(text)
    assert whole.brackets[text.index("(")] == text.index(") }}")
    assert whole.brackets[text.index("]")] == text.index("[")
    loose = text.rindex(")")
    assert whole.loose == {loose}
    assert whole.bracket_near(loose + 1) == loose
    assert whole.bracket_near(0) is None


def test_a_bracket_in_a_string_is_none() -> None:
    assert structure("{{ f('(') }}").loose == frozenset()


@pytest.mark.parametrize("name", sorted(built_in()))
def test_the_built_in_templates_match(name: str) -> None:
    whole = structure(built_in()[name])
    assert whole.is_whole
    assert not whole.loose


@given(
    st.lists(st.sampled_from([LOOP, "{% if a %}", "{% endif %}", "{% endfor %}", "{%", "(", "]", "{{ x", "}}", "a"]))
)
def test_any_text_has_a_structure(pieces: list[str]) -> None:
    whole = structure("".join(pieces))
    taken = [place for block in whole.blocks for place in block.tags] + list(whole.stray)
    assert len(taken) == len(set(taken)), "a tag belongs to one block"
    assert all(whole.brackets[whole.brackets[place]] == place for place in whole.brackets)

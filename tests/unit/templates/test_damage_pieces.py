"""How a template's text is cut into tags, and which blocks stand around them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.templates.damage.blocks import around, left_open
from thinkpane.templates.damage.pieces import cut


@given(
    st.lists(st.sampled_from(["{%", "%}", "{{", "-}}", "{#", "#}", "'", "(", "]", "raw", " x "]), max_size=40).map(
        "".join
    )
)
def test_pieces_are_the_text(text: str) -> None:
    pieces = cut(text)
    assert "".join(piece.text for piece in pieces) == text
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)
    assert all(piece.inner in piece.text for piece in pieces)


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("{{ '}}' }}", "'}}'"),
        ("{{- {'a': {'b': 1}}['a'] -}}", "{'a': {'b': 1}}['a']"),
        ('{%- set x = "%}" -%}', 'set x = "%}"'),
        ("{%+ if a[{'k': '%}'}] +%}", "if a[{'k': '%}'}]"),
        ("{{ 'it\\'s }}' ~ 5 % 3 }}", "'it\\'s }}' ~ 5 % 3"),
        ("{# 'a #}", "'a"),
    ],
)
def test_a_tag_ends_where_jinja_ends_it(text: str, inner: str) -> None:
    [piece] = cut(text)
    assert piece.closed
    assert piece.inner == inner
    assert text[piece.inner_start :].startswith(inner)


@pytest.mark.parametrize("text", ["{{ a", "{% if 'x %}", "{# c", "{{ (a }}"])
def test_a_tag_without_an_end_is_open(text: str) -> None:
    [piece] = cut(text)
    assert not piece.closed


def test_raw_text_is_text() -> None:
    assert [(p.kind, p.word) for p in cut("{% raw %}{{ x }}{%- endraw %}")] == [
        ("statement", "raw"),
        ("text", ""),
        ("statement", "endraw"),
    ]


def test_branches_know_the_ones_before_them() -> None:
    pieces = cut("{% if a %}1{% elif b %}2{% else %}{% for x in y %}3{% endfor %}{% endif %}4")
    blocks = dict(zip((piece.text for piece in pieces), around(pieces), strict=True))
    two, three = blocks["2"], blocks["3"]
    assert two
    assert (two.word, two.branch, two.earlier) == ("if", "elif b", ("if a",))
    assert three
    assert three.opener == "for x in y"
    assert three.parent
    assert (three.parent.branch, three.parent.earlier) == ("else", ("if a", "elif b"))
    assert blocks["4"] is None


def test_what_nothing_closes_is_known() -> None:
    assert [block.word for block in left_open(cut("{% macro m() %}{% set a = 1 %}{% set b %}{% if c %}"))] == [
        "if",
        "set",
        "macro",
    ]

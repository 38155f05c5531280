"""What is written about a template is read back as it was."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.library import all_built_in
from thinkpane.templates.template import Template
from thinkpane.templates.template_toml import described
from thinkpane.templates.toml_text import toml_of

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("template", all_built_in(), ids=lambda each: each.id)
def test_built_in_templates_come_back(template: Template) -> None:
    assert described(template.id, template.source, toml_of(template)) == template


@given(
    title=TEXTS,
    tokens=st.lists(TEXTS.filter(bool), unique=True, max_size=3),
    given_values=st.dictionaries(TEXTS, VALUES, max_size=4),
)
def test_any_values_come_back(title: str, tokens: list[str], given_values: dict[str, JsonValue]) -> None:
    variables = {**given_values, **({"bos_token": tokens[0]} if tokens else {})}
    template = Template("a", "s", title=title, special_tokens=tuple(tokens), variables=variables, built_in=True)
    assert described("a", "s", toml_of(template)) == template


def test_a_token_that_is_not_special_stays_so() -> None:
    template = Template("a", "s", variables={"bos_token": "", "eos_token": None, "pad_token": "p"}, built_in=True)
    with pytest.raises(ThinkpaneError, match="null"):
        toml_of(template)
    kept = replace(template, variables={"bos_token": "", "pad_token": "p"})
    assert described("a", "s", toml_of(kept)) == kept


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(ThinkpaneError, match="surrogate"):
        toml_of(Template("a", "s", title="\ud800"))

"""Variants as data: found by name and by address, and changed field by field."""

import json
from dataclasses import fields

import pytest

from thinkpane.endpoints.variant_table import VARIANTS, variant_for, variant_named
from thinkpane.endpoints.variants import GENERIC, Variant, edited
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject

EACH = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)


def test_every_spelling_names_one() -> None:
    spellings = [name for variant in VARIANTS for name in (variant.name, *variant.other_names)]
    assert len(set(spellings)) == len(spellings)
    assert {variant_named(name).name for name in ("zai", "GLM", "z.ai", " zhipu ")} == {"zai"}
    assert variant_named("") is GENERIC
    with pytest.raises(ThinkpaneError) as caught:
        variant_named("nope")
    assert "deepseek" in caught.value.problem.message


@pytest.mark.parametrize(
    ("base_url", "name"),
    [
        ("https://api.deepseek.com", "deepseek"),
        ("https://api.deepseek.com/beta", "deepseek"),
        ("api.z.ai/api/paas/v4", "zai"),
        ("https://open.bigmodel.cn/api/paas/v4", "zai"),
        ("https://notbigmodel.cn", ""),
        ("https://api.deepseek.com.example.test", ""),
        ("http://127.0.0.1:8080/v1", ""),
        ("http://[", ""),
    ],
)
def test_a_known_address_names_its_variant(base_url: str, name: str) -> None:
    assert variant_for(base_url).name == name


@EACH
def test_it_is_json_and_can_be_changed_field_by_field(variant: Variant) -> None:
    value = variant.as_json()
    assert json.loads(json.dumps(value)) == value
    rest: JsonObject = {key: each for key, each in value.items() if key not in ("name", "title")}
    changed = edited(GENERIC, rest)
    assert {**changed.as_json(), "name": variant.name, "title": variant.title} == value
    assert len(rest) == len(fields(variant)) - 2


@pytest.mark.parametrize(
    ("edits", "field"),
    [
        ({"nope": 1}, "nope"),
        ({"name": "x"}, "name"),
        ({"on": "yes"}, "on"),
        ({"efforts": "low"}, "efforts"),
        ({"efforts": [1]}, "efforts"),
        ({"stream_usage": 1}, "stream_usage"),
        ({"always": []}, "always"),
        ({"renames": {"a": 1}}, "renames"),
        ({"effort": None}, "effort"),
        ({"prefill": "maybe"}, "prefill"),
        ({"always_on": "("}, "always_on"),
    ],
)
def test_a_change_that_does_not_fit_names_its_field(edits: JsonObject, field: str) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        edited(GENERIC, edits)
    assert (caught.value.problem.kind, caught.value.problem.field) == ("variant", field)

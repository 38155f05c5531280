"""The contract of template sources, over every one that is registered."""

from pathlib import Path

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.templates import library, sources
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.sources._registry import all_sources
from thinkpane.templates.template import Template

TEXT = "{{ messages[0].content }}"
CONFIG = '{"chat_template": "{{ messages[0].content }}"}'


@pytest.fixture(params=all_sources(), ids=lambda source: source.name)
def source(request: pytest.FixtureRequest) -> TemplateSource:
    found: TemplateSource = request.param
    return found


def refs(folder: Path) -> dict[str, str]:
    """One good REF for each kind."""
    (folder / "some.jinja").write_text(TEXT, encoding="utf-8")
    for name in ("tokenizer_config.json", "chat_template.json"):
        (folder / name).write_text(CONFIG, encoding="utf-8")
    return {
        "built-in": "chatml",
        "jinja-file": str(folder / "some.jinja"),
        "tokenizer-config": str(folder / "tokenizer_config.json"),
        "chat-template-json": str(folder / "chat_template.json"),
        "model-folder": str(folder),
    }


def test_kinds_are_found_in_order_with_names_of_their_own() -> None:
    names = [each.name for each in all_sources()]
    assert names == sorted(set(names))
    assert {"built-in", "chat-template-json", "jinja-file", "model-folder", "tokenizer-config"} <= set(names)


def test_a_good_ref_is_loaded_and_no_other_kind_takes_it(source: TemplateSource, tmp_path: Path) -> None:
    ref = refs(tmp_path)[source.name]
    assert [each.name for each in all_sources() if each.accepts(ref)] == [source.name]
    template = source.load(ref, "")
    assert isinstance(template, Template)
    assert template.source
    assert template.title
    assert template.origin
    assert template == library.load(ref)


def test_an_unknown_name_is_one_clear_problem(source: TemplateSource, tmp_path: Path) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        source.load(refs(tmp_path)[source.name], "no_such_name")
    assert caught.value.problem.kind == "template_source"
    assert "no_such_name" in caught.value.problem.message


@pytest.mark.parametrize(
    "ref", ["", "-", "hf:owner/name", "http://host/x.jinja", "x\0.jinja", "no-such", "\ud800", "x" * 5000]
)
def test_no_kind_takes_what_is_none_of_its_own(source: TemplateSource, ref: str) -> None:
    assert not source.accepts(ref)


def test_sources_say_what_they_take(source: TemplateSource) -> None:
    assert source.takes
    with pytest.raises(ThinkpaneError) as caught:
        library.load("no-such")
    assert source.takes in caught.value.problem.message


def test_a_build_without_sources_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "__path__", [])
    with pytest.raises(RuntimeError, match="No template sources"):
        all_sources.__wrapped__()

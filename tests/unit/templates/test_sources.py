"""The contract of template sources, over every one that is registered."""

import json
from pathlib import Path

import pytest

from support.fake_web import FakeWeb
from support.gguf_files import gguf
from thinkpane.errors import ThinkpaneError
from thinkpane.folders import folders
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates import library, sources
from thinkpane.templates.reach import Reach
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.sources._registry import all_sources
from thinkpane.templates.template import Template

TEXT = "{{ messages[0].content }}"
CONFIG = '{"chat_template": "{{ messages[0].content }}"}'


@pytest.fixture(params=all_sources(), ids=lambda source: source.name)
def source(request: pytest.FixtureRequest) -> TemplateSource:
    found: TemplateSource = request.param
    return found


MANIFEST = {"layers": [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:" + "a" * 64}]}


@pytest.fixture
def reach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reach:
    """A network on which every kind finds one model, and Ollama's store with one."""
    web = FakeWeb()
    head = gguf({"tokenizer.chat_template": TEXT})
    web.pages = {"https://host/m.gguf": head, f"https://huggingface.co/me/m/resolve/{'a' * 40}/m.gguf": head}
    for url in ("http://host:1/props", "http://host:1/api/show"):
        web.put_json(url, {"chat_template": TEXT, "template": "{{ .Prompt }}"})
    siblings: list[JsonValue] = [{"rfilename": "m.gguf"}]
    web.put_json("https://huggingface.co/api/models/me/m/revision/main", {"sha": "a" * 40, "siblings": siblings})
    store = tmp_path / "store"
    manifest = store / "manifests" / "registry.ollama.ai" / "library" / "m" / "latest"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(json.dumps(MANIFEST))
    (store / "blobs").mkdir()
    (store / "blobs" / f"sha256-{'a' * 64}").write_bytes(head)
    monkeypatch.setenv("OLLAMA_MODELS", str(store))
    return web.reach(tmp_path / "cache")


def refs(folder: Path) -> dict[str, str]:
    """One good REF for each kind."""
    own = folders().own_templates / "mine"
    own.mkdir(parents=True)
    (own / "template.jinja").write_text(TEXT, encoding="utf-8")
    (folder / "m.gguf").write_bytes(gguf({"tokenizer.chat_template": TEXT}))
    (folder / "some.jinja").write_text(TEXT, encoding="utf-8")
    for name in ("tokenizer_config.json", "chat_template.json"):
        (folder / name).write_text(CONFIG, encoding="utf-8")
    return {
        "built-in": "chatml",
        "own": "mine",
        "jinja-file": str(folder / "some.jinja"),
        "tokenizer-config": str(folder / "tokenizer_config.json"),
        "chat-template-json": str(folder / "chat_template.json"),
        "model-folder": str(folder),
        "gguf-file": str(folder / "m.gguf"),
        "gguf-url": "https://host/m.gguf",
        "hub": "hf:me/m",
        "llamacpp-server": "http://host:1",
        "ollama-server": "ollama+http://host:1#m",
        "ollama-store": "ollama:m",
    }


def test_kinds_are_found_in_order_with_names_of_their_own() -> None:
    names = [each.name for each in all_sources()]
    assert names == sorted(set(names))
    assert {"built-in", "chat-template-json", "jinja-file", "model-folder", "tokenizer-config"} <= set(names)


def test_a_good_ref_is_loaded_and_no_other_kind_takes_it(source: TemplateSource, tmp_path: Path, reach: Reach) -> None:
    ref = refs(tmp_path)[source.name]
    assert [each.name for each in all_sources() if each.accepts(ref)] == [source.name]
    template = source.load(ref, "", reach)
    assert isinstance(template, Template)
    assert template.source
    assert template.title
    assert template.origin
    assert template == library.load(ref, "", reach)


def test_an_unknown_name_is_one_clear_problem(source: TemplateSource, tmp_path: Path, reach: Reach) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        source.load(refs(tmp_path)[source.name], "no_such_name", reach)
    assert caught.value.problem.kind == "template_source"
    assert "no_such_name" in caught.value.problem.message


def test_without_the_network_a_kind_that_needs_it_says_so(source: TemplateSource, tmp_path: Path, reach: Reach) -> None:
    ref = refs(tmp_path)[source.name]
    if not source.reaches:
        assert source.load(ref, "") == source.load(ref, "", reach)
        return
    with pytest.raises(ThinkpaneError) as caught:
        library.load(ref)
    assert caught.value.problem.kind == "template_source"
    assert "not reached from here" in caught.value.problem.message


@pytest.mark.parametrize(
    "ref", ["", "-", "hf:owner", "http://host/x.jinja", "x\0.jinja", "no-such", "\ud800", "x" * 5000]
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
    with pytest.raises(RuntimeError, match="lacks the modules"):
        all_sources.__wrapped__()

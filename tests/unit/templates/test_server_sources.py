"""Templates of running servers: llama.cpp's /props, Ollama's /api/show; and Ollama's store on disk."""

import hashlib
import json
from pathlib import Path

import pytest

from support.fake_web import FakeWeb, Reply
from support.gguf_files import gguf
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.templates import library
from thinkpane.templates.sources._registry import all_sources
from thinkpane.templates.template import Template

GO_TEXT = "{{ if .System }}<|im_start|>system\n{{ .System }}<|im_end|>{{ end }}"


def load(ref: str, web: FakeWeb, name: str = "") -> Template:
    return library.load(ref, name, web.reach(Path("unused")))


def problem(ref: str, web: FakeWeb) -> str:
    with pytest.raises(ThinkpaneError) as caught:
        load(ref, web)
    return caught.value.problem.message


@pytest.mark.parametrize(
    "ref", ["http://h:80", "http://h:80/", "http://h:80/v1", "http://h:80/v1/", "llamacpp+http://h:80/props"]
)
def test_a_llama_cpp_server_names_its_template(ref: str) -> None:
    web = FakeWeb()
    props: JsonObject = {"chat_template": "D", "bos_token": "<s>", "eos_token": "</s>", "model_path": "/m/Some.gguf"}
    web.put_json("http://h:80/props", props)
    template = load(ref, web)
    assert (template.source, template.title, template.origin) == ("D", "Some.gguf", "http://h:80/props")
    assert template.variables == {"bos_token": "<s>", "eos_token": "</s>"}
    assert template.special_tokens == ("<s>", "</s>")
    assert template.named == {}


def test_a_llama_cpp_server_says_how_many_tokens_it_holds() -> None:
    web = FakeWeb()
    web.put_json("http://h:80/props", {"chat_template": "D", "default_generation_settings": {"n_ctx": 4096}})
    found = load("http://h:80", web).context
    assert found is not None
    assert (found.tokens, found.place) == (4096, "the server's /props")


def test_a_second_template_for_tools_and_a_model_s_name_are_known() -> None:
    web = FakeWeb()
    web.put_json(
        "https://h/llama/props?model=a%2Fb", {"chat_template": "D", "chat_template_tool_use": "T", "bos_token": ""}
    )
    template = load("https://h/llama#a/b", web)
    assert template.named == {"default": "D", "tool_use": "T"}
    assert (template.title, template.variables) == ("h", {})
    assert load("https://h/llama#a/b", web, "tool_use").source == "T"


def test_servers_that_tell_nothing_are_said_to() -> None:
    web = FakeWeb()
    assert "only llama.cpp's server" in problem("http://h:1", web)
    web.put_json("http://h:1/props", {"error": {"message": "loading"}}, 503)
    assert "status 503" in problem("http://h:1", web)
    web.put_json("http://h:1/props", {"chat_template": 5})
    assert "no chat template" in problem("http://h:1", web)
    web.put_json("http://h:1/props", [])
    assert "no JSON object" in problem("http://h:1", web)
    web.replies["http://h:1/props"] = Reply(200, {}, b"<html>")
    assert "no JSON" in problem("http://h:1", web)
    assert "name or a password" in problem("http://me:secret@h", web)
    assert "secret" not in problem("http://me:secret@h", web)
    assert "names no server" in problem("http://", web)
    assert "is no address" in problem("http://h:99999999", web)


def test_ollama_s_own_template_is_shown_and_not_rendered() -> None:
    web = FakeWeb()
    web.put_json("http://h:11434/api/show", {"template": GO_TEXT})
    template = load("ollama+http://h:11434#qwen3:8b", web)
    assert (template.source, template.syntax, template.title) == (GO_TEXT, "go", "qwen3:8b")
    assert web.bodies[0] == {"model": "qwen3:8b"}
    with pytest.raises(ThinkpaneError, match="Go's syntax"):
        library.choose(template, "", has_tools=False)
    web.put_json("http://h:11434/api/show", {"template": "{% if x %}{% endif %}"})
    assert load("ollama+http://h:11434#qwen3:8b", web).syntax == "jinja"


def test_ollama_without_a_model_s_name_says_which_there_are() -> None:
    web = FakeWeb()
    web.put_json("http://h/api/tags", {"models": [{"name": "a:1"}, {}, {"name": "b:2"}]})
    assert "ollama+http://h#a:1, ollama+http://h#b:2" in problem("ollama+http://h", web)
    web.put_json("http://h/api/show", {"template": ""})
    assert "no chat template" in problem("ollama+http://h#m", web)


class Store:
    """Ollama's store in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def blob(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        (self.folder / "blobs").mkdir(exist_ok=True)
        (self.folder / "blobs" / f"sha256-{digest}").write_bytes(data)
        return f"sha256:{digest}"

    def model(self, place: str, layers: dict[str, bytes]) -> None:
        path = self.folder / "manifests" / place
        path.parent.mkdir(parents=True)
        media = "application/vnd.ollama.image."
        listed = [{"mediaType": media + kind, "digest": self.blob(data)} for kind, data in layers.items()]
        path.write_text(json.dumps({"layers": listed}))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("OLLAMA_MODELS", str(tmp_path))
    return Store(tmp_path)


def test_the_store_s_gguf_gives_jinja_with_go_s_text_beside_it(store: Store) -> None:
    head = gguf({"tokenizer.chat_template": "J", "tokenizer.ggml.tokens": ["<s>"], "tokenizer.ggml.bos_token_id": 0})
    store.model("registry.ollama.ai/library/qwen3/8b", {"model": head, "template": GO_TEXT.encode()})
    template = library.load("ollama:qwen3:8b")
    assert (template.source, template.syntax) == ("J", "jinja")
    assert template.variables == {"bos_token": "<s>"}
    assert [(each.source, each.syntax) for each in template.found] == [("J", "jinja"), (GO_TEXT, "go")]
    assert "Ollama may use its own template" in template.notes[0]


def test_the_store_s_other_shapes(store: Store) -> None:
    store.model("hf.co/me/m/latest", {"model": gguf({}), "template": GO_TEXT.encode()})
    store.model("registry.ollama.ai/me/m/latest", {"model": gguf({"tokenizer.chat_template": "J"})})
    store.model("registry.ollama.ai/library/broken/latest", {})
    only_go = library.load("ollama:hf.co/me/m")
    assert (only_go.source, only_go.syntax) == (GO_TEXT, "go")
    assert library.load("ollama:me/m").source == "J"
    for ref, words in (("ollama:broken", "lists no layers"), ("ollama:none", "has no “none”")):
        with pytest.raises(ThinkpaneError, match=words):
            library.load(ref)


@pytest.mark.parametrize(
    "ref", ["ollama:", "ollama:../x", "ollama:a/b/c/d", "ollama:a:b:c", "hf:a", "hf:../b", "hf:a/b@"]
)
def test_names_that_leave_their_place_are_taken_by_none(ref: str) -> None:
    assert [source.name for source in all_sources() if source.accepts(ref)] == []

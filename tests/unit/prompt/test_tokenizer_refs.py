"""REFs of tokenizers: what each names, and what belongs to a template by itself."""

import hashlib
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from support.fake_web import FakeWeb
from support.gguf_files import gguf
from support.small_vocabularies import byte_pairs
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt import tokenizer_refs
from thinkpane.prompt.server_tokenizer import ServerTokenizer
from thinkpane.prompt.tokenizer_refs import Located, beside, located, opened, takes
from thinkpane.templates.reach import Reach
from thinkpane.tokens.kinds._registry import all_kinds
from thinkpane.tokens.ranked_forms import RankedForm

COMMIT = "a" * 40
API = "https://huggingface.co/api/models/o/m/revision/main"
FILES = f"https://huggingface.co/o/m/resolve/{COMMIT}"
RANKS = b"".join(b64encode(bytes([byte])) + b" %d\n" % byte for byte in range(256))
FORM = RankedForm("bytes", ("bytes.tiktoken",), r"\s+|\S+", {"<|e|>": 256}, 256, "https://web/b", "")


@pytest.fixture
def web() -> FakeWeb:
    return FakeWeb()


@pytest.fixture
def reach(web: FakeWeb, tmp_path: Path) -> Callable[[], Reach]:
    return lambda: web.reach(tmp_path / "cache")


def put_on_hub(web: FakeWeb, **files: bytes) -> None:
    names = [name.replace("__", ".") for name in files]
    web.put_json(API, {"sha": COMMIT, "siblings": [{"rfilename": name} for name in names]})
    for name, data in zip(names, files.values(), strict=True):
        web.pages[f"{FILES}/{name}"] = data


def test_a_templates_own_tokenizer_is_named_by_where_the_template_is(tmp_path: Path) -> None:
    template = tmp_path / "chat_template.jinja"
    template.write_text("", encoding="utf-8")
    assert beside(str(template)) == ""
    byte_pairs()._tokenizer.save(str(tmp_path / "tokenizer.json"))
    assert beside(str(template)) == beside(str(tmp_path)) == str(tmp_path / "tokenizer.json")
    assert beside(str(tmp_path / "model.gguf")) == ""
    (tmp_path / "model.gguf").write_bytes(gguf({}))
    assert beside(str(tmp_path / "model.gguf")) == str(tmp_path / "model.gguf")
    assert beside("") == beside("chatml") == beside("ollama+http://127.0.0.1:1#m") == ""
    for ref in ("hf:o/m", "http://127.0.0.1:8080", "ollama:m", "https://web/model.gguf"):
        assert beside(ref) == ref


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["Qwen-Q4_K_M.gguf"], "Qwen-Q4_K_M.gguf"),
        (["Qwen.GGUF", "mmproj-Qwen-f16.gguf", "notes.txt"], "Qwen.GGUF"),
        (["big-00001-of-00003.gguf", "big-00002-of-00003.gguf", "big-00003-of-00003.gguf"], "big-00001-of-00003.gguf"),
        (["one.gguf", "other.gguf"], ""),
        (["Qwen.gguf", "tokenizer.json"], "tokenizer.json"),
        (["mmproj-Qwen-f16.gguf"], ""),
        (["Qwen.gguf", "Qwen-mmproj-f16.gguf"], "Qwen.gguf"),
    ],
)
def test_the_only_model_beside_a_template_has_its_tokenizer(names: list[str], found: str, tmp_path: Path) -> None:
    template = tmp_path / "chat_template.jinja"
    template.write_text("{{ messages }}", encoding="utf-8")
    for name in names:
        (tmp_path / name).touch()
    assert beside(str(template)) == (str(tmp_path / found) if found else "")
    assert beside(str(tmp_path)) == beside(str(template))


def test_only_files_are_models(tmp_path: Path) -> None:
    (tmp_path / "converted.gguf").mkdir()
    assert beside(str(tmp_path)) == ""
    (tmp_path / "blob").touch()
    (tmp_path / "linked.gguf").symlink_to(tmp_path / "blob")
    (tmp_path / "lost.gguf").symlink_to(tmp_path / "nothing")
    assert beside(str(tmp_path)) == str(tmp_path / "linked.gguf")


def test_a_place_that_cannot_be_looked_at_has_no_tokenizer() -> None:
    name = "a" * 300
    assert beside(f"/{name}") == ""
    with pytest.raises(ThinkpaneError, match="There is no file or folder"):
        located(f"/{name}", None)


def test_a_folder_of_hundreds_of_files_is_no_model_s(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").touch()
    for number in range(500):
        (tmp_path / f"{number}.txt").touch()
    assert beside(str(tmp_path)) == ""


def test_no_tokenizer_is_a_choice_too(reach: Callable[[], Reach]) -> None:
    assert located("", reach) is None
    assert located("none", reach) is None


def test_a_named_file_is_not_replaced_by_the_one_beside_it(tmp_path: Path) -> None:
    byte_pairs()._tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    (tmp_path / "cut.json").write_text('{"version": ', encoding="utf-8")
    (tmp_path / "empty").mkdir()
    said = {
        "other.json": "other.json” is no tokenizer by its name",
        "cut.json": "cut.json” is cut off",
        "empty": "The folder “.*empty” holds no tokenizer",
        "mistyped.json": "There is no file or folder “.*mistyped.json”",
        "mistyped": "There is no file or folder “.*mistyped”",
    }
    assert located(str(tmp_path), None) == located(str(tmp_path / "tokenizer.json"), None)
    for name, words in said.items():
        with pytest.raises(ThinkpaneError, match=words):
            located(str(tmp_path / name), None)


def test_a_server_is_asked_only_when_it_is_used(reach: Callable[[], Reach], web: FakeWeb) -> None:
    place = located("http://127.0.0.1:8080/v1", reach)
    assert place == Located(server="http://127.0.0.1:8080/v1")
    web.put_json("http://127.0.0.1:8080/tokenize", {"tokens": [{"id": 7, "piece": "a"}]})
    made = opened(place, reach)
    assert isinstance(made, ServerTokenizer)
    assert web.asked == []
    assert [[*ids] for ids in made.encode(["a"])] == [[7]]
    web.put_json("http://127.0.0.1:8080/tokenize", {}, 500)
    with pytest.raises(ThinkpaneError, match="status 500"):
        made.encode(["a"])


def test_a_model_on_the_hub_gives_its_best_file_and_keeps_it(reach: Callable[[], Reach], web: FakeWeb) -> None:
    put_on_hub(web, tokenizer__model=b"m", tokenizer__json=b"{}")
    place = located("hf:o/m", reach)
    assert place is not None
    assert place.file is not None
    assert (place.file.name, place.file.read_bytes()) == ("tokenizer.json", b"{}")
    web.fails_after = 0
    assert located("hf:o/m", reach) == place


def test_a_hub_model_of_gguf_files_alone_gives_the_head_of_one(reach: Callable[[], Reach], web: FakeWeb) -> None:
    header = gguf({"general.architecture": "llama"})
    put_on_hub(web, model__gguf=header + b"x" * 10_000)
    place = located("hf:o/m", reach)
    assert place is not None
    assert place.file is not None
    assert place.file.read_bytes().startswith(header)
    assert located("https://web/m.gguf", lambda: _with(web, "https://web/m.gguf", header, reach)) is not None


def _with(web: FakeWeb, url: str, data: bytes, reach: Callable[[], Reach]) -> Reach:
    web.pages[url] = data
    return reach()


def test_a_hub_model_without_any_says_what_a_ref_may_be(reach: Callable[[], Reach], web: FakeWeb) -> None:
    put_on_hub(web, config__json=b"{}")
    with pytest.raises(ThinkpaneError, match=r"No tokenizer was found at “hf:o/m”; it may be a \.gguf file"):
        located("hf:o/m", reach)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    form = RankedForm(
        **{**{key: getattr(FORM, key) for key in FORM.__slots__}, "sha256": hashlib.sha256(RANKS).hexdigest()}
    )
    monkeypatch.setattr(tokenizer_refs, "ranked_forms", lambda: {"bytes": form})
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "tiktoken"))


@pytest.mark.usefixtures("known")
def test_published_ranks_are_fetched_once_by_their_name(reach: Callable[[], Reach], web: FakeWeb) -> None:
    web.pages["https://web/b"] = RANKS
    place = located("bytes", reach)
    assert place is not None
    assert place.file is not None
    assert (place.file.name, place.file.read_bytes()) == ("bytes.tiktoken", RANKS)
    web.fails_after = 0
    assert located("bytes", reach) == place


@pytest.mark.usefixtures("known")
def test_other_bytes_than_the_published_ones_are_refused(reach: Callable[[], Reach], web: FakeWeb) -> None:
    web.pages["https://web/b"] = RANKS + b"\n"
    with pytest.raises(ThinkpaneError, match="does not hold the vocabulary “bytes” as published"):
        located("bytes", reach)


@pytest.mark.usefixtures("known")
def test_what_tiktoken_fetched_is_taken(reach: Callable[[], Reach], web: FakeWeb, tmp_path: Path) -> None:
    (tmp_path / "tiktoken").mkdir()
    (tmp_path / "tiktoken" / hashlib.sha1(b"https://web/b", usedforsecurity=False).hexdigest()).write_bytes(RANKS)
    place = located("bytes", reach)
    assert place is not None
    assert place.file is not None
    assert place.file.name == "bytes.tiktoken"
    assert web.asked == []


@pytest.mark.parametrize("ref", ["hf:o/m", "https://web/m.gguf", "cl100k_base"])
def test_without_a_network_it_says_so(ref: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    with pytest.raises(ThinkpaneError, match="lies on the network"):
        located(ref, None)


def test_sentences_name_every_kind() -> None:
    for kind in all_kinds():
        assert kind.takes in takes()

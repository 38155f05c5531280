"""Models on the Hub: their small files, kept by commit, resumed, and read without a network."""

import json
from pathlib import Path

import pytest

from support.fake_web import FakeWeb, Reply
from support.gguf_files import gguf
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.templates import library
from thinkpane.templates.remote_files import PIECE, download

COMMIT = "c" * 40
API = "https://huggingface.co/api/models/some-org/Some-Model_1.5/revision/"
REF = "hf:some-org/Some-Model_1.5"


def file_url(name: str) -> str:
    return f"https://huggingface.co/some-org/Some-Model_1.5/resolve/{COMMIT}/{name}"


def web_with(files: dict[str, bytes], revision: str = "main") -> FakeWeb:
    web = FakeWeb()
    web.pages = {file_url(name): data for name, data in files.items()}
    siblings: list[JsonObject] = [{"rfilename": name} for name in files]
    web.put_json(API + revision, {"sha": COMMIT, "siblings": [*siblings, {"rfilename": "../../x.jinja"}, {}]})
    return web


CONFIG = json.dumps({"chat_template": "C", "bos_token": "<s>", "added_tokens_decoder": {}}).encode()
FILES = {"chat_template.jinja": b"J", "additional_chat_templates/rag.jinja": b"R", "tokenizer_config.json": CONFIG}


def problem(web: FakeWeb, cache: Path, ref: str = REF) -> str:
    with pytest.raises(ThinkpaneError) as caught:
        library.load(ref, "", web.reach(cache))
    return caught.value.problem.message


def test_a_repository_is_read_like_a_folder(tmp_path: Path) -> None:
    web = web_with({**FILES, "model.safetensors": b"big", "tokenizer.json": b"big"})
    template = library.load(REF, "", web.reach(tmp_path))
    assert (template.source, template.title) == ("J", "some-org/Some-Model_1.5")
    assert template.named == {"default": "J", "rag": "R"}
    assert template.variables == {"bos_token": "<s>"}
    assert COMMIT[:12] in template.origin
    assert "Runtimes take different templates" in template.notes[0]
    assert {url for url, _ in web.asked} == {API + "main", *(file_url(name) for name in FILES)}
    assert {path.name for path in tmp_path.rglob("*.jinja")} == {"chat_template.jinja", "rag.jinja"}


def test_a_revision_is_asked_for_by_its_name(tmp_path: Path) -> None:
    web = web_with(FILES, "refs%2Fpr%2F7")
    assert library.load(f"{REF}@refs/pr/7", "", web.reach(tmp_path)).source == "J"


def test_what_is_kept_is_not_fetched_again_and_read_offline(tmp_path: Path) -> None:
    web = web_with(FILES)
    first = library.load(REF, "", web.reach(tmp_path))
    web.asked.clear()
    assert library.load(REF, "", web.reach(tmp_path)) == first
    assert [url for url, _ in web.asked] == [API + "main"]
    web.fails_after = 0
    offline = library.load(REF, "", web.reach(tmp_path))
    assert offline.source == "J"
    assert "could not be reached" in offline.notes[-1]
    assert problem(web, tmp_path, "hf:other/one") == "There is no network."


def test_tokens_come_from_tokenizer_json_where_only_it_has_them(tmp_path: Path) -> None:
    tokenizer = {"added_tokens": [{"content": "<x>", "special": True}, {"content": "y", "special": False}, 3]}
    web = web_with({"chat_template.jinja": b"J", "tokenizer.json": json.dumps(tokenizer).encode()})
    assert library.load(REF, "", web.reach(tmp_path)).special_tokens == ("<x>",)


def test_a_repository_of_gguf_files_gives_the_template_in_one(tmp_path: Path) -> None:
    head = gguf({"tokenizer.chat_template": "G"})
    web = web_with({"mmproj-f16.gguf": b"", "m-Q8_0.gguf": head, "m-Q4_0.gguf": head})
    template = library.load(REF, "", web.reach(tmp_path))
    assert (template.source, template.title, template.origin) == (
        "G",
        "some-org/Some-Model_1.5",
        file_url("m-Q4_0.gguf"),
    )
    web.fails_after = 0
    assert library.load(REF, "", web.reach(tmp_path)).source == "G"


def test_refusals_are_told_in_words(tmp_path: Path) -> None:
    web = FakeWeb()
    assert "has no “some-org/Some-Model_1.5” at “main”" in problem(web, tmp_path)
    web.put_json(API + "main", {"error": "x"}, 401)
    assert "only to those it knows" in problem(web, tmp_path)
    web.put_json(API + "main", {"error": "busy"}, 503)
    assert "status 503" in problem(web, tmp_path)
    web.put_json(API + "main", {"sha": "../..", "siblings": []})
    assert "not understood" in problem(web, tmp_path)
    web.put_json(API + "main", {"sha": COMMIT, "siblings": []})
    assert "has no chat template" in problem(web, tmp_path)


def test_a_download_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    web = FakeWeb()
    web.pages["https://h/f"] = data = bytes(range(250)) * (PIECE // 100)
    web.fails_after = 2
    target = tmp_path / "new" / "f"
    with pytest.raises(ThinkpaneError):
        download(web.reach(tmp_path), "https://h/f", target, 100 * 2**20)
    assert not target.exists()
    web.fails_after = None
    web.asked.clear()
    assert download(web.reach(tmp_path), "https://h/f", target, 100 * 2**20)
    assert target.read_bytes() == data
    assert web.asked[0][1].startswith(f"bytes={2 * PIECE}-")
    assert [path.name for path in target.parent.iterdir()] == ["f"]


def test_downloads_know_empty_missing_whole_and_too_long_files(tmp_path: Path) -> None:
    web = FakeWeb()
    web.pages = {"https://h/empty": b"", "https://h/long": b"x" * 2 * PIECE}
    web.replies["https://h/whole"] = Reply(200, {}, b"all")
    web.replies["https://h/odd"] = Reply(206, {"content-range": "bytes 7-9/10"}, b"xyz")
    reach = web.reach(tmp_path)
    assert download(reach, "https://h/empty", tmp_path / "e", 10)
    assert (tmp_path / "e").read_bytes() == b""
    assert download(reach, "https://h/whole", tmp_path / "w", 10)
    assert (tmp_path / "w").read_bytes() == b"all"
    assert not download(reach, "https://h/none", tmp_path / "n", 10)
    with pytest.raises(ThinkpaneError, match="another range"):
        download(reach, "https://h/odd", tmp_path / "o", 10)
    with pytest.raises(ThinkpaneError, match="more than the 5 MiB"):
        download(reach, "https://h/long", tmp_path / "l", 5 * 2**20)


def test_a_part_longer_than_the_file_is_dropped(tmp_path: Path) -> None:
    web = FakeWeb()
    web.pages["https://h/f"] = b"new"
    (tmp_path / "f.part").write_bytes(b"older and longer")
    assert download(web.reach(tmp_path), "https://h/f", tmp_path / "f", 100)
    assert (tmp_path / "f").read_bytes() == b"new"

"""Templates in GGUF files: on disk, and on the web by ranges."""

from pathlib import Path

import pytest

from support.fake_web import FakeWeb, Reply
from support.gguf_files import Value, gguf
from thinkpane.errors import ThinkpaneError
from thinkpane.templates import library
from thinkpane.templates.remote_files import KeptHead

MODEL: dict[str, Value] = {
    "general.name": "Some Model",
    "tokenizer.ggml.tokens": ["<unk>", "<s>", "</s>", "<think>", "ö", "a", "<0x0A>"],
    "tokenizer.ggml.token_type": [3, 3, 3, 4, 4, 1, 6],
    "tokenizer.ggml.bos_token_id": 1,
    "tokenizer.ggml.eos_token_id": 2,
    "tokenizer.ggml.padding_token_id": 99,
    "tokenizer.chat_template": "D",
    "tokenizer.chat_templates": ["tool_use"],
    "tokenizer.chat_template.tool_use": "T",
}
URL = "https://host/models/m.gguf?download=true"


def problem(ref: str, web: FakeWeb | None = None, cache: Path = Path()) -> str:
    with pytest.raises(ThinkpaneError) as caught:
        library.load(ref, "", web.reach(cache) if web else None)
    return caught.value.problem.message


def test_a_file_gives_templates_and_tokens(tmp_path: Path) -> None:
    path = tmp_path / "m.GGUF"
    path.write_bytes(gguf(MODEL))
    template = library.load(str(path))
    assert (template.source, template.title, template.origin) == ("D", "Some Model", str(path))
    assert template.named == {"default": "D", "tool_use": "T"}
    assert template.variables == {"bos_token": "<s>", "eos_token": "</s>"}
    assert template.special_tokens == ("<s>", "</s>", "<unk>", "<think>")
    assert library.load(str(path), "tool_use").source == "T"


def test_faults_of_files_name_them(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    assert "There is no file" in problem(str(path))
    path.write_bytes(b"PK\3\4")
    assert "m.gguf” is no GGUF file" in problem(str(path))
    path.write_bytes(gguf({"general.name": "x"}))
    assert "holds no chat template" in problem(str(path))


def test_a_remote_file_is_read_by_ranges_and_kept(tmp_path: Path) -> None:
    web = FakeWeb()
    web.pages[URL] = gguf(MODEL) + b"\0" * 9 * 2**20
    template = library.load(URL, "", web.reach(tmp_path))
    assert (template.source, template.origin) == ("D", URL)
    assert [asked for _, asked in web.asked] == ["bytes=0-3", "bytes=0-1048575"]
    web.asked.clear()
    assert library.load(URL, "", web.reach(tmp_path)) == template
    assert [asked for _, asked in web.asked] == ["bytes=0-3"]
    web.fails_after = 0
    assert library.load(URL, "", web.reach(tmp_path)) == template


def test_another_version_of_a_remote_file_is_fetched_anew(tmp_path: Path) -> None:
    web = FakeWeb()
    web.pages[URL] = gguf(MODEL)
    library.load(URL, "", web.reach(tmp_path))
    web.pages[URL], web.version = gguf({**MODEL, "tokenizer.chat_template": "N"}), "two"
    assert library.load(URL, "", web.reach(tmp_path)).source == "N"


def test_a_broken_off_head_goes_on(tmp_path: Path) -> None:
    web = FakeWeb()
    web.pages[URL] = bytes(range(256)) * 40_000
    web.fails_after = 2
    with pytest.raises(ThinkpaneError):
        KeptHead(web.reach(tmp_path), URL).read(0, 9 * 2**20)
    web.fails_after = None
    web.asked.clear()
    assert KeptHead(web.reach(tmp_path), URL).read(5, 9 * 2**20) == web.pages[URL][5 : 5 + 9 * 2**20]
    assert [asked for _, asked in web.asked][1].startswith(f"bytes={4 * 2**20}-")


def test_what_cannot_be_had_is_one_sentence(tmp_path: Path) -> None:
    assert "not reached from here" in problem(URL)
    web = FakeWeb()
    assert "status 404: Not found" in problem(URL, web, tmp_path)
    web.replies[URL] = Reply(200, {}, gguf(MODEL))
    assert "only as a whole" in problem(URL, web, tmp_path)
    web.replies[URL] = Reply(206, {}, b"GGUF")
    assert "which range" in problem(URL, web, tmp_path)
    web.fails_after = 0
    assert problem(URL, web, tmp_path) == "There is no network."


def test_redirects_are_followed_but_not_to_plain_http(tmp_path: Path) -> None:
    web = FakeWeb()
    web.replies[URL] = Reply(302, {"location": "/elsewhere"})
    web.pages["https://host/elsewhere"] = gguf(MODEL)
    assert library.load(URL, "", web.reach(tmp_path)).source == "D"
    web.replies[URL] = Reply(302, {"location": "http://host/elsewhere"})
    assert "not followed" in problem(URL, web, tmp_path / "other")
    web.replies[URL] = Reply(302, {"location": URL})
    assert "more than 5 redirects" in problem(URL, web, tmp_path / "other")


def test_a_cache_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    web = FakeWeb()
    web.pages[URL] = gguf(MODEL)
    assert "The cache cannot be used" in problem(URL, web, tmp_path / "file")

"""Local paths in messages become data URLs, or one clear sentence."""

import base64
from pathlib import Path
from typing import Any

import pytest

from thinkpane.endpoints.dialects._api import Call
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.profile import Endpoint
from thinkpane.errors import ThinkpaneError
from thinkpane.runs import local_files
from thinkpane.runs.calls import request_for
from thinkpane.runs.local_files import with_local_files

PNG = b"\x89PNG\r\n\x1a\nrest"
PNG_URL = "data:image/png;base64," + base64.b64encode(PNG).decode()


def image(address: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": address, "detail": "low"}}


def document(address: str) -> dict[str, Any]:
    return {"type": "file", "file": {"filename": "f", "file_data": address}}


def sent(*parts: object) -> Any:
    messages: Any = [{"role": "system", "content": "s"}, {"role": "user", "content": list(parts)}]
    call, _ = with_local_files(Call("chat", messages=messages))
    return call.messages[1]["content"]  # type: ignore[call-overload, index]


@pytest.fixture
def png(tmp_path: Path) -> Path:
    path = tmp_path / "a b.png"
    path.write_bytes(PNG)
    return path


def test_an_image_and_a_document_go_along(png: Path) -> None:
    assert sent(image(str(png))) == [image(PNG_URL)]
    assert sent(image(png.as_uri())) == [image(PNG_URL)]
    assert sent({"type": "image", "path": str(png)}) == [{"type": "image", "path": PNG_URL}]
    assert sent(document(str(png))) == [document(PNG_URL)]


@pytest.mark.parametrize(
    ("name", "data", "media_type"),
    [
        ("a", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("a", b"GIF89a", "image/gif"),
        ("a", b"RIFF____WEBPVP8 ", "image/webp"),
        ("a.txt", b"%PDF-1.7", "application/pdf"),
        ("a.CSV", b"a,b", "text/csv"),
    ],
)
def test_what_a_file_is_shows_in_its_first_bytes_or_its_ending(
    tmp_path: Path, name: str, data: bytes, media_type: str
) -> None:
    (tmp_path / name).write_bytes(data)
    (part,) = sent(document(str(tmp_path / name)))
    assert part["file"]["file_data"].startswith(f"data:{media_type};base64,")


@pytest.mark.parametrize(
    "part",
    [
        image("https://h/a.png"),
        image("data:image/png;base64,AA"),
        document("/9j/4AAQSkZJRg=="),
        {"type": "file", "file": {"file_id": "file-1"}},
        {"type": "text", "text": "/etc/hosts"},
        {"type": "odd", "path": "/etc/hosts"},
        "/etc/hosts",
    ],
)
def test_what_is_no_path_stays(part: object) -> None:
    assert sent(part) == [part]


def refused(part: object) -> tuple[str, int | None]:
    with pytest.raises(ThinkpaneError) as caught:
        sent(part)
    problem = caught.value.problem
    assert problem.kind == "file"
    assert "\n" not in problem.message
    return problem.message, problem.message_index


def test_a_file_that_is_not_there_is_named_with_its_message(tmp_path: Path) -> None:
    message, index = refused(image(str(tmp_path / "no.png")))
    assert message.startswith("Message 2 points at")
    assert "no.png" in message
    assert index == 1


def test_an_image_must_be_one(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("secret")
    assert "no PNG" in refused(image(str(tmp_path / "a.png")))[0]
    assert "no PDF" in refused(document(str(tmp_path / "a.png")))[0]


def test_hidden_files_folders_and_other_machines_are_refused(tmp_path: Path) -> None:
    (tmp_path / ".keys").mkdir()
    (tmp_path / ".keys" / "a.txt").write_text("secret")
    (tmp_path / "link.txt").symlink_to(tmp_path / ".keys" / "a.txt")
    assert "hidden" in refused(document(str(tmp_path / ".keys" / "a.txt")))[0]
    assert "hidden" in refused(document(str(tmp_path / "link.txt")))[0]
    assert "no file" in refused(image(str(tmp_path)))[0]
    assert "another machine" in refused(image("file://elsewhere/a.png"))[0]


def test_a_file_has_a_largest_size(png: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_files, "LARGEST_FILE", len(PNG))
    assert sent(image(str(png))) == [image(PNG_URL)]
    monkeypatch.setattr(local_files, "LARGEST_FILE", len(PNG) - 1)
    assert "larger than" in refused(image(str(png)))[0]


def test_the_raw_path_reads_no_files() -> None:
    call = Call("raw", prompt="p", messages=[{"role": "user", "content": [image("/no/such")]}])
    assert with_local_files(call) == (call, [])


def test_a_request_says_which_files_go_along(png: Path) -> None:
    call = Call("chat", messages=[{"role": "user", "content": [image(str(png))]}])
    request = request_for(Endpoint("e", "openai-chat", "http://h"), dialect_named("openai-chat"), call)
    assert request.body["messages"] == [{"role": "user", "content": [image(PNG_URL)]}]
    assert [(each.kind, each.message_index) for each in request.warnings] == [("local-file-sent", 0)]

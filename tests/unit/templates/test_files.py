"""Files that templates are read from, good and bad."""

from pathlib import Path

import pytest

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.templates import files, library
from thinkpane.templates.files import is_network_path


def problem_of(ref: Path | str) -> Problem:
    """What loading `ref` is refused with."""
    with pytest.raises(ThinkpaneError) as caught:
        library.load(str(ref))
    return caught.value.problem


def write(path: Path, data: bytes | str) -> Path:
    """The file with that content."""
    path.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize("ending", [".jinja", ".jinja2", ".j2", ".txt", ".JINJA"])
def test_a_template_file_is_its_text_with_line_feeds(tmp_path: Path, ending: str) -> None:
    path = write(tmp_path / f"a{ending}", "é\r\n{{ x }}\r\n\n")
    template = library.load(str(path))
    assert template.source == "é\n{{ x }}\n\n"
    assert template.named == {}
    assert template.variables == {}
    assert template.title == path.name
    assert not template.built_in


def test_default_is_the_name_of_a_single_template(tmp_path: Path) -> None:
    assert library.load(str(write(tmp_path / "a.jinja", "x")), "default").source == "x"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    problem = problem_of(tmp_path / "a.jinja")
    assert problem.kind == "file"
    assert "There is no file" in problem.message
    assert "a.jinja" in problem.message


@pytest.mark.parametrize("ref", ["\ud800.jinja", "x" * 5000 + ".jinja"])
def test_a_name_no_file_can_have_is_one_sentence(ref: str) -> None:
    assert problem_of(ref).kind in ("file", "template_source")


def test_text_that_is_no_utf8_says_where(tmp_path: Path) -> None:
    problem = problem_of(write(tmp_path / "a.jinja", b"one\ntw\xffo"))
    assert (problem.kind, problem.line) == ("file", 2)
    assert "byte 6" in problem.message


def test_a_file_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jinja", b"x" * files.TEMPLATE_LIMIT)
    assert len(library.load(str(path)).source) == files.TEMPLATE_LIMIT
    with path.open("ab") as more:
        more.write(b"x")
    assert "more than the 4 MiB" in problem_of(path).message


def test_a_device_is_no_file() -> None:
    with pytest.raises(ThinkpaneError, match="is not a file"):
        files.read_bytes(Path("/dev/null" if Path("/dev/null").exists() else "NUL"), 10)


def test_a_file_without_permission_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.jinja", "x")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert problem_of(path).message == f"“{path}” cannot be read: Permission denied."


@pytest.mark.parametrize("name", ["tokenizer_config.json", "chat_template.json"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "ends too early"),
        ("[]", "holds a list, not a JSON object"),
        ("{}", "has no “chat_template”"),
        ('{"chat_template": 5}', "“chat_template” in"),
        ('{"chat_template": [{"name": "a"}]}', "“chat_template[0]” in"),
        ('{"chat_template": [{"name": "a", "template": "x"}, 1]}', "“chat_template[1]” in"),
        ('{"chat_template": {"a": 1}}', "“chat_template[a]” in"),
    ],
)
def test_faulty_json_files_say_what_and_where(tmp_path: Path, name: str, text: str, words: str) -> None:
    problem = problem_of(write(tmp_path / name, text))
    assert problem.kind == "template_source"
    assert words in problem.message
    assert name in problem.message


def test_an_unknown_ref_offers_the_nearest_id() -> None:
    assert problem_of("ollama:").message == "“ollama:” names no template: it is written ollama:name or ollama:name:tag."
    assert problem_of("chatlm").message == "There is no template “chatlm”; did you mean “chatml”?"


def test_a_file_of_no_known_kind_is_refused(tmp_path: Path) -> None:
    assert "is none of the files" in problem_of(write(tmp_path / "a.pdf", "x")).message


def test_pasted_text_is_a_template() -> None:
    template = library.from_source("{{ x }}", id="mine")
    assert (template.source, template.id, template.title, template.named) == ("{{ x }}", "mine", "mine", {})
    assert library.from_source("x").title == "Pasted template"


@pytest.mark.parametrize(
    ("ref", "is_one"),
    [
        (r"\\server\share\t.jinja", True),
        ("//server/share/t.jinja", True),
        (r"\/server\share", True),
        (r"\\?\UNC\server\share\t.jinja", True),
        (r"\\.\pipe\x", True),
        (r"\\?\C:\models\t.jinja", False),
        (r"C:\models\t.jinja", False),
        (r"models\t.jinja", False),
        ("/models/t.jinja", False),
        ("hf:owner/name", False),
        ("https://host/t.gguf", False),
        ("", False),
    ],
)
def test_paths_on_other_machines_are_told_apart_on_windows(ref: str, is_one: bool) -> None:
    assert is_network_path(ref, windows=True) is is_one
    assert is_network_path(ref, windows=False) is False

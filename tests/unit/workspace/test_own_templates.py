"""Own templates are kept whole; a file that text came from gets it back with its own line ends."""

from dataclasses import replace
from pathlib import Path

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.folders import folders
from thinkpane.templates import own
from thinkpane.templates.library import load
from thinkpane.workspace.own_templates import put_back, remove_own, save_own, write_back

ODD = "{{ x }}\r\n\u00a0\u2028\r{# é #}\n"


@pytest.mark.parametrize("id", ["protium-1.0", "glm-5.2", "memreader", "command-r7b"])
def test_an_own_copy_knows_what_its_original_knows(id: str) -> None:
    original = load(id)
    saved = save_own("mine", replace(original, source=ODD), "My own")
    assert saved == load("mine")
    assert saved == replace(original, id="mine", title="My own", source=ODD, built_in=False)


def test_saving_again_replaces() -> None:
    save_own("mine", load("chatml"))
    save_own("mine", replace(load("mine"), source="new"))
    assert load("mine").source == "new"
    assert load("mine").title == load("chatml").title
    remove_own("mine")
    assert own.ids() == ()
    with pytest.raises(ThinkpaneError, match="could not be removed"):
        remove_own("mine")


def test_what_is_removed_is_kept_and_can_be_put_back() -> None:
    saved = save_own("mine", replace(load("chatml"), source="first"))
    first = remove_own("mine")
    save_own("mine", replace(load("chatml"), source="second"))
    second = remove_own("mine")
    assert (first / "template.jinja").read_text() == "first"
    assert (second / "template.jinja").read_text() == "second"
    put_back("mine", first)
    assert load("mine") == saved
    with pytest.raises(ThinkpaneError, match="another own template"):
        put_back("mine", second)
    remove_own("mine")
    with pytest.raises(ThinkpaneError, match="could not be put back"):
        put_back("mine", first.with_name("nothing"))


def test_an_id_that_cannot_be_writes_nothing(tmp_path: Path) -> None:
    for id in ("chatml", "../out", "a.jinja"):
        with pytest.raises(ThinkpaneError):
            save_own(id, load("chatml"))
    assert not folders().own_templates.exists()


def test_half_a_surrogate_pair_is_refused_with_its_line() -> None:
    with pytest.raises(ThinkpaneError, match="Line 2") as error:
        save_own("mine", replace(load("chatml"), source="a\nb\ud800"))
    assert error.value.problem.line == 2
    assert own.ids() == ()


@pytest.mark.parametrize(
    ("old", "source", "new"),
    [
        (b"a\r\nb\r\n", "a\nc\nd\n", b"a\r\nc\r\nd\r\n"),
        (b"a\r\nb\r\n", "a\r\nc\n", b"a\r\nc\r\n"),
        (b"a\nb\r\n", "a\nc\n", b"a\nc\n"),
        (b"a\n", "a\u2028\u00a0", "a\u2028\u00a0".encode()),
        (None, "a\n", b"a\n"),
    ],
)
def test_writing_back_keeps_the_file_s_line_ends(tmp_path: Path, old: bytes | None, source: str, new: bytes) -> None:
    path = tmp_path / "t.jinja"
    if old is not None:
        path.write_bytes(old)
    write_back(path, source)
    assert path.read_bytes() == new

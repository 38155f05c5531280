"""Templates are read beside the window: the newest wins, nothing is fetched unasked, and files are watched."""

import os
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from support.fake_web import FakeWeb
from support.patience import PATIENCE
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.templates import library
from thinkpane.templates.reach import Reach
from thinkpane.templates.template import Template
from thinkpane.ui.template_feed import TemplateFeed

SERVER = "http://127.0.0.1:9/"


@pytest.fixture
def web() -> FakeWeb:
    found = FakeWeb()
    found.put_json(f"{SERVER}props", {"chat_template": "served", "bos_token": "<s>"})
    return found


@pytest.fixture
def feed(web: FakeWeb, tmp_path: Path, qtbot: QtBot) -> Iterator[TemplateFeed]:
    found = TemplateFeed(lambda: web.reach(tmp_path / "cache"))
    yield found
    found.close()


def wait_ready(feed: TemplateFeed, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: feed.is_ready)


def test_a_built_in_template_is_there_at_once(feed: TemplateFeed) -> None:
    assert feed.want("chatml")
    assert not feed.want("chatml")
    assert feed.is_ready
    assert feed.template.id == "chatml"


def test_a_file_comes_from_a_thread_and_the_last_template_stays_meanwhile(
    feed: TemplateFeed, tmp_path: Path, qtbot: QtBot
) -> None:
    file = tmp_path / "own.jinja"
    file.write_text("own")
    feed.want("chatml")
    feed.want(str(file))
    assert feed.is_loading
    assert feed.loading is not None
    assert "own.jinja" in feed.loading.message
    assert feed.template.id == "chatml"
    wait_ready(feed, qtbot)
    assert feed.template.source == "own"


class Gate:
    """Loads templates that are named after their REF, the ones called “slow” only when they are let through."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.started = threading.Event()
        self.threads: list[str] = []

    def __call__(self, ref: str, name: str = "", reach: Reach | None = None) -> Template:
        self.threads.append(threading.current_thread().name)
        if ref == "slow":
            self.started.set()
            assert self.open.wait(PATIENCE)
        if ref == "strange":
            raise ZeroDivisionError
        if ref == "bad":
            raise ThinkpaneError(Problem("file", "It cannot be read."))
        return Template(ref, f"text of {ref}")


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def gated(gate: Gate, tmp_path: Path, qtbot: QtBot) -> Iterator[TemplateFeed]:
    found = TemplateFeed(lambda: FakeWeb().reach(tmp_path), gate)
    yield found
    gate.open.set()
    found.close()


def test_the_newest_wins_whatever_is_read_last(gated: TemplateFeed, gate: Gate, qtbot: QtBot) -> None:
    gated.want("slow")
    assert gate.started.wait(PATIENCE)
    gated.want("quick")
    wait_ready(gated, qtbot)
    told: list[str] = []
    gated.changed.connect(lambda: told.append(gated.template.id))
    gate.open.set()
    gated.want("third")
    wait_ready(gated, qtbot)
    assert gated.template.id == "third"
    assert "slow" not in told
    assert set(gate.threads) == {"template"}


def test_loading_can_be_stopped_and_begun_again(gated: TemplateFeed, gate: Gate, qtbot: QtBot) -> None:
    gated.want("quick")
    wait_ready(gated, qtbot)
    gated.want("slow")
    gated.stop_loading()
    assert gated.problem == Problem("cancelled", "Loading “slow” was stopped.")
    assert gated.template.id == "quick"
    gate.open.set()
    gated.reload()
    wait_ready(gated, qtbot)
    assert gated.template.id == "slow"


@pytest.mark.parametrize(("ref", "kind"), [("bad", "file"), ("strange", "internal")])
def test_a_fault_is_one_sentence_and_the_last_template_stays(
    gated: TemplateFeed, qtbot: QtBot, ref: str, kind: str
) -> None:
    gated.want("quick")
    wait_ready(gated, qtbot)
    gated.want(ref)
    qtbot.waitUntil(lambda: gated.problem is not None)
    assert gated.problem is not None
    assert gated.problem.kind == kind
    assert gated.template.id == "quick"


def test_nothing_is_told_after_the_end(gated: TemplateFeed, gate: Gate, qtbot: QtBot) -> None:
    gated.want("slow")
    assert gate.started.wait(PATIENCE)
    gate.open.set()
    gated.close()
    with qtbot.assertNotEmitted(gated.changed, wait=50):
        gated.stop_loading()


def test_a_server_is_asked_only_when_a_person_chose_it(feed: TemplateFeed, web: FakeWeb, qtbot: QtBot) -> None:
    feed.want(SERVER)
    assert feed.asks
    assert feed.problem is not None
    assert "nothing is fetched before you ask" in feed.problem.message
    assert web.asked == []
    feed.choose(SERVER)
    wait_ready(feed, qtbot)
    assert feed.template.source == "served"
    assert feed.template.variables == {"bos_token": "<s>"}


def test_what_was_fetched_is_at_hand_until_it_is_reloaded(feed: TemplateFeed, web: FakeWeb, qtbot: QtBot) -> None:
    feed.choose(SERVER)
    feed.want(SERVER)
    wait_ready(feed, qtbot)
    feed.want("chatml")
    feed.want(SERVER)
    assert feed.is_ready
    assert len(web.asked) == 1
    feed.reload()
    wait_ready(feed, qtbot)
    assert len(web.asked) == 2


def test_stopping_asks_the_network_nothing_more(feed: TemplateFeed, web: FakeWeb, tmp_path: Path, qtbot: QtBot) -> None:
    asking, go_on = threading.Event(), threading.Event()
    answer = web.ask

    def slow(*arguments: object, **named: object) -> object:
        asking.set()
        assert go_on.wait(PATIENCE)
        return answer(*arguments, **named)  # type: ignore[arg-type]  # handed through as they came

    web.ask = slow  # type: ignore[assignment]  # the same, later
    web.put_json(
        "https://huggingface.co/api/models/a/b/revision/main",
        {"sha": "0" * 40, "siblings": [{"rfilename": "tokenizer.json"}]},
    )
    feed.choose("hf:a/b")
    feed.want("hf:a/b")
    assert asking.wait(PATIENCE)
    feed.stop_loading()
    go_on.set()
    feed.close()
    assert len(web.asked) == 1


def holds(feed: TemplateFeed, text: str) -> bool:
    return feed.template.source == text


def write(file: Path, text: str) -> None:
    file.write_text(text)


def replace_by_rename(file: Path, text: str) -> None:
    beside = file.with_suffix(".new")
    beside.write_text(text)
    beside.replace(file)


def remove_and_write(file: Path, text: str) -> None:
    file.unlink()
    file.write_text(text)


@pytest.mark.parametrize("change", [write, replace_by_rename, remove_and_write])
def test_a_file_that_changes_on_disk_is_read_again(
    feed: TemplateFeed, tmp_path: Path, qtbot: QtBot, change: Callable[[Path, str], None]
) -> None:
    file = tmp_path / "own.jinja"
    file.write_text("one")
    feed.want(str(file))
    wait_ready(feed, qtbot)
    for text in ("two, longer", "three, longer still"):
        change(file, text)
        qtbot.waitUntil(partial(holds, feed, text))


def test_a_deleted_file_is_told_and_what_was_read_stays_in_force(
    feed: TemplateFeed, tmp_path: Path, qtbot: QtBot
) -> None:
    file = tmp_path / "own.jinja"
    file.write_text("one")
    feed.want(str(file))
    wait_ready(feed, qtbot)
    file.unlink()
    qtbot.waitUntil(lambda: feed.is_gone)
    assert feed.is_ready
    assert feed.template.source == "one"
    file.write_text("back again")
    qtbot.waitUntil(lambda: feed.template.source == "back again")
    assert not feed.is_gone


def test_a_model_folder_is_watched_file_by_file(feed: TemplateFeed, tmp_path: Path, qtbot: QtBot) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "chat_template.jinja").write_text("one")
    feed.want(str(folder))
    wait_ready(feed, qtbot)
    (folder / "additional_chat_templates").mkdir()
    (folder / "additional_chat_templates" / "tool_use.jinja").write_text("with tools")
    qtbot.waitUntil(lambda: "tool_use" in feed.template.named)


def test_other_files_beside_it_make_no_reload(feed: TemplateFeed, tmp_path: Path, qtbot: QtBot) -> None:
    file = tmp_path / "own.jinja"
    file.write_text("one")
    feed.want(str(file))
    wait_ready(feed, qtbot)
    with qtbot.assertNotEmitted(feed.changed, wait=400):
        (tmp_path / "other.txt").write_text("x")
        os.utime(tmp_path)


def test_sources_say_whether_they_reach() -> None:
    found = [library.reaches(ref) for ref in ("chatml", "a.jinja", SERVER, "hf:a/b", "ollama+http://h:1#m", "ollama:m")]
    assert found == [False, False, True, True, True, False]


def test_what_was_fetched_is_remembered_up_to_a_bound(
    feed: TemplateFeed, web: FakeWeb, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thinkpane.ui.template_feed.FETCHED_KEPT", 2)
    servers = [f"http://127.0.0.1:{port}/" for port in (1, 2, 3)]
    for server in servers:
        web.put_json(f"{server}props", {"chat_template": server})
        feed.choose(server)
        feed.want(server)
        wait_ready(feed, qtbot)
    asked = len(web.asked)
    feed.want(servers[2])
    feed.want(servers[1])
    assert feed.is_ready, "at once"
    assert len(web.asked) == asked
    feed.want(servers[0])
    wait_ready(feed, qtbot)
    assert len(web.asked) > asked


def test_a_path_on_another_machine_is_not_touched_before_a_person_asks(
    gated: TemplateFeed, gate: Gate, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = r"\\server\share\t.jinja"
    monkeypatch.setattr("thinkpane.templates.library.is_network_path", lambda ref: ref == share)
    gated.want(share)
    assert gated.asks
    assert gate.threads == []
    with pytest.raises(ThinkpaneError, match="nothing is read there unasked"):
        library.load(share)
    gated.choose(share)
    wait_ready(gated, qtbot)
    assert gated.template.source == f"text of {share}"

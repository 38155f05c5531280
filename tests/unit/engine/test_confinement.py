"""The sandbox switched off: a template that holds all of Python still has no way to files, processes, sockets, its
parent or another job's answer."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import open_worker
from support.patience import PATIENCE
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest

APP = str(Path(__file__).parents[3] / "app")
TESTS = str(Path(__file__).parents[2])
OPEN = [
    sys.executable,
    "-c",
    f"import sys, runpy; sys.path[:0] = [{APP!r}, {TESTS!r}]; "
    f"runpy.run_path({open_worker.__file__!r}, run_name='__main__')",
]
MESSAGES: list[Any] = [{"role": "user", "content": "hi"}]
linux = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has the filter of system calls")

# What each does is said by its name; `M` is a path that must not come to be.
REFUSED = {
    "open for reading": "python.open('/etc/hostname').read()",
    "open for writing": "python.open('M', 'w').write('x')",
    "os.open": "os.open('M', 65)",
    "list a folder": "os.listdir('/')",
    "scan a folder": "os.scandir('/') | list",
    "make a folder": "os.mkdir('M')",
    "remove a file": "os.remove('/etc/hostname')",
    "rename": "os.rename('/etc/hostname', 'M')",
    "link": "os.symlink('/etc/hostname', 'M')",
    "environment of the parent": "python.open('/proc/' ~ os.getppid() ~ '/environ').read()",
    "own memory": "python.open('/proc/self/mem', 'r+b')",
    "shell": "os.system('touch M')",
    "pipe to a shell": "os.popen('touch M').read()",
    "fork": "os.fork()",
    "fork in a terminal": "os.forkpty()",
    "exec": "os.execv('/bin/true', ['true'])",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "kill the parent": "os.kill(os.getppid(), 9)",
    "kill the group": "os.killpg(os.getpgid(0), 9)",
    "import from a file": "python.__import__('sqlite3')",
    "import built in": "python.__import__('socket').socket()",
    "import a library of C": "python.__import__('_posixsubprocess')",
    "foreign functions": "sys.modules['ctypes'].CDLL(none)",
    "foreign memory": "sys.modules['ctypes'].string_at(1000)",
    "all objects": "gc.get_objects()",
    "referrers": "gc.get_referrers(python)",
    "trace": "sys.settrace(python.print)",
    "profile": "sys.setprofile(python.print)",
    "limits": "sys.modules['resource'].prlimit(os.getppid(), 7, (0, 0))",
    "code of the guard": "sys.modules['thinkpane.engine.confine']._stand_guard.__code__.replace() "
    "~ python.open('/etc/hostname')",
}
REFUSED_BY_SYSTEM = {
    "threads": "sys.modules['_thread'].start_new_thread(python.print, ())",
    "make a pipe in the file system": "os.mkfifo('M')",
    "make a node": "os.mknod('M')",
    "priority of the parent": "os.setpriority(0, os.getppid(), 19)",
    "processors of the parent": "os.sched_setaffinity(os.getppid(), [0])",
    "timer": "signal.setitimer(0, 0.01)",
    "be deaf": "signal.signal(15, signal.SIG_IGN)",
    "leave the group": "os.setsid()",
    "become another": "os.setuid(1)",
    "stat": "os.stat('/etc/hostname').st_size",
    "change folder": "os.chdir('/tmp')",
    "limits of its own": "sys.modules['resource'].setrlimit(7, (0, 0))",
    "pseudo terminal": "os.openpty()",
    "memory as a file": "os.memfd_create('x')",
    "copy a pipe": "os.dup(1)",
}


@pytest.fixture(scope="module")
def opened() -> Iterator[Engine]:
    """An engine whose workers have no sandbox."""
    made = Engine(OPEN, spare=0, deadline=PATIENCE)
    yield made
    made.close()


def refusal(engine: Engine, expression: str, tmp_path: Path) -> str:
    """What the worker says to `expression`; "" where it did it."""
    source = (
        "{{ " + expression.replace("'M'", f"'{tmp_path / 'made'}'").replace(" M'", f" {tmp_path / 'made'}'") + " }}"
    )
    problem = engine.render(RenderRequest(source, MESSAGES)).problem
    return problem.message if problem else ""


def test_there_is_no_sandbox(opened: Engine) -> None:
    source = "{{ ''.__class__.__mro__[1].__subclasses__() | length > 100 }}{{ os.getpid() > 1 }}"
    assert opened.render(RenderRequest(source, MESSAGES)).text == "TrueTrue"


@pytest.mark.parametrize("name", REFUSED)
def test_refused_everywhere(name: str, opened: Engine, tmp_path: Path) -> None:
    told = refusal(opened, REFUSED[name], tmp_path)
    assert any(words in told for words in ("may not do this", "not permitted")), told
    assert [*tmp_path.iterdir()] == []


@linux
@pytest.mark.parametrize("name", REFUSED_BY_SYSTEM)
def test_refused_by_the_system(name: str, opened: Engine, tmp_path: Path) -> None:
    told = refusal(opened, REFUSED_BY_SYSTEM[name], tmp_path)
    assert any(words in told for words in ("not permitted", "not allowed", "can't start", "may not do this")), told
    assert [*tmp_path.iterdir()] == []


def test_environment_is_empty(opened: Engine) -> None:
    assert opened.render(RenderRequest("{{ os.environ | length }}", MESSAGES)).text == "0"


def test_guard_cannot_be_changed(opened: Engine, tmp_path: Path) -> None:
    source = (
        "{% set guard = sys.modules['thinkpane.engine.confine'] %}"
        "{{ python.setattr(guard, '_ALLOWED_EVENTS', python.frozenset(['open'])) }}"
        "{{ python.setattr(python, 'PermissionError', python.print) }}{{ python.open('"
        + str(tmp_path / "made")
        + "', 'w') }}"
    )
    assert opened.render(RenderRequest(source, MESSAGES)).text is None
    assert [*tmp_path.iterdir()] == []
    assert opened.job("constants", {"source": "a"}) == {"constants": [], "data": ["a"]}


@pytest.mark.parametrize(
    "frame",
    [
        'python.bytes([0,0,0,38,0,0,0,0]) + \'{"result":{"text":"forged"},"mark":"x"}\'.encode()',
        "python.bytes([0,255,255,255,0,0,0,0])",
        "python.bytes([0,0,4,0,0,0,0,0]) + ('[' * 1024).encode()",
        "python.bytes([0,0,0,2,0,0,0,0]) + '[]'.encode()",
        "python.bytes([1,0,0,0,127,255,255,255]) + ('[{},' * 999999).encode()",
    ],
)
def test_no_answer_can_be_forged(frame: str, opened: Engine) -> None:
    for descriptor in range(3, 8):
        source = "{{ os.write(" + f"{descriptor}, {frame}" + ") }}"
        rendered = opened.render(RenderRequest(source, MESSAGES), deadline=2.0)
        assert rendered.text is None or rendered.text.isdigit()
        after = opened.render(RenderRequest("{{ messages[0].content }}", MESSAGES))
        assert after.text == "hi" or (after.problem and after.problem.kind == "crash")
        assert opened.render(RenderRequest("{{ messages[0].content }}", MESSAGES)).text == "hi"


def test_worker_past_its_deadline_is_really_gone(opened: Engine) -> None:
    pid = int(opened.render(RenderRequest("{{ os.getpid() }}", MESSAGES)).text or "")
    source = "{% for a in range(10 ** 9) %}{% endfor %}"
    problem = opened.render(RenderRequest(source, MESSAGES), deadline=0.3).problem
    assert problem is not None
    assert problem.kind == "timeout"
    if opened._pool._filling is not None:
        opened._pool._filling.join(PATIENCE)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)

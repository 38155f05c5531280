"""Analyses of large prompts in a child process: regular expressions over megabytes hold the interpreter's lock, and
would stop the window for as long (docs/adr/0006-analyst.md).

Questions and answers are pickled: both ends are this program, and the child gives foreign text to workers only.
"""

import pickle
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from queue import SimpleQueue
from typing import BinaryIO, Final, Literal, TypeAlias, cast

from thinkpane.engine.host import Engine, Ticket
from thinkpane.engine.process import bare_environment, worker_command
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue

WORD: Final = "analyst"
"""The program's first word that makes it the child."""

LARGE: Final = 200_000
"""Characters of messages, tools and documents from which they are analysed in the child: below, no analysis is felt."""

Job: TypeAlias = Callable[[object, Ticket], object]
"""Works an answer out; raises ThinkpaneError."""

_LENGTH = struct.Struct(">Q")
_Kind: TypeAlias = Literal["ask", "cancel"]


def is_large(request: RenderRequest) -> bool:
    """Whether a request's analyses belong into the child."""
    return _characters([request.messages, request.tools, request.documents], LARGE) >= LARGE


def _characters(value: JsonValue, most: int) -> int:
    """How many characters the texts of a value have; counting ends at `most`."""
    if isinstance(value, str):
        return len(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = 0
    for each in inner:
        found += _characters(each, most - found)
        if found >= most:
            break
    return found


_OVERTAKEN = Problem("cancelled", "A newer question took its place.")
_CRASHED = Problem("crash", "The process that analyses large prompts ended by itself.")


class _Waiting:
    """Somebody who asked. child: the process that was asked; another one may have taken its place since."""

    def __init__(self, ticket: object, child: "_Child") -> None:
        self.ticket = ticket
        self.child = child
        self.done = threading.Event()
        self.answer: object = None
        self.problem: Problem | None = None


class _Child:
    """The process, and a thread that writes to it: it may be slow to read, and the window must not wait for that."""

    def __init__(self, command: Sequence[str]) -> None:
        """Raises ThinkpaneError (kind "worker") where it cannot start."""
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        try:
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=nothing, env=bare_environment(), close_fds=True
            )
        except OSError as error:
            why = f"The process that analyses large prompts could not start: {error}."
            raise ThinkpaneError(Problem("worker", why)) from error
        self._out: SimpleQueue[bytes | None] = SimpleQueue()
        threading.Thread(target=self._write, name="analyst-out", daemon=True).start()

    @property
    def alive(self) -> bool:
        """True until it ended."""
        return self._process.poll() is None

    def send(self, message: object) -> None:
        """Puts a message on its way; one that is gone by then never answers, which its reader sees."""
        self._out.put(_pickled(message))

    def answers(self) -> Iterator[object]:
        """What it answers, until it ends; to be read by one thread."""
        stream = cast("BinaryIO", self._process.stdout)
        while (body := _read(stream)) is not None:
            yield pickle.loads(body)
        self._out.put(None)
        self._process.wait()
        stream.close()

    def kill(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()

    def _write(self) -> None:
        stream = cast("BinaryIO", self._process.stdin)
        try:
            with stream:
                while (body := self._out.get()) is not None:
                    _send(stream, body)
        except OSError:
            return  # it ended; whoever waits hears of it from the thread that reads


class Analyst:
    """The child as the window sees it; it starts with the first question. Methods may be called from any thread."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        """command: how the child is started, None = this program's own way."""
        self._command = tuple(command or worker_command(WORD))
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._waiting: dict[int, _Waiting] = {}
        self._child: _Child | None = None
        self._closed = False

    def ask(self, job: str, question: object, ticket: object) -> object:
        """The answer of one job of the child's table; waits for it.

        Raises ThinkpaneError: what the job raised, kind "cancelled" once `cancel` was called with `ticket`, "crash"
        where the child ended, "worker" where it cannot start.
        """
        number = next(self._numbers)
        with self._lock:
            if isinstance(ticket, Ticket) and ticket.cancelled:
                raise ThinkpaneError(_OVERTAKEN)
            child = self._running()
            waiting = self._waiting[number] = _Waiting(ticket, child)
        child.send(("ask", number, job, question))
        waiting.done.wait()
        if waiting.problem is not None:
            raise ThinkpaneError(waiting.problem)
        return waiting.answer

    def cancel(self, ticket: object) -> None:
        """Lets go of the questions that were asked with the ticket; the child gives them up, too. A question that a
        cancelled Ticket is used for later (Engine.cancel) is not asked."""
        with self._lock:
            for number, each in [*self._waiting.items()]:
                if each.ticket is ticket:
                    self._end(number, _OVERTAKEN)
                    each.child.send(("cancel", number, "", None))

    def close(self) -> None:
        """Ends the child; questions that wait end with kind "cancelled"."""
        with self._lock:
            self._closed = True
            child, self._child = self._child, None
            for number in list(self._waiting):
                self._end(number, Problem("cancelled", "The program is ending."))
        if child is not None:
            child.kill()

    def _running(self) -> _Child:
        if self._closed:
            raise ThinkpaneError(Problem("cancelled", "The program is ending."))
        if self._child is None or not self._child.alive:
            self._child = _Child(self._command)
            threading.Thread(target=self._listen, args=(self._child,), name="analyst", daemon=True).start()
        return self._child

    def _listen(self, child: _Child) -> None:
        """Hands answers to those who wait, until the child ends; then all who wait for it hear of that."""
        for number, answer, problem in cast("Iterator[tuple[int, object, Problem | None]]", child.answers()):
            with self._lock:
                self._end(number, problem, answer)
        with self._lock:
            if self._child is child:
                self._child = None
            for number, each in [*self._waiting.items()]:
                if each.child is child:
                    self._end(number, _CRASHED)

    def _end(self, number: int, problem: Problem | None, answer: object = None) -> None:
        waiting = self._waiting.pop(number, None)
        if waiting is not None:
            waiting.answer, waiting.problem = answer, problem
            waiting.done.set()


def serve(jobs: Callable[[Engine], Mapping[str, Job]], requests: BinaryIO, replies: BinaryIO) -> None:
    """The child: answers questions until `requests` ends. Each job of the table does one question at a time."""
    engine = Engine()
    table = {name: _Desk(job, engine, replies) for name, job in jobs(engine).items()}
    try:
        while (body := _read(requests)) is not None:
            kind, number, job, question = cast("tuple[_Kind, int, str, object]", pickle.loads(body))
            if kind == "ask":
                table[job].put(number, question)
            else:
                for desk in table.values():
                    desk.cancel(number)
    finally:
        engine.close()


class _Desk:
    """Does one job's questions, one after another, in a thread of its own."""

    _writing = threading.Lock()

    def __init__(self, job: Job, engine: Engine, replies: BinaryIO) -> None:
        self._job = job
        self._engine = engine
        self._replies = replies
        self._changed = threading.Condition()
        self._asked: list[tuple[int, object, Ticket]] = []
        self._at_work: tuple[int, Ticket] | None = None
        threading.Thread(target=self._run, name="desk", daemon=True).start()

    def put(self, number: int, question: object) -> None:
        """Another question."""
        with self._changed:
            self._asked.append((number, question, Ticket()))
            self._changed.notify()

    def cancel(self, number: int) -> None:
        """Gives that question up, if it is here."""
        with self._changed:
            self._asked = [each for each in self._asked if each[0] != number]
            at_work = self._at_work
        if at_work is not None and at_work[0] == number:
            self._engine.cancel(at_work[1])

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._asked)
                number, question, ticket = self._asked.pop(0)
                self._at_work = number, ticket
            body = _pickled((number, *self._answered(question, ticket)))
            with self._writing:
                _send(self._replies, body)

    def _answered(self, question: object, ticket: Ticket) -> tuple[object, Problem | None]:
        try:
            return self._job(question, ticket), None
        except ThinkpaneError as error:
            return None, error.problem
        except Exception as error:  # noqa: BLE001 - the window must hear of it, and the next question be answered
            return None, Problem("internal", f"The prompt could not be analysed: {type(error).__name__}.")


def _pickled(message: object) -> bytes:
    return pickle.dumps(message, pickle.HIGHEST_PROTOCOL)


def _send(stream: BinaryIO, body: bytes) -> None:
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def _read(stream: BinaryIO) -> bytes | None:
    """The next message, None at the end."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None

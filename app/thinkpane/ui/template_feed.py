"""The document's template as the window gets it: read by a thread, the newest that was asked for wins."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.templates import built_in, library
from thinkpane.templates.files import is_there, near_path
from thinkpane.templates.template import Template
from thinkpane.ui.template_watch import Stamp, TemplateWatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from thinkpane.formats.json_values import JsonObject
    from thinkpane.templates.reach import Reach, Reply

_NO_TEMPLATE = Template("", "")
FETCHED_KEPT = 16
"""Templates of the network that are remembered; one that is chosen again after that comes from the cache on disk."""

_JOIN_SECONDS = 0.2
"""At most for each thread at the end: one that waits for a server tells nothing any more and ends with the process."""


class Load(Protocol):
    """Gives the template of a REF (templates/library.py)."""

    def __call__(self, ref: str, name: str = "", reach: "Reach | None" = None) -> Template:
        """Raises ThinkpaneError; may wait for disk and network."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    ticket: threading.Event
    ref: str
    template: Template | None
    problem: Problem | None


@dataclass(frozen=True, slots=True)
class _InForce:
    """What was read last, and of which files."""

    ref: str
    stamp: Stamp
    is_gone: bool


class TemplateFeed(QObject):
    """The template of one REF at a time.

    What lies on the network is fetched only where a person chose that REF here (`choose`); a REF that merely stands in
    a document waits for `choose`. Built-in templates come at once, all others from a thread.

    Signals:
        changed(): template, loading, problem or is_gone is another one.
    """

    changed = Signal()
    _read = Signal(object)

    def __init__(self, reach: "Callable[[], Reach]", load: Load = library.load) -> None:
        """reach: gives what the network is asked with, when it is needed."""
        super().__init__()
        self._reach = reach
        self._load = load
        self._template = _NO_TEMPLATE
        self._wanted: str | None = None
        self._chosen: set[str] = set()
        self._fetched: dict[str, Template] = {}
        self._problem: Problem | None = None
        self._ticket: threading.Event | None = None
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._closed = False
        self._gone = False
        self._last: _InForce | None = None
        self._watch = TemplateWatch()
        self._watch.changed.connect(self._on_watch_changed)
        self._watch.gone.connect(self._on_watch_gone)
        self._read.connect(self._on_thread_read, Qt.ConnectionType.QueuedConnection)

    @property
    def template(self) -> Template:
        """The template that was read last; while the wanted one cannot be had, the one before."""
        return self._template

    @property
    def wanted(self) -> str:
        """The REF that was asked for last."""
        return self._wanted or ""

    @property
    def is_loading(self) -> bool:
        """Whether the wanted template is being read."""
        return self._ticket is not None

    @property
    def loading(self) -> Problem | None:
        """Why nothing can be made of the wanted template yet; None where it is not being read."""
        if self._ticket is None:
            return None
        return Problem(
            "loading", f"The template “{self._wanted}” is still loading; nothing is sent before it is there."
        )

    @property
    def problem(self) -> Problem | None:
        """Why the wanted template cannot be had; None while it is read and when it is there."""
        return self._problem

    @property
    def asks(self) -> bool:
        """Whether the wanted template lies on the network and nobody chose it yet."""
        return self._problem is not None and self._problem.kind == "unfetched"

    @property
    def is_gone(self) -> bool:
        """Whether the template's file is no longer there; what was read of it stays in force."""
        return self._gone

    @property
    def is_ready(self) -> bool:
        """Whether `template` is the wanted one."""
        return self._ticket is None and self._problem is None and self._wanted is not None

    def choose(self, ref: str) -> None:
        """A person chose `ref`: it may be fetched. Fetches it where it waits for that."""
        self._chosen.add(ref)
        if ref == self._wanted and self.asks:
            self._start(ref)

    def is_chosen(self, ref: str) -> bool:
        """Whether a person chose `ref`, so that it may be fetched."""
        return ref in self._chosen

    def want(self, ref: str) -> bool:
        """Wants the template of `ref`; one that is being read is no longer wanted.

        True where something came of it, which `changed` told; False where it is the REF that is wanted already.
        """
        if ref == self._wanted:
            return False
        self._start(ref)
        return True

    def go_back(self) -> None:
        """Wants the REF again whose template was read last, with what was read of it; does nothing before the first."""
        if self._last is None or self.is_ready:
            return
        self._drop_ticket()
        self._wanted, self._problem, self._gone = self._last.ref, None, self._last.is_gone
        self._watch.watch(self._last.ref, self._last.stamp)
        self.changed.emit()

    def reload(self) -> None:
        """Reads the wanted template anew, from the network too."""
        if self._wanted is not None:
            self._fetched.pop(self._wanted, None)
            self._start(self._wanted)

    def stop_loading(self) -> None:
        """Ends the reading; the last template stays, and `problem` says so."""
        if self._ticket is not None:
            self._drop_ticket()
            self._fail(Problem("cancelled", f"Loading “{self._wanted}” was stopped."))

    def close(self) -> None:
        """Ends the threads; nothing is told any more."""
        with self._lock:
            self._closed = True
        self._drop_ticket()
        self._watch.close()
        for thread in self._threads:
            thread.join(_JOIN_SECONDS)

    def _start(self, ref: str) -> None:
        if self.is_ready:
            self._last = _InForce(self.wanted, self._watch.stamp, self._gone)
        self._drop_ticket()
        self._wanted, self._problem, self._gone = ref, None, False
        self._watch.watch("")
        if ref in self._fetched:
            self._take(self._fetched[ref])
        elif ref in built_in.ids():
            self._take(built_in.load(ref))
        elif not ref:
            # A document with nothing but its own text.
            self._take(_NO_TEMPLATE)
        elif library.reaches(ref) and ref not in self._chosen:
            sentence = f"The template “{ref}” lies on the network; nothing is fetched before you ask for it."
            self._fail(Problem("unfetched", sentence))
        else:
            self._watch.watch(ref)
            self._start_thread(ref)

    def _start_thread(self, ref: str) -> None:
        ticket = threading.Event()
        self._ticket = ticket
        reach = _stoppable(self._reach(), ticket) if library.reaches(ref) else None
        thread = threading.Thread(target=self._read_beside, args=(ticket, ref, reach), name="template", daemon=True)
        self._threads = [each for each in self._threads if each.is_alive()] + [thread]
        thread.start()
        self.changed.emit()

    def _read_beside(self, ticket: threading.Event, ref: str, reach: "Reach | None") -> None:
        template, problem = None, None
        try:
            template = self._load(ref, "", reach)
        except ThinkpaneError as error:
            problem = error.problem
        except Exception as error:  # noqa: BLE001 - without an outcome the window would say “loading” for ever
            problem = Problem("internal", f"The template “{ref}” could not be read: {type(error).__name__}.")
        with self._lock:
            if not self._closed and not ticket.is_set():
                self._read.emit(_Outcome(ticket, ref, template, problem))

    def _drop_ticket(self) -> None:
        if self._ticket is not None:
            self._ticket.set()
            self._ticket = None

    def _take(self, template: Template) -> None:
        self._template = template
        self.changed.emit()

    def _fail(self, problem: Problem) -> None:
        self._problem = problem
        self.changed.emit()

    @Slot(object)
    def _on_thread_read(self, outcome: _Outcome) -> None:
        if outcome.ticket is not self._ticket:
            return
        self._ticket = None
        if (
            outcome.template is None
            and self._last is not None
            and self._last.ref == outcome.ref
            and _is_gone(outcome.ref)
        ):
            self._gone = True
            self.changed.emit()
            return
        if outcome.template is None:
            self._fail(outcome.problem or Problem("internal", "The template could not be read."))
            return
        if library.reaches(outcome.ref):
            self._fetched.pop(outcome.ref, None)
            self._fetched[outcome.ref] = outcome.template
            while len(self._fetched) > FETCHED_KEPT:
                del self._fetched[next(iter(self._fetched))]
        self._take(outcome.template)

    def _on_watch_changed(self) -> None:
        if not self._closed:
            self.reload()

    def _on_watch_gone(self) -> None:
        self._gone = True
        self.changed.emit()


def _is_gone(ref: str) -> bool:
    path = near_path(ref)
    return path is not None and not is_there(path)


def _stoppable(reach: "Reach", ticket: threading.Event) -> "Reach":
    """`reach`, which asks nothing more once `ticket` is set."""

    def ask(url: str, headers: "Mapping[str, str]", *, limit: int, body: "JsonObject | None" = None) -> "Reply":
        if ticket.is_set():
            raise ThinkpaneError(Problem("cancelled", "Loading was stopped."))
        return reach.ask(url, headers, limit=limit, body=body)

    return replace(reach, ask=ask)

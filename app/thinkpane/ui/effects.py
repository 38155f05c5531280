"""What the controls do to the prompt at hand, worked out beside the window: by a thread that renders variants of it."""

import threading
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.analysis.controls import Controls
from thinkpane.analysis.coverage import Coverage
from thinkpane.analysis.ignored import Ignored
from thinkpane.analysis.in_force import InForce
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.template import Template

if TYPE_CHECKING:
    from thinkpane.engine.host import Engine
    from thinkpane.ui.bridge import PromptFeed
    from thinkpane.workspace.document import Document

PAUSE = 0.2
"""Seconds without a new prompt before the variants are rendered: they are some hundred, a keystroke is one."""

DEADLINE = 5.0
"""Seconds that one batch of variants may take."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What is known of one prompt's controls. serial: the prompt's. template: it was made with.

    coverage: the template lines that ran for it, None while it is not traced. ignored: what it was given and was
    never read.
    """

    template: Template
    in_force: InForce
    controls: Controls
    serial: int
    coverage: Coverage | None = None
    ignored: tuple[Ignored, ...] = ()


@dataclass(frozen=True, slots=True)
class _Question:
    template: Template
    prompt: Prompt
    numbers: tuple[int, ...] | None


class EffectFeed(QObject):
    """The effects for the newest prompt.

    Signals:
        changed(object): new Effects, in the window's thread.
        outdated(): the prompt is another one now; what is shown may not hold any more.
    """

    changed = Signal(object)
    outdated = Signal()
    _found = Signal(object)

    def __init__(self, document: "Document", prompts: "PromptFeed", engine: "Engine", pause: float = PAUSE) -> None:
        super().__init__()
        self._document = document
        self._prompts = prompts
        self._engine = engine
        self._pause = pause
        self._effects: Effects | None = None
        self._serial = 0
        self._changed = threading.Condition()
        self._waiting: _Question | None = None
        self._due = 0.0
        self._closed = False
        self._ticket = object()
        self._found.connect(self._on_worker_found, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._run, name="effects", daemon=True)
        self._thread.start()
        prompts.changed.connect(self._on_prompts_changed)

    @property
    def effects(self) -> Effects | None:
        """The newest effects, None before the first."""
        return self._effects

    def close(self) -> None:
        """Ends the thread; nothing is told any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        while self._thread.is_alive():
            self._engine.cancel(self._ticket)
            self._thread.join(0.05)

    @Slot(object)
    def _on_prompts_changed(self, prompt: Prompt) -> None:
        if not prompt.is_current or prompt.serial == self._serial:  # the same one again, now that it is traced
            return
        self._serial = prompt.serial
        self.outdated.emit()
        with self._changed:
            self._waiting = _Question(self._prompts.template, prompt, self._numbers(prompt))
            self._due = time.monotonic() + self._pause
            self._changed.notify_all()
        self._engine.cancel(self._ticket)

    def _numbers(self, prompt: Prompt) -> tuple[int, ...] | None:
        """What the window calls each message that is sent, where some are not."""
        messages = self._document.state.conversation.messages
        numbers = tuple(place for place, each in enumerate(messages, 1) if not each.excluded)
        sent = prompt.request.messages if prompt.request else None
        return numbers if isinstance(sent, list) and len(sent) == len(numbers) else None

    def _run(self) -> None:
        while (question := self._next()) is not None:
            found = self._answer(question)
            with self._changed:
                if self._closed:
                    return
                newest = self._waiting is None
            if found is not None and newest:
                self._found.emit(found)

    def _next(self) -> _Question | None:
        with self._changed:
            while not self._closed and (self._waiting is None or (left := self._due - time.monotonic()) > 0):
                self._changed.wait(None if self._waiting is None else left)
            if self._closed:
                return None
            question, self._waiting = self._waiting, None
            self._ticket = object()
            return question

    def _answer(self, question: _Question) -> Effects | None:
        from thinkpane.analysis.controls import controls
        from thinkpane.analysis.in_force import in_force

        request = question.prompt.request
        if request is None:
            return None
        render_many = partial(self._engine.render_many, deadline=DEADLINE, owner=self._ticket)
        template = replace(question.template, source=request.source)
        force = in_force(template, request, render_many, numbers=question.numbers)
        if force.problem is not None:
            return None
        found = controls(template, render_many, request)
        return Effects(question.template, force, found, question.prompt.serial)

    @Slot(object)
    def _on_worker_found(self, effects: Effects) -> None:
        self._effects = effects
        self.changed.emit(effects)

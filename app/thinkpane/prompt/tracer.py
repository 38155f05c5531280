"""Finds the owners of the newest prompt, in a thread of its own: behind the renders, never before one."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from thinkpane.engine.host import Engine, Ticket
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.owners import owners_from_columns
from thinkpane.prompt.prompt import Prompt

_log = logging.getLogger(__name__)

LONGEST_PAUSE = 1.0
"""Seconds at most that a prompt must stand before it is traced; it is twice as long as the last trace took, so that
who types fast is not followed by one trace after another that nobody waits for."""

UNWANTED_AFTER = 0.15
"""Seconds after which a trace that nobody waits for any more is ended: before that, letting it finish costs less than
a new worker process."""

PER_RENDER = 300
"""How many times as long as the plain render a trace may take, where that is more than the engine's deadline: on a
machine at rest it takes some twenty times as long."""

LONGEST_TRACE = 10.0
"""Seconds that even the trace of a slow render may take."""

OTHER_TEXT = "the template printed another text when it was rendered again"


class Tracer:
    """Traces the prompt that was asked for last.

    deliver: called, from the tracer's thread, with that same prompt knowing its owners, or why they are not known.
    """

    def __init__(self, engine: Engine, deliver: Callable[[Prompt], None]) -> None:
        self._engine = engine
        self._deliver = deliver
        self._changed = threading.Condition()
        self._waiting: Prompt | None = None
        self._due = 0.0
        self._cost = 0.0
        self._since: float | None = None
        self._wanted = False
        self._closed = False
        self._ticket = Ticket()
        self._watch: threading.Timer | None = None
        self._thread = threading.Thread(target=self._run, name="owners", daemon=True)
        self._thread.start()

    def ask(self, prompt: Prompt) -> None:
        """Wants the owners of `prompt`, which must be a current one; earlier wishes are forgotten. Returns at once."""
        with self._changed:
            self._forget()
            self._waiting = prompt
            self._due = time.monotonic() + min(2 * self._cost, LONGEST_PAUSE)
            self._changed.notify_all()

    def drop(self) -> None:
        """Nothing is wanted any more; a trace at work ends, and is not delivered."""
        with self._changed:
            self._forget()

    def close(self) -> None:
        """Ends the thread; nothing is delivered any more when it returns."""
        with self._changed:
            self._closed = True
            self._forget()
            self._changed.notify_all()
        while self._thread.is_alive():
            self._engine.cancel(self._ticket)
            self._thread.join(0.05)
        with self._changed:
            self._stop_watch()

    def _forget(self) -> None:
        self._waiting = None
        self._wanted = False
        if self._since is not None and self._watch is None:
            left = max(0.0, self._since + UNWANTED_AFTER - time.monotonic())
            self._watch = threading.Timer(left, self._engine.cancel, (self._ticket,))
            self._watch.daemon = True
            self._watch.start()

    def _stop_watch(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def _run(self) -> None:
        while (prompt := self._next()) is not None:
            traced = self._traced(prompt)
            with self._changed:
                self._stop_watch()
                self._cost = time.monotonic() - (self._since or 0.0)
                self._since = None
                wanted = self._wanted and not self._closed
            if wanted:
                self._deliver(traced)

    def _next(self) -> Prompt | None:
        with self._changed:
            while not self._closed and (self._waiting is None or (left := self._due - time.monotonic()) > 0):
                self._changed.wait(None if self._waiting is None else left)
            if self._closed:
                return None
            prompt, self._waiting = self._waiting, None
            self._since = time.monotonic()
            self._wanted = True
            self._ticket = Ticket()
            return prompt

    def _traced(self, prompt: Prompt) -> Prompt:
        try:
            return traced(prompt, self._engine, self._ticket)
        except Exception as error:  # noqa: BLE001 - without its thread no later prompt would get owners
            _log.exception("a prompt could not be traced")
            return replace(prompt, untraced=f"tracing failed with {type(error).__name__}")


def traced(prompt: Prompt, engine: Engine, owner: object = None) -> Prompt:
    """The same current prompt with its owners, or with `untraced` saying why they are not known.

    The text is compared with the prompt's own, whatever the engine says of it. owner: see Engine.cancel.
    """
    if prompt.request is None:
        return replace(prompt, untraced="nothing was rendered")
    # A template that prints the time prints the plain render's again.
    request = replace(prompt.request, now=prompt.request.now or prompt.started)
    try:
        return _with_owners(prompt, engine.owners(request, _deadline(prompt, engine), owner))
    except ThinkpaneError as error:
        words = error.problem.message.rstrip(".")
        return replace(prompt, untraced=words[:1].lower() + words[1:])


def _deadline(prompt: Prompt, engine: Engine) -> float:
    """Seconds for the trace of a prompt whose render ended well: a template that came to its end once comes to it
    again, and a long prompt on a busy machine must not lose its owners."""
    return min(max(engine.deadline, PER_RENDER * prompt.milliseconds / 1000), max(engine.deadline, LONGEST_TRACE))


def _with_owners(prompt: Prompt, found: JsonObject) -> Prompt:
    """Raises ThinkpaneError (kind "owners") where the spans do not cover the text."""
    if found["text"] != prompt.text:
        return replace(prompt, untraced=OTHER_TEXT)
    columns = found.get("columns")
    if not isinstance(columns, dict):
        return replace(prompt, untraced=str(found["untraced"]))
    return replace(
        prompt,
        owners=owners_from_columns(columns, len(prompt.text)),
        untraced="",
        reads=tuple(cast("list[str]", found["reads"])),
        ignored=tuple(cast("list[str]", found["ignored"])),
        lines=tuple(cast("list[int]", found["lines"])),
    )

"""The job "lint_run": a plain render that notes what went unsaid: missing values that printed as nothing, and keys
in whose place a method of the container was found."""

import sys
from collections.abc import Iterable
from functools import lru_cache
from types import BuiltinMethodType, FrameType
from typing import Any, cast

import jinja2
from jinja2.runtime import Undefined

from thinkpane.engine.environment import Clock, build_environment
from thinkpane.engine.lint_values import Use
from thinkpane.engine.quick_access import QuickSandbox
from thinkpane.engine.rendering import OUTPUT_CAP, prepared
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

NOTED_KEPT = 8
"""How many noting compilations are kept."""

MOST_USES = 1_000
"""Different uses that are noted in one render."""


class _Notes:
    """What one render had to note, each thing once, in order."""

    def __init__(self) -> None:
        self.uses: dict[Use, None] = {}

    def add(self, kind: str, name: object) -> None:
        """Notes a use at the template's line that is running."""
        if len(self.uses) < MOST_USES:
            self.uses.setdefault(Use(kind, str(name), _line()))


class _NotingUndefined(Undefined):
    """A missing value that tells when it is printed; one that an if-expression without `else` gave is meant so."""

    __slots__ = ()
    notes: _Notes

    def __str__(self) -> str:
        if self._undefined_hint is None and self._undefined_name is not None:
            self.notes.add("undefined", self._undefined_name)
        return super().__str__()


class NotingEnvironment(QuickSandbox):
    """The environment of one template whose renders are noted in `notes`."""

    notes: _Notes

    def getitem(self, obj: Any, argument: Any) -> Any:
        """A subscript of the template."""
        value = super().getitem(obj, argument)
        if isinstance(obj, dict) and isinstance(value, BuiltinMethodType):
            self.notes.add("method", argument)
        return value

    def getattr(self, obj: Any, attribute: str) -> Any:
        """An attribute of the template; whether it is called is for the syntax tree to tell."""
        value = super().getattr(obj, attribute)
        if isinstance(obj, dict) and isinstance(value, BuiltinMethodType):
            self.notes.add("method", attribute)
        return value


def lint_run_job(payload: JsonObject) -> JsonObject:
    """A RenderRequest's JSON in; {uses} out, up to where the render failed, if it did."""
    try:
        ready = prepared(payload)
        template, clock, environment = _compiled(ready.source)
    except Exception as error:  # noqa: BLE001 - the plain render tells what is wrong with it
        return {"uses": [], "spent": isinstance(error, MemoryError | RecursionError)}
    clock.frozen = ready.now
    notes = _Notes()
    environment.notes = notes
    cast("type[_NotingUndefined]", environment.undefined).notes = notes
    spent = False
    try:
        _drain(template.root_render_func(template.new_context(ready.context)))
    except ThinkpaneError:
        raise
    except Exception as error:  # noqa: BLE001 - a template may raise anything; the plain render tells it
        spent = isinstance(error, MemoryError | RecursionError)
    uses: list[JsonValue] = [each.as_json() for each in notes.uses]
    return {"uses": uses, "spent": spent}


@lru_cache(maxsize=NOTED_KEPT)
def _compiled(source: str) -> tuple[jinja2.Template, Clock, NotingEnvironment]:
    clock = Clock()
    environment = build_environment(clock, NotingEnvironment)
    environment.notes = _Notes()
    environment.undefined = type("_Noting", (_NotingUndefined,), {"__slots__": ()})
    return environment.from_string(source), clock, environment


def _drain(chunks: Iterable[str]) -> None:
    length = 0
    for chunk in chunks:
        length += len(chunk)
        if length > OUTPUT_CAP:
            return


def _line() -> int:
    """The line of the template's code that is running, 0 where none is."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        template = frame.f_globals.get("__jinja_template__")
        if isinstance(template, jinja2.Template):
            return template.get_corresponding_lineno(frame.f_lineno)
        frame = frame.f_back
    return 0

"""What a runtime profile is: what one runtime does to a request before its template sees it."""

from dataclasses import dataclass
from typing import Protocol

from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject


@dataclass(frozen=True, slots=True)
class Profiled:
    """What the template gets, and what the profile changed, one sentence each, in order."""

    request: RenderRequest
    rewrites: tuple[str, ...] = ()


class Facts(Protocol):
    """What a profile may ask about a template, which only a worker may parse or run. An Engine is one."""

    def about(self, name: str, source: str) -> JsonObject:
        """The result of a worker's job about the template's text; raises ThinkpaneError."""

    def render(self, request: RenderRequest) -> Rendered:
        """A render on trial; its fault is in the result."""


class RuntimeProfile(Protocol):
    """One runtime. A file in this folder holds one, as its public constant `PROFILE`."""

    @property
    def name(self) -> str:
        """What documents and `--profile` call it."""

    @property
    def title(self) -> str:
        """What the window calls it."""

    @property
    def version(self) -> str:
        """The runtime's version that it was read from, "" for one that stands for no program."""

    @property
    def summary(self) -> str:
        """What it does to a request, in one sentence."""

    def apply(self, request: RenderRequest, facts: Facts) -> Profiled:
        """The request as this runtime hands it to the template.

        Raises ThinkpaneError: kind "profile" where the runtime refuses such a request, and what `facts` raises. Shapes
        that no request has (messages that are no objects) go on as they are: the render refuses them.
        """


class _NoFacts:
    def about(self, name: str, source: str) -> JsonObject:
        raise self._nobody()

    def render(self, request: RenderRequest) -> Rendered:
        raise self._nobody()

    def _nobody(self) -> ThinkpaneError:
        return ThinkpaneError(Problem("profile", "This runtime profile looks into the template, and none may here."))


NO_FACTS: Facts = _NoFacts()
"""Answers nothing: for the profiles that ask nothing."""

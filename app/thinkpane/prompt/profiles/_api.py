"""What a runtime profile is: what one runtime does to a request before its template sees it."""

from dataclasses import dataclass
from typing import Protocol

from thinkpane.engine.request import RenderRequest


@dataclass(frozen=True, slots=True)
class Profiled:
    """What the template gets, and what the profile changed, one sentence each, in order."""

    request: RenderRequest
    rewrites: tuple[str, ...] = ()


class RuntimeProfile(Protocol):
    """One runtime. A file in this folder holds one, as its public constant `PROFILE`."""

    @property
    def name(self) -> str:
        """What documents and `--profile` call it."""

    @property
    def title(self) -> str:
        """What the window calls it."""

    @property
    def summary(self) -> str:
        """What it does to a request, in one sentence."""

    def apply(self, request: RenderRequest) -> Profiled:
        """The request as this runtime hands it to the template. Never raises for a strange conversation."""

"""Both paths to one server: whether it has them, and what is the same in the two runs of one conversation."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkpane.endpoints.dialects._api import Dialect, SendPath
from thinkpane.endpoints.dialects._registry import dialect_for, dialect_named
from thinkpane.endpoints.profile import DEMO, Endpoint
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.runs.calls import variant_of

PATHS: tuple[SendPath, SendPath] = ("chat", "raw")

LABELS: Mapping[SendPath, str] = {"chat": "Chat: the server's template", "raw": "Raw: our prompt"}
"""What the two runs are called, in the window and in their recordings."""

STEADY: JsonObject = {"temperature": 0, "seed": 1}
"""Sampling that leaves as little to chance as a server can: for one comparison, never written into a document."""


@dataclass(frozen=True, slots=True)
class PairPlace:
    """Where a run stands in a pair. id: the pair's, the same in both. params: laid over the document's sampling."""

    path: SendPath
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    params: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What the run is called."""
        return LABELS[self.path]


def places(params: Mapping[str, JsonValue]) -> tuple[PairPlace, PairPlace]:
    """The places of a new pair, chat first. params: as in PairPlace."""
    first = PairPlace("chat", params=params)
    return first, PairPlace("raw", first.id, params)


def pair_dialects(endpoint: Endpoint) -> dict[SendPath, Dialect]:
    """The dialects of both paths. Raises ThinkpaneError (kind "path") that says why the endpoint has not both."""
    if endpoint.dialect == DEMO:
        raise _only_one("the Demo endpoint replays recordings and has no server behind it")
    dialect = dialect_named(endpoint.dialect)
    if not dialect.counterpart:
        other = "raw" if dialect.path == "chat" else "chat"
        raise _only_one(f"“{dialect.title}” has no {other} path")
    variant = variant_of(endpoint)
    if dialect_for(endpoint.dialect, "raw").name == "openai-completions" and not variant.raw:
        raise _only_one(
            f"{variant.title} takes no raw prompts at /completions (the endpoint dialog holds this under Server's ways)"
        )
    return {path: dialect_for(endpoint.dialect, path) for path in PATHS}


def _only_one(why: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("path", f"Chat and raw cannot be run side by side here: {why}."))

"""The thinking formats of templates, each found once and remembered."""

import json
import threading
from collections.abc import Mapping, Sequence

from thinkpane.analysis.rendering import RenderMany
from thinkpane.analysis.thinking_format import ThinkingFormat, thinking_format
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.formats.json_values import JsonValue

KEPT = 32
"""Templates whose format is remembered."""

UNTRIED = frozenset({"cancelled", "crash", "worker"})
"""Kinds of problem that say nothing of the template; what was found with one of them is not kept. A template that takes
too long would do so again."""


class ThinkingFormats:
    """Finds formats with `render_many`; may be used from several threads."""

    def __init__(self, render_many: RenderMany) -> None:
        self._render_many = render_many
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], ThinkingFormat] = {}

    def of(
        self, source: str, variables: Mapping[str, JsonValue], render_many: RenderMany | None = None
    ) -> ThinkingFormat:
        """The format of the template's text, by the variables that come with the template (bos_token, …).

        render_many: in place of the one given at first, for who can be overtaken; what it raises is raised.
        """
        key = _key(source, variables)
        known = self.known(source, variables)
        if known is not None:
            return known
        ask = render_many or self._render_many
        kinds: set[str] = set()

        def noted(requests: Sequence[RenderRequest]) -> Sequence[Rendered]:
            answers = ask(requests)
            kinds.update(each.problem.kind for each in answers if each.problem is not None)
            return answers

        found = thinking_format(noted, RenderRequest(source, [], variables=variables))
        if kinds.isdisjoint(UNTRIED):
            self._keep(key, found)
        return found

    def known(self, source: str, variables: Mapping[str, JsonValue]) -> ThinkingFormat | None:
        """The format where it was found already, None where not; never waits, as the window's thread must not."""
        with self._lock:
            return self._known.get(_key(source, variables))

    def keep(self, source: str, variables: Mapping[str, JsonValue], found: ThinkingFormat) -> None:
        """Remembers a format that was found elsewhere."""
        self._keep(_key(source, variables), found)

    def _keep(self, key: tuple[str, str], found: ThinkingFormat) -> None:
        with self._lock:
            while len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            self._known[key] = found


def _key(source: str, variables: Mapping[str, JsonValue]) -> tuple[str, str]:
    return source, json.dumps(dict(variables), sort_keys=True)

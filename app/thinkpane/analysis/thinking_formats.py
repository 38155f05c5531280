"""The thinking formats of templates, each found once and remembered."""

import threading
from collections.abc import Mapping

from thinkpane.analysis.rendering import RenderMany
from thinkpane.analysis.thinking_format import ThinkingFormat, thinking_format
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue

KEPT = 32
"""Templates whose format is remembered."""


class ThinkingFormats:
    """Finds formats with `render_many`; may be used from several threads."""

    def __init__(self, render_many: RenderMany) -> None:
        self._render_many = render_many
        self._lock = threading.Lock()
        self._known: dict[str, ThinkingFormat] = {}

    def of(self, source: str, variables: Mapping[str, JsonValue]) -> ThinkingFormat:
        """The format of the template's text, by the variables that come with the template (bos_token, …)."""
        with self._lock:
            known = self._known.get(source)
        if known is not None:
            return known
        found = thinking_format(self._render_many, RenderRequest(source, [], variables=variables))
        with self._lock:
            while len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            self._known[source] = found
        return found

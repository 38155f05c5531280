"""The plain profile: transformers' environment, and the request exactly as it is given."""

from dataclasses import replace

from thinkpane.engine.request import RenderRequest
from thinkpane.prompt.profiles._api import Facts, Profiled, RuntimeProfile


class Plain:
    """Rewrites nothing."""

    name = "plain"
    title = "Plain"
    version = ""
    summary = "Hands everything to the template as it is given."

    def apply(self, request: RenderRequest, facts: Facts) -> Profiled:
        """The request, with the normalising switched off."""
        return Profiled(replace(request, normalise=False))


PROFILE: RuntimeProfile = Plain()

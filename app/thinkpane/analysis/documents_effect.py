"""What documents do in a template that reads them: a control that is set in the documents pane, not by name."""

from dataclasses import replace

from thinkpane.analysis.rendering import Analysis
from thinkpane.analysis.text_change import text_change
from thinkpane.analysis.trials import DOCUMENTS, DOCUMENTS_NAME, PROBES, probe_request
from thinkpane.analysis.variable_effects import VariableEffect
from thinkpane.engine.request import RenderRequest
from thinkpane.templates.template import Template

_PROBE = next(iter(PROBES))


def documents_effect_analysis(template: Template, request: RenderRequest) -> Analysis[tuple[VariableEffect, ...]]:
    """The effect of the conversation's documents, or of some where it has none; empty where no document is read.

    Where the template fails on the conversation, the effect is that on the first probe conversation.
    """
    candidate = next((each for each in template.candidates if each.name == DOCUMENTS_NAME), None)
    if candidate is None:
        return ()
    given = request.documents
    tried = given or DOCUMENTS
    probe = probe_request(request, _PROBE, request.variables)
    answered = yield {
        "without": replace(request, documents=None),
        "with": replace(request, documents=tried),
        "probe without": probe,
        "probe with": replace(probe, documents=tried),
    }
    prefix = "" if answered["without"].text is not None and answered["with"].text is not None else "probe "
    before, after = answered[f"{prefix}without"].text, answered[f"{prefix}with"].text
    change = text_change(before or "", after or "").words if before != after and None not in (before, after) else ""
    detail = "read, but never has an effect"
    if change:
        count = f"{len(tried)} document{'s' if len(tried) > 1 else ''}"
        detail = f"{change} against none" if given else f"{count}: {change}"
    effect = "changes" if change else "none"
    return (VariableEffect(DOCUMENTS_NAME, "list", None, (), bool(given), given, effect, detail),)

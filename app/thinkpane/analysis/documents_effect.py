"""What documents do in a template that reads them: a control that is set in the documents pane, not by name."""

from dataclasses import replace

from thinkpane.analysis.rendering import Analysis
from thinkpane.analysis.text_change import text_change
from thinkpane.analysis.trials import DOCUMENTS, DOCUMENTS_NAME, PROBES, probe_request
from thinkpane.analysis.variable_effects import VariableEffect
from thinkpane.engine.request import RenderRequest
from thinkpane.templates.template import Template

_PROBES = (next(iter(PROBES)), "a conversation with tools and documents")
"""Templates that only look at documents beside tools are asked with a tool, too."""

_BOTH = (False, True)


def documents_effect_analysis(template: Template, request: RenderRequest) -> Analysis[tuple[VariableEffect, ...]]:
    """The effect of the conversation's documents, or of some where it has none; empty where no document is read.

    Where the template fails on the conversation without any, the effect is that on the first probe conversation that
    shows one.
    """
    candidate = next((each for each in template.candidates if each.name == DOCUMENTS_NAME), None)
    if candidate is None:
        return ()
    given = request.documents
    tried = given or DOCUMENTS
    asked = {"": request} | {name: probe_request(request, name, request.variables) for name in _PROBES}
    answered = yield {
        (name, has): replace(each, documents=tried if has else None) for name, each in asked.items() for has in _BOTH
    }
    here = answered["", True]
    if answered["", False].text is not None and here.text is None and here.problem is not None:
        detail = f"with them: {here.problem.message}"
        return (VariableEffect(DOCUMENTS_NAME, "list", None, (), bool(given), given, "changes", detail),)
    changes = {name: _change(answered[name, False].text, answered[name, True].text) for name in asked}
    elsewhere = next((name for name in _PROBES if changes[name]), "")
    effect, detail = "none", "read, but never has an effect"
    if change := changes[""] or (changes[elsewhere] if changes[""] is None and elsewhere else ""):
        count = f"{len(tried)} document{'s' if len(tried) > 1 else ''}"
        effect, detail = "changes", f"{change} against none" if given else f"{count}: {change}"
    elif elsewhere:
        detail = f"no effect here; it has one in {elsewhere}"
    return (VariableEffect(DOCUMENTS_NAME, "list", None, (), bool(given), given, effect, detail),)


def _change(before: str | None, after: str | None) -> str | None:
    """What changed in words, "" where nothing did; None where one of them failed."""
    if before is None or after is None:
        return None
    return text_change(before, after).words if before != after else ""

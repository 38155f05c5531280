"""What holds for a template in every conversation: the controls that its text shows, proven on small conversations."""

import json
from dataclasses import dataclass, field, replace

from thinkpane.analysis.found_tiers import found_tiers_analysis
from thinkpane.analysis.probed import Probed, probed_analysis
from thinkpane.analysis.rendering import RenderMany, analyse, analyse_together
from thinkpane.analysis.tag_effects import TagEffect, tag_effects_analysis
from thinkpane.analysis.tier_effects import TierEffect, tier_effects_analysis
from thinkpane.analysis.trials import PROBES, probe_request, without
from thinkpane.engine.request import RenderRequest
from thinkpane.engine.template_facts import TemplateFacts
from thinkpane.errors import Problem
from thinkpane.prompt.found_controls import with_found
from thinkpane.templates.template import Template


@dataclass(frozen=True, slots=True)
class Discovery:
    """template: with all candidates, its tiers, and of the tags found those that proved to have an effect.

    facts: what its text says. request: the small conversation that tags and tiers were tried on. tags, tiers: with what
    they do. probed: what its variables do. problem: why the template fails on every small conversation; what its
    controls do is then not known.
    """

    template: Template
    facts: TemplateFacts = field(default_factory=TemplateFacts)
    request: RenderRequest | None = None
    tags: tuple[TagEffect, ...] = ()
    tiers: tuple[TierEffect, ...] = ()
    probed: Probed | None = None
    problem: Problem | None = None


def discover(
    template: Template, facts: TemplateFacts, render_many: RenderMany, request: RenderRequest | None = None
) -> Discovery:
    """Proves the controls of `template`, whose source has these `facts`.

    request: its options and those of its variables that are no controls count, its conversation does not; None = the
    template's defaults.
    """
    found = with_found(template, facts)
    given = _undisturbed(found, facts, request)
    asked, problem = _first_that_renders(given, render_many)
    if problem is not None:
        return Discovery(replace(found, tags=template.tags), facts, problem=problem)
    if not found.tiers:
        found = replace(found, tiers=analyse(render_many, found_tiers_analysis(found, asked)))
    tags, tiers, probed = analyse_together(
        render_many,
        tag_effects_analysis(found, asked),
        tier_effects_analysis(found, asked),
        probed_analysis(found, asked),
    )
    kept = tuple(each for each in tags if each.tag.declared or each.effect == "changes")
    found = replace(found, tags=tuple(each.tag for each in kept))
    return Discovery(found, facts, asked, kept, tiers, replace(probed, template=found))


def discovery_key(template: Template, facts: TemplateFacts, request: RenderRequest) -> str:
    """Equal for requests whose discovery is the same. template: as it was loaded."""
    question = _undisturbed(with_found(template, facts), facts, request)
    # A template.toml may be changed beside a text that stays.
    declared = repr((template.tiers, template.candidates, template.tags))
    return json.dumps([template.id, declared, question.as_json()], sort_keys=True)


def _undisturbed(template: Template, facts: TemplateFacts, request: RenderRequest | None) -> RenderRequest:
    """The request with no conversation and no control set, and with a text for each special token that is read."""
    given = request or RenderRequest(template.source, [], variables=template.variables)
    names = [each.name for each in template.candidates]
    tokens = {name: f"<{name}>" for name in facts.tokens}
    variables = {**tokens, **without(given.variables, *names)}
    return replace(given, messages=[], tools=None, documents=None, variables=variables)


def _first_that_renders(request: RenderRequest, render_many: RenderMany) -> tuple[RenderRequest, Problem | None]:
    """The first small conversation that the template takes; some take none without tools. Else why it fails."""
    # One render at a time: a template that never ends is then found out once, not once a conversation.
    first: Problem | None = None
    for probe in PROBES:
        asked = probe_request(request, probe, request.variables)
        problem = render_many([asked])[0].problem
        if problem is None:
            return asked, None
        first = first or problem
        if problem.kind != "template":
            break
    return request, first

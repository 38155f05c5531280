"""What each control tag of a template does, proven by putting it into a small conversation."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from thinkpane.analysis.rendering import Analysis, Answered
from thinkpane.analysis.tag_occurrences import PLACEHOLDER
from thinkpane.analysis.text_change import text_change
from thinkpane.analysis.trials import PROBES, candidates_with, probe_request, tier_variables, without
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.template import TagCandidate, Template


@dataclass(frozen=True, slots=True)
class TagEffect:
    """What one tag does in a user message. effect: "changes" or "none"; stays: the model sees the tag."""

    tag: TagCandidate
    effect: str
    stays: bool
    detail: str

    def as_json(self) -> JsonObject:
        """The object of CLI.md's `controls`."""
        return {
            "tag": self.tag.tag,
            "insert": self.tag.insert,
            "where": self.tag.where,
            "summary": self.tag.summary,
            "effect": self.effect,
            "detail": self.detail,
        }


def tag_effects_analysis(template: Template, request: RenderRequest) -> Analysis[tuple[TagEffect, ...]]:
    """Renders one question with each tag: with no tier set, and under the first and last, for a tag may change nothing
    only because it asks for what holds anyway.

    A `…` in a tag is tried with the values of the first and last tier. Variables that may be controls are left out.
    """
    rest = without(request.variables, *(each.name for each in candidates_with(template, request.variables)))
    contexts = _contexts(template)
    asked: dict[Hashable, RenderRequest] = {}
    for number, variables in enumerate(contexts):
        base = probe_request(request, next(iter(PROBES)), {**rest, **variables})
        asked["plain", number] = _saying(base, PLACEHOLDER)
        for tag in template.tags:
            for spelled in _spellings(template, tag.tag):
                asked[number, spelled] = _saying(base, spelled)
    answered = yield asked
    return tuple(_effect(template, tag, answered, len(contexts)) for tag in template.tags)


def _contexts(template: Template) -> list[Mapping[str, JsonValue]]:
    return [{}, *(tier.variables for tier in (*template.tiers[:1], *template.tiers[-1:]))]


def _spellings(template: Template, tag: str) -> list[str]:
    names = tier_variables(template)
    values = [str(tier.variables[names[0]]) for tier in template.tiers if names and names[0] in tier.variables]
    return [tag.replace("…", value) for value in (values[0], values[-1])] if "…" in tag and values else [tag]


def _saying(request: RenderRequest, tag: str) -> RenderRequest:
    return replace(request, messages=[{"role": "user", "content": f"{tag} hi"}])


def _effect(template: Template, tag: TagCandidate, answered: Answered, contexts: int) -> TagEffect:
    said, stays = "", False
    for number in range(contexts):
        plain = (answered["plain", number].text or "").replace(PLACEHOLDER, "")
        for spelled in _spellings(template, tag.tag):
            text = answered[number, spelled].text
            if text is None:
                continue
            stays = stays or spelled in text
            rest = text.replace(f"{spelled} hi", " hi", 1)
            if rest != plain and not said:
                said = text_change(plain, rest).words
    seen = "stays in the prompt" if stays else "taken out of the prompt"
    return TagEffect(tag, "changes" if said else "none", stays, f"{said or 'no effect on the rest'}; {seen}")

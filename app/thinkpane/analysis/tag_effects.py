"""What each control tag of a template does, proven by putting it into a small conversation."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from thinkpane.analysis.rendering import Analysis, Answered
from thinkpane.analysis.tag_occurrences import PLACEHOLDER
from thinkpane.analysis.text_change import text_change
from thinkpane.analysis.trials import candidates_with, tier_variables, without
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.template import TagCandidate, Template

ROLES = ("user", "system")
"""Whose messages are tried. What only a model's answers are searched for (</think>) is no way to ask for anything."""

_HERE = "hi"


@dataclass(frozen=True, slots=True)
class TagEffect:
    """What one tag does. effect: "changes" or "none"; roles: those of `ROLES` in whose messages it has one; stays: the
    model sees the tag there."""

    tag: TagCandidate
    effect: str
    stays: bool
    detail: str
    roles: tuple[str, ...] = ()

    def as_json(self) -> JsonObject:
        """The object of docs/cli.md's `controls`."""
        return {
            "tag": self.tag.tag,
            "insert": self.tag.insert,
            "where": self.tag.where,
            "summary": self.tag.summary,
            "effect": self.effect,
            "detail": self.detail,
            "roles": list(self.roles),
            "any_case": self.tag.any_case,
            "values": list(self.tag.values),
        }


def tag_effects_analysis(template: Template, request: RenderRequest) -> Analysis[tuple[TagEffect, ...]]:
    """Renders one question with each tag in each role: with no tier set, and under the first and last, for a tag may
    change nothing only because it asks for what holds anyway.

    A `…` in a tag is tried with the values of the first and last tier, else with the first and last value known for
    it. Variables that may be controls are left out. A tag without a declared place is said to stand where it works.
    """
    rest = without(request.variables, *(each.name for each in candidates_with(template, request.variables)))
    contexts = _contexts(template)
    asked: dict[Hashable, RenderRequest] = {}
    for number, variables in enumerate(contexts):
        base = replace(request, variables={**rest, **variables})
        for role in ROLES:
            for tag in template.tags:
                asked[number, role, tag.place] = _saying(base, role, _text(tag, PLACEHOLDER))
                for spelled in _spellings(template, tag):
                    asked[number, role, tag.place, spelled] = _saying(base, role, _text(tag, spelled))
    answered = yield asked
    return tuple(_effect(template, tag, answered, len(contexts)) for tag in template.tags)


def _contexts(template: Template) -> list[Mapping[str, JsonValue]]:
    return [{}, *(tier.variables for tier in (*template.tiers[:1], *template.tiers[-1:]))]


def _spellings(template: Template, tag: TagCandidate) -> list[str]:
    if "…" not in tag.tag:
        return [tag.tag]
    names = tier_variables(template)
    values: Sequence[str] = [
        str(tier.variables[names[0]]) for tier in template.tiers if names and names[0] in tier.variables
    ]
    values = [each for each in values if each in tag.values] or tag.values or values
    return [tag.tag.replace("…", value) for value in (values[0], values[-1])] if values else [tag.tag]


def _text(tag: TagCandidate, spelled: str) -> str:
    if tag.place == "is":
        return spelled
    return f"{_HERE} {spelled}" if tag.place == "ends" else f"{spelled} {_HERE}"


def _saying(request: RenderRequest, role: str, text: str) -> RenderRequest:
    messages: list[JsonValue] = [{"role": role, "content": text}]
    return replace(request, messages=messages if role == "user" else [*messages, {"role": "user", "content": _HERE}])


def _effect(template: Template, tag: TagCandidate, answered: Answered, contexts: int) -> TagEffect:
    said = ""
    roles: dict[str, bool] = {}
    left = dict.fromkeys(ROLES, False)
    for role in ROLES:
        for plain, text, spelled in _pairs(template, tag, role, answered, contexts):
            # The template's own text may hold the tag too, so it is the message's text that is looked for.
            left[role] = left[role] or _text(tag, spelled) in text
            before = plain.replace(_text(tag, PLACEHOLDER), _text(tag, ""))
            after = text.replace(_text(tag, spelled), _text(tag, ""), 1)
            # A template that trims around the tag has not changed anything else.
            if "".join(before.split()) != "".join(after.split()):
                roles[role] = True
                said = said or text_change(before, after).words
    stays = any(left[role] for role in roles or ROLES)
    where = tag.where or (f"{' and '.join(roles)} messages" if roles else "")
    detail = f"{said or 'no effect on the rest'}; {'stays in the prompt' if stays else 'taken out of the prompt'}"
    return TagEffect(replace(tag, where=where), "changes" if said else "none", stays, detail, tuple(roles))


def _pairs(
    template: Template, tag: TagCandidate, role: str, answered: Answered, contexts: int
) -> Iterator[tuple[str, str, str]]:
    """The prompts without and with the tag, and how it was spelled."""
    for number in range(contexts):
        plain = answered[number, role, tag.place].text
        for spelled in _spellings(template, tag):
            text = answered[number, role, tag.place, spelled].text
            if plain is not None and text is not None:
                yield plain, text, spelled

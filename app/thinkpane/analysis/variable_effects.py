"""What each variable of a template does to the prompt at hand, proven by rendering."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from thinkpane.analysis.influence import Influence, first_round, state_of, unset
from thinkpane.analysis.rendering import Analysis
from thinkpane.analysis.tag_occurrences import without_tags
from thinkpane.analysis.text_change import text_change
from thinkpane.analysis.trials import (
    PROBES,
    UNKNOWN_VALUE,
    candidates_with,
    is_named,
    may_read,
    probe_request,
    shown,
    trial_values,
    without,
)
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.template import Template, VariableCandidate


@dataclass(frozen=True, slots=True)
class VariableEffect:
    """What one variable does.

    set: whether the request sets it, value: to what. effect: "changes" (set: against leaving it out; unset: some value
    would), "none", "not-read", "falls-through" (the value is none the template knows), "overruled" (a tag or another
    variable keeps it from having one). detail: a few words that go on a badge.
    """

    name: str
    kind: str
    default: JsonValue
    values: tuple[JsonValue, ...]
    set: bool
    value: JsonValue
    effect: str
    detail: str

    def as_json(self) -> JsonObject:
        """The object of CLI.md's `controls`, and the value where one is set."""
        found: JsonObject = {
            "name": self.name,
            "type": self.kind,
            "default": self.default,
            "values": list(self.values),
            "effect": self.effect,
            "detail": self.detail,
        }
        return found | ({"value": self.value} if self.set else {})


def variable_effects_analysis(
    template: Template, request: RenderRequest, names: frozenset[str] | None = None
) -> Analysis[tuple[VariableEffect, ...]]:
    """The effects of the template's candidates, then of variables that tiers or the request set besides.

    names: the variables the template is known to read, None = go by its text. Where the template fails on the
    conversation, effects are those on the first probe conversation.
    """
    candidates = candidates_with(template, request.variables)
    read = [each for each in candidates if may_read(request.source, each.name, names)]
    case = Influence(template, request)
    answered = yield {**first_round(case), **_values(case, read), **_probes(case, read)}
    if answered["actual"].text is None:
        case = Influence(template, probe_request(request, next(iter(PROBES)), request.variables))
        answered = {**answered, **(yield {**first_round(case), **_values(case, read)})}
    case.learn(answered)
    case.learn((yield _rivals(case, read)))
    return tuple(_effect(case, each, each in read) for each in candidates)


def _values(case: Influence, read: list[VariableCandidate]) -> dict[Hashable, RenderRequest]:
    """The conversation at hand under every value of every variable."""
    variables = case.request.variables
    return {
        ("value", each.name, shown(value)): replace(case.request, variables={**variables, each.name: value})
        for each in read
        for value in _tried(case, each)
    }


def _probes(case: Influence, read: list[VariableCandidate]) -> dict[Hashable, RenderRequest]:
    """The probe conversations, with nothing set but one variable at a time."""
    asked: dict[Hashable, RenderRequest] = {}
    rest = without(case.request.variables, *(each.name for each in read))
    for probe in PROBES:
        asked["probe", probe] = probe_request(case.request, probe, rest)
        for each in read:
            for value in _tried(case, each):
                variables = {**rest, each.name: value}
                asked["probe", probe, each.name, shown(value)] = probe_request(case.request, probe, variables)
    return asked


def _tried(case: Influence, control: VariableCandidate) -> tuple[JsonValue, ...]:
    """Values worth a render: one that is set comes first, an unknown one last."""
    known = [value for value in trial_values(case.template, control) if value != UNKNOWN_VALUE]
    mine = [case.request.variables[control.name]] if control.name in case.request.variables else []
    return (*mine, *known, UNKNOWN_VALUE)


def _rivals(case: Influence, read: list[VariableCandidate]) -> Mapping[Hashable, RenderRequest]:
    """For variables that are silent here though they are not elsewhere: the prompt without each tag and variable."""
    asked: dict[Hashable, RenderRequest] = {}
    for control in read:
        value = _loud_value(case, control)
        # A value that is set and silent everywhere is overruled only where no other value would be heard either.
        silent = control.name in case.request.variables and value != (case.request.variables[control.name],)
        if _changing(case, control) or value is None or (silent and not _overruled(case, control)):
            continue
        for rival, request in _without_rivals(case, control).items():
            rest = without(request.variables, control.name)
            asked["rival", control.name, rival, False] = replace(request, variables=rest)
            asked["rival", control.name, rival, True] = replace(request, variables={**rest, control.name: value[0]})
    return asked


def _without_rivals(case: Influence, control: VariableCandidate) -> dict[str, RenderRequest]:
    request = case.request
    found = {
        tag.words: replace(request, messages=without_tags(request.messages, {tag}))
        for tag in reversed(case.occurrences)
    }
    if case.all_tags:
        found["the tags in the messages"] = case.bare
    for other in case.controls:
        if other != control:
            found[case.words(other.name)] = replace(request, variables=without(request.variables, other.name))
    return found


def _loud_value(case: Influence, control: VariableCandidate) -> tuple[JsonValue] | None:
    """A value that changes some probe conversation, the set one first; None where there is none."""
    for value in _tried(case, control):
        if _loud_probe(case, control, value):
            return (value,)
    return None


def _loud_probe(case: Influence, control: VariableCandidate, value: JsonValue) -> str | None:
    labels = ((probe, ("probe", probe, control.name, shown(value))) for probe in PROBES)
    return next((probe for probe, label in labels if case.differs(("probe", probe), label)), None)


def _base(case: Influence, control: VariableCandidate) -> Hashable:
    return unset(control.name) if control.name in case.request.variables else "actual"


def _changing(case: Influence, control: VariableCandidate) -> list[JsonValue]:
    """The values under which the prompt at hand is another than without the variable."""
    base = _base(case, control)
    tried = _tried(case, control)
    tried = tried[:1] if control.name in case.request.variables else tried[:-1]
    return [value for value in tried if case.differs(base, ("value", control.name, shown(value)))]


def _effect(case: Influence, control: VariableCandidate, read: bool) -> VariableEffect:
    is_set = control.name in case.request.variables
    value = case.request.variables.get(control.name)
    effect, detail = ("not-read", "this template does not read it") if not read else _judged(case, control, is_set)
    values = control.values or ((True, False) if control.kind == "bool" else ())
    return VariableEffect(control.name, control.kind, control.default, values, is_set, value, effect, detail)


def _judged(case: Influence, control: VariableCandidate, is_set: bool) -> tuple[str, str]:
    if is_set and (landing := _fallen(case, control)):
        return "falls-through", landing
    if changing := _changing(case, control):
        return "changes", _changes(case, control, changing, is_set)
    for rival in _without_rivals(case, control):
        if case.differs(("rival", control.name, rival, False), ("rival", control.name, rival, True)):
            return "overruled", f"overruled by {rival}"
    return "none", _silence(case, control, is_set)


def _fallen(case: Influence, control: VariableCandidate) -> str:
    """Where a value lands that the template does not know: it renders as any unknown one does, others do not."""
    value = case.request.variables[control.name]
    tiers = case.template.tiers
    own = any(tier.variables.get(control.name) == value for tier in tiers) or value in control.values
    loud = _loud_value(case, control) is not None
    unknown, mine = ("value", control.name, shown(UNKNOWN_VALUE)), ("value", control.name, shown(value))
    if own or not loud or isinstance(value, bool) or is_named(case.request.source, value):
        return ""
    if case.differs(unknown, mine) or _overruled(case, control):
        return ""
    state = state_of(case, "actual")
    if control.name in case.picker and state and state.tier is not None:
        return f"falls through to {tiers[state.tier].label}"
    return "falls through: no value this template knows"


def _overruled(case: Influence, control: VariableCandidate) -> bool:
    """Whether no value at all changes the prompt at hand, so that nothing can be said about this one."""
    labels = [("value", control.name, shown(value)) for value in _tried(case, control)]
    return not any(case.differs(_base(case, control), label) for label in labels)


def _changes(case: Influence, control: VariableCandidate, changing: list[JsonValue], is_set: bool) -> str:
    before = case.answers.get(_base(case, control)) or ""
    said = []
    for value in changing[:2]:
        after = case.answers.get(("value", control.name, shown(value))) or ""
        said.append((shown(value), text_change(before, after).words))
    if is_set:
        return f"{said[0][1]} against leaving it out"
    if control.kind == "text" and not control.values:
        return f"some text: {said[-1][1]}"
    more = f"; {len(changing) - 2} more values change it" if len(changing) > 2 else ""
    return "; ".join(f"{value}: {words}" for value, words in said) + more


def _silence(case: Influence, control: VariableCandidate, is_set: bool) -> str:
    loud = _loud_value(case, control)
    if loud is None:
        return "read, but never has an effect"
    if is_set and not _loud_probe(case, control, case.request.variables[control.name]):
        return "this value has no effect"
    return f"no effect here; it has one in {_loud_probe(case, control, loud[0])}"

"""What each variable of a template does to the prompt at hand, proven by rendering."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

from thinkpane.analysis.influence import Influence, first_round, state_of, unset
from thinkpane.analysis.probed import Probed
from thinkpane.analysis.rendering import Analysis
from thinkpane.analysis.setters import BODY, CHOSEN, Setters
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
from thinkpane.templates.template import VariableCandidate


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
        """The object of docs/cli.md's `controls`, and the value where one is set."""
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
    probed: Probed, request: RenderRequest, anywhere: bool = False, setters: Setters = CHOSEN
) -> Analysis[tuple[VariableEffect, ...]]:
    """The effects of the template's candidates, then of variables that tiers or the request set besides.

    probed: the template and what its variables do in small conversations. anywhere: an effect there counts as one, not
    only in this conversation. setters: who set its variables; one that beats the body is told against the body's
    value. Where the template fails on the conversation, effects are those on the first small one.
    """
    template = probed.template
    candidates = candidates_with(template, request.variables)
    read = [each for each in candidates if may_read(request.source, each.name, None)]
    case = Influence(template, request, setters=setters)
    mine = {each.name: request.variables[each.name] for each in read if each.name in request.variables}
    answered = yield {**first_round(case), **_values(case, read), **probed.unknown(mine)}
    probed = probed.knowing({label: each for label, each in answered.items() if label in probed.unknown(mine)})
    if answered["actual"].text is None:
        case = Influence(template, probe_request(request, next(iter(PROBES)), request.variables), setters=setters)
        answered = {**answered, **(yield {**first_round(case), **_values(case, read)})}
    case.learn(answered)
    judges = [_Judge(case, probed, each) for each in candidates]
    case.learn((yield {label: rival for each in judges if each.control in read for label, rival in each.rivals()}))
    return tuple(each.effect(each.control in read, anywhere) for each in judges)


def _values(case: Influence, read: list[VariableCandidate]) -> dict[Hashable, RenderRequest]:
    """The conversation at hand under every value of every variable."""
    variables = case.request.variables
    return {
        ("value", each.name, shown(value)): replace(case.request, variables={**variables, each.name: value})
        for each in read
        for value in _tried(case, each)
    }


def _tried(case: Influence, control: VariableCandidate) -> tuple[JsonValue, ...]:
    """Values worth a render: one that is set comes first, an unknown one last."""
    known = [value for value in trial_values(case.template, control) if value != UNKNOWN_VALUE]
    mine = [case.request.variables[control.name]] if control.name in case.request.variables else []
    return (*mine, *known, UNKNOWN_VALUE)


class _Judge:
    """Says what one variable does in one conversation."""

    def __init__(self, case: Influence, probed: Probed, control: VariableCandidate) -> None:
        self.control = control
        self._case = case
        self._probed = probed
        self._is_set = control.name in case.request.variables
        self._value = case.request.variables.get(control.name)
        self._beats = control.name in case.setters.beaten
        self._base: Hashable = unset(control.name) if self._is_set else "actual"
        self._loud = (probed.loud_at(control, self._value) if self._is_set else None) or probed.loud(control)

    def effect(self, read: bool, anywhere: bool) -> VariableEffect:
        """The finding, once all renders are known."""
        control = self.control
        effect, detail = self._judged() if read else ("not-read", "this template does not read it")
        if anywhere and effect == "none" and not self._is_set and self._loud:
            effect, detail = "changes", f"{self._worded(self._loud.value)}: {self._loud.change} in {self._loud.place}"
        values = control.values or ((True, False) if control.kind == "bool" else ())
        default = self._probed.default(control) if read else control.default
        return VariableEffect(control.name, control.kind, default, values, self._is_set, self._value, effect, detail)

    def rivals(self) -> Iterator[tuple[Hashable, RenderRequest]]:
        """For a variable that is silent here though not elsewhere: the prompt without each tag and variable."""
        # A value that is set and silent everywhere is overruled only where no other value would be heard either.
        silent = self._is_set and not self._beats and (self._loud is None or self._loud.value != self._value)
        if self._changing() or self._loud is None or (silent and not self._overruled()):
            return
        name, heard = self.control.name, self._value if self._beats else self._loud.value
        for rival, request in self._without_rivals().items():
            rest = self._case.setters.less(request.variables, name)
            yield ("rival", name, rival, False), replace(request, variables=rest)
            yield ("rival", name, rival, True), replace(request, variables={**rest, name: heard})

    def _without_rivals(self) -> dict[str, RenderRequest]:
        case, request = self._case, self._case.request
        found = {
            tag.words: replace(request, messages=without_tags(request.messages, {tag}))
            for tag in reversed(case.occurrences)
        }
        if case.all_tags:
            found["the tags in the messages"] = case.bare
        for other in case.controls:
            if other != self.control:
                found[case.words(other.name)] = replace(request, variables=without(request.variables, other.name))
        return found

    def _changing(self) -> list[JsonValue]:
        """The values under which the prompt at hand is another than without the variable."""
        tried = _tried(self._case, self.control)
        tried = tried[:1] if self._is_set else tried[:-1]
        return [value for value in tried if self._case.differs(self._base, self._label(value))]

    def _label(self, value: JsonValue) -> Hashable:
        return ("value", self.control.name, shown(value))

    def _worded(self, value: JsonValue) -> str:
        """A value that was tried, as details name it: a text nobody asked for, a list or an object has no name."""
        kind = self.control.kind
        if kind == "list" and isinstance(value, list) and value and value[0] in self.control.values:
            return shown(value)
        if kind in ("list", "object"):
            return "a list" if kind == "list" else "an object"
        return "some text" if kind == "text" and not self.control.values else shown(value)

    def _judged(self) -> tuple[str, str]:
        if self._is_set and (landing := self._fallen()):
            return "falls-through", landing
        if changing := self._changing():
            return "changes", self._changes(changing)
        for rival in self._without_rivals():
            label = ("rival", self.control.name, rival)
            if self._case.differs((*label, False), (*label, True)):
                return "overruled", f"overruled by {rival}"
        return "none", self._silence()

    def _fallen(self) -> str:
        """Where a value lands that the template does not know: it renders as any unknown one does, others do not."""
        case, value, tiers = self._case, self._value, self._case.template.tiers
        own = any(tier.variables.get(self.control.name) == value for tier in tiers) or value in self.control.values
        scalar = self.control.kind in ("choice", "text") and not isinstance(value, bool)
        if own or not scalar or self._loud is None or is_named(case.request.source, value):
            return ""
        if case.differs(self._label(UNKNOWN_VALUE), self._label(value)) or self._overruled():
            return ""
        state = state_of(case, "actual")
        if self.control.name in case.picker and state and state.tier is not None:
            return f"falls through to {tiers[state.tier].label}"
        return "falls through: no value this template knows"

    def _overruled(self) -> bool:
        """Whether no value at all changes the prompt at hand, so that nothing can be said about this one."""
        return not any(self._case.differs(self._base, self._label(each)) for each in _tried(self._case, self.control))

    def _changes(self, changing: list[JsonValue]) -> str:
        if self._is_set:
            return f"{self._change_under(changing[0])} against {self._other()}"
        if not self.control.values and self.control.kind in ("text", "list", "object"):
            value = changing[:2][-1]
            return f"{self._worded(value)}: {self._change_under(value)}"
        # Values without a name of their own are told once, by the first of them.
        named: dict[str, JsonValue] = {}
        for value in changing:
            named.setdefault(self._worded(value), value)
        said = [f"{name}: {self._change_under(value)}" for name, value in [*named.items()][:2]]
        more = f"; {len(named) - 2} more values change it" if len(named) > 2 else ""
        return "; ".join(said) + more

    def _change_under(self, value: JsonValue) -> str:
        """How the prompt under a value differs from the one without the variable."""
        before, after = self._case.answers.get(self._base), self._case.answers.get(self._label(value))
        return text_change(before or "", after or "").words

    def _other(self) -> str:
        """What there would be instead of the value that is set."""
        return f"the body's {shown(self._case.setters.beaten[self.control.name])}" if self._beats else "leaving it out"

    def _silence(self) -> str:
        if self._loud is None:
            return "read, but never has an effect"
        if self._case.repeats_body(self.control.name):
            return f"{BODY} says the same"
        if self._beats:
            return f"no effect here against {self._other()}"
        if self._is_set and self._probed.loud_at(self.control, self._value) is None:
            return "this value has no effect"
        return f"no effect here; it has one in {self._loud.place}"

"""Which variables of a template have an effect at all, and where: every value of each, on all probe conversations."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from thinkpane.analysis.rendering import Analysis, Answered
from thinkpane.analysis.text_change import text_change
from thinkpane.analysis.trials import (
    PROBES,
    UNKNOWN_VALUE,
    candidates_with,
    probe_request,
    shown,
    trial_values,
    without,
)
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.template import Template, VariableCandidate

CONTEXTS = 10
"""Settings of other variables under which one is tried that has no effect by itself."""

_FEW = 3  # values of a variable that are tried under other settings
_SETTINGS = 2  # values that another variable is given meanwhile

_ALONE = ""


@dataclass(frozen=True, slots=True)
class Loud:
    """A value with an effect. place: “a conversation with documents”, “a single question with thinking = true”; change:
    what it adds and removes there, in words."""

    value: JsonValue
    place: str
    change: str


@dataclass(frozen=True, slots=True)
class Probed:
    """What was rendered: texts by label, None where the template failed.

    labels: (setting, probe) and (setting, probe, name, value); setting: that of another variable, in words, "" = none.
    """

    template: Template
    request: RenderRequest
    texts: Mapping[Hashable, str | None] = field(default_factory=dict)
    settings: tuple[str, ...] = (_ALONE,)

    def loud(self, control: VariableCandidate) -> Loud | None:
        """The first value with an effect, and where; None where no value has one anywhere."""
        found = (self.loud_at(control, value) for value in trial_values(self.template, control))
        return next((each for each in found if each is not None), None)

    def loud_at(self, control: VariableCandidate, value: JsonValue) -> Loud | None:
        """Where that value has an effect first, None where it has none."""
        for setting in self.settings:
            for probe in PROBES:
                before = self.texts.get((setting, probe))
                after = self.texts.get((setting, probe, control.name, shown(value)))
                if before is not None and after is not None and before != after:
                    place = f"{probe} with {setting}" if setting else probe
                    return Loud(value, place, text_change(before, after).words)
        return None

    def default(self, control: VariableCandidate) -> JsonValue:
        """The value that stands in for the variable where it is not set: the found one, else one of its values under
        which each conversation renders as it does without; None where there is none, or where nothing has an effect.
        """
        if control.default is not None or self.loud(control) is None:
            return control.default
        offered = (True, False) if control.kind == "bool" else control.values
        return next((value for value in offered if self._is_unset(control.name, value)), None)

    def _is_unset(self, name: str, value: JsonValue) -> bool:
        pairs = [
            ((setting, probe), (setting, probe, name, shown(value))) for setting in self.settings for probe in PROBES
        ]
        asked = [(plain, mine) for plain, mine in pairs if mine in self.texts]
        return bool(asked) and all(self.texts.get(plain) == self.texts[mine] for plain, mine in asked)

    def unknown(self, variables: Mapping[str, JsonValue]) -> dict[Hashable, RenderRequest]:
        """What is still to be rendered to know about these values too."""
        return {
            label: request
            for name, value in variables.items()
            for label, request in _requests(self.request, _ALONE, {}, name, [value]).items()
            if label not in self.texts
        }

    def knowing(self, answered: Answered) -> "Probed":
        """The same with more renders."""
        return replace(self, texts={**self.texts, **{label: each.text for label, each in answered.items()}})


def probed_analysis(template: Template, request: RenderRequest) -> Analysis[Probed]:
    """Tries every value of every candidate by itself; those without any effect again, with others set.

    request: its variables that are no candidates and its options count.
    """
    candidates = candidates_with(template, {})
    rest = replace(request, variables=without(request.variables, *(each.name for each in candidates)))
    asked = _plain(rest, _ALONE, {})
    for each in candidates:
        asked |= _requests(rest, _ALONE, {}, each.name, trial_values(template, each))
    found = Probed(template, rest).knowing((yield asked))
    silent = [each for each in candidates if found.loud(each) is None]
    if not silent or len(candidates) < 2:
        return found
    settings = _settings(template, candidates, found)
    more: dict[Hashable, RenderRequest] = {}
    for words, variables in settings.items():
        more |= _plain(rest, words, variables)
        for each in silent:
            if each.name not in variables:
                few = [value for value in trial_values(template, each) if value != UNKNOWN_VALUE][:_FEW]
                more |= _requests(rest, words, variables, each.name, few)
    return replace(found.knowing((yield more)), settings=(_ALONE, *settings))


def _settings(
    template: Template, candidates: Sequence[VariableCandidate], found: Probed
) -> dict[str, Mapping[str, JsonValue]]:
    """Settings of the variables, each in words: those with an effect first, for they are the likelier switches."""
    loud: dict[str, Mapping[str, JsonValue]] = {}
    silent: dict[str, Mapping[str, JsonValue]] = {}
    for each in candidates:
        values = [value for value in trial_values(template, each) if value != UNKNOWN_VALUE]
        heard = [value for value in values if found.loud_at(each, value)]
        count = _SETTINGS if each.kind in ("bool", "choice", "number") else 1
        for value in (heard or values)[:count]:
            (loud if heard else silent)[f"{each.name} = {shown(value)}"] = {each.name: value}
    return dict([*loud.items(), *silent.items()][:CONTEXTS])


def _plain(request: RenderRequest, setting: str, variables: Mapping[str, JsonValue]) -> dict[Hashable, RenderRequest]:
    given = {**request.variables, **variables}
    return {(setting, probe): probe_request(request, probe, given) for probe in PROBES}


def _requests(
    request: RenderRequest, setting: str, variables: Mapping[str, JsonValue], name: str, values: Sequence[JsonValue]
) -> dict[Hashable, RenderRequest]:
    given = {**request.variables, **variables}
    return {
        (setting, probe, name, shown(value)): probe_request(request, probe, {**given, name: value})
        for probe in PROBES
        for value in values
    }

"""The sentences that say which tag, variable or default is in force, what it beat, and what has no effect."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from thinkpane.analysis.influence import Influence, bare_unset, probe_with_effect, state_of, unset
from thinkpane.analysis.setters import BODY
from thinkpane.analysis.tag_occurrences import TagOccurrence
from thinkpane.analysis.text_change import text_change
from thinkpane.analysis.thinking_format import opens_thinking
from thinkpane.analysis.trials import is_named, may_read, shown, trial_values
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.template import VariableCandidate


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence about what won or lost. message: index from 0; variable: its name; None where it is neither."""

    text: str
    won: bool
    message: int | None = None
    variable: str | None = None

    def as_json(self) -> JsonObject:
        """The reason as one JSON object."""
        return {"text": self.text, "won": self.won, "message_index": self.message, "variable": self.variable}


def reasons(case: Influence, names: frozenset[str] | None) -> tuple[Reason, ...]:
    """All that can be said, what won first. names: what the template reads, None = go by its text.

    That variables which nobody chose are idle is no news.
    """
    words = _Words(case, names)
    found = [*words.about_tags(), *words.about_picker(), *words.about_variables()]
    if not any(each.won for each in found):
        found.extend(words.about_default())
    return tuple(sorted(found, key=lambda each: not each.won))


class _Words:
    def __init__(self, case: Influence, names: frozenset[str] | None) -> None:
        self._case = case
        self._setters = case.setters
        self._names = names
        self._template = case.template
        self._state = state_of(case, "actual")
        self._winner = self._winning_tag()

    def about_tags(self) -> Iterator[Reason]:
        for tag in self._case.occurrences:
            won = self._case.decides(tag) or tag is self._winner
            yield Reason(self._won(tag) if won else self._lost(tag), won, tag.message)

    def about_picker(self) -> Iterator[Reason]:
        """The choice of a tier: in force, what its value means, or that the default is the same."""
        case, picker = self._case, self._case.picker
        if not picker:
            return
        chosen, who = self._pairs(picker), self._who(picker)
        asks_the_same = case.differs("bare", "default") and not case.differs("actual", "bare")
        if case.differs("actual", unset(*picker)) or (asks_the_same and self._state):
            tier = self._label("actual")
            yield Reason(f"{chosen} ({who}) is in force{f': {tier}' if tier else ''}.", True)
        elif picker.keys() <= self._setters.unasked:
            return
        elif case.table.flat and not self._overruled_by_variable(picker):
            yield Reason(f"{chosen} ({who}) has no effect here: every tier gives this prompt.", False)
        elif not case.differs("bare", "default") and not self._overruled_by_variable(picker):
            anyway = "what this template does anyway"
            if any(name in self._setters.beaten for name in picker):
                anyway = f"what {BODY} gives already"
            yield Reason(f"{chosen} ({who}) is {anyway}.", True)
        for name, value in picker.items():
            yield from self._meaning(name, value)

    def about_variables(self) -> Iterator[Reason]:
        for control in self._case.controls:
            in_picker = control.name in self._case.picker
            said = self._case.words(control.name)
            if self._case.differs("actual", unset(control.name)):
                if not in_picker:
                    yield Reason(f"{said} {self._change(control.name)}.", True, variable=control.name)
            elif control.name not in self._setters.unasked and (text := self._idle(control, said, in_picker)):
                yield Reason(text, False, variable=control.name)

    def about_default(self) -> Iterator[Reason]:
        if self._state and self._state.tier is not None:
            label = self._state.label(self._template)
            yield Reason(f"Nothing asks for a tier, and then this template takes {label}.", True)

    def _winning_tag(self) -> TagOccurrence | None:
        """The tag that sets the tier: the last one without which it would be another, else the last that suffices."""
        case = self._case
        setting = [tag for tag in case.occurrences if case.decides(tag) and self._sets_tier(tag)]
        enough = [tag for tag in case.occurrences if case.suffices(tag) and case.is_read(tag)]
        needed = case.differs("actual", "bare") or not (case.picker or self._stronger_variable())
        found = setting or (enough if needed else [])
        return found[-1] if found else None

    def _sets_tier(self, tag: TagOccurrence) -> bool:
        other = state_of(self._case, ("without", tag))
        mine = self._state
        if mine is None or other is None:
            return mine is not other
        return mine.tier != other.tier

    def _won(self, tag: TagOccurrence) -> str:
        thinks = opens_thinking(self._case.answers.get("actual") or "", self._template)
        other = opens_thinking(self._case.answers.get(("without", tag)) or "", self._template)
        if self._case.decides(tag) and not self._sets_tier(tag):
            if other.open and not thinks.open:
                later = any(each.message > tag.message for each in self._case.occurrences)
                return f"{tag.words} keeps thinking off{' for good' if later else ''}."
            return f"{tag.words} changes the prompt."
        label, picker = self._label("actual"), self._case.picker
        what = f": {label}" if label else ""
        if picker and state_of(self._case, "bare") != self._state:
            values = ", ".join(shown(value) for value in picker.values())
            beaten = BODY if self._who(picker) == BODY else "the picker"
            return f"{tag.words} beats {beaten} ({values}){what}."
        return f"{tag.words} is in force{what}."

    def _lost(self, tag: TagOccurrence) -> str:
        if not self._case.is_read(tag):
            return f"{tag.words} has no effect: this template does not read it there."
        rival = self._stronger_variable()
        if rival:
            return f"{tag.words} loses to {rival}."
        if self._case.suffices(tag):
            return f"{tag.words} asks for what is in force anyway."
        return f"{tag.words} loses to {self._winner_words()}."

    def _stronger_variable(self) -> str:
        """The variable without which the tags would change the prompt to another one, "" where there is none."""
        case = self._case
        if case.differs("actual", "bare"):
            return ""
        for each in case.controls:
            free = unset(each.name)
            if case.differs(free, bare_unset(each.name)) and case.differs(free, "actual"):
                return case.words(each.name)
        return ""

    def _winner_words(self) -> str:
        if self._winner is not None:
            return self._winner.words
        deciding = [tag.words for tag in self._case.occurrences if self._case.decides(tag)]
        if deciding:
            return deciding[-1]
        case = self._case
        active = [case.words(each.name) for each in case.controls if case.differs("actual", unset(each.name))]
        return " and ".join(active) or "what else is set"

    def _meaning(self, name: str, value: JsonValue) -> Iterator[Reason]:
        """What a value that is no tier's own stands for in this template."""
        state = state_of(self._case, "bare")
        if state is None or state.tier is None:
            return
        tier = self._template.tiers[state.tier]
        if name not in tier.variables or tier.variables[name] == value:
            return
        said = f"{name} = {shown(value)}"
        known = is_named(self._case.request.source, value) or self._case.differs("bare", ("unknown", name))
        text = f"{said} means {tier.label} in this template."
        if not known:
            text = f"{said} is no value this template knows: it falls through to {tier.label}."
        yield Reason(text, False, variable=name)

    def _idle(self, control: VariableCandidate, said: str, in_picker: bool) -> str:
        case = self._case
        if case.differs("bare", bare_unset(control.name)):
            return "" if in_picker else f"{said} loses to {self._winner_words()}."
        for other in case.controls:
            both = bare_unset(control.name, other.name)
            if other != control and case.differs(bare_unset(other.name), both):
                rival = case.words(other.name)
                if not case.differs("bare", bare_unset(other.name)):
                    return f"{said} asks for what {rival} gives already."
                return f"{said} has no effect: {rival} overrules it."
        if in_picker:
            return ""
        if not may_read(self._case.request.source, control.name, self._names):
            return f"{said} has no effect: this template does not read {control.name}."
        return self._effect_elsewhere(control, said)

    def _effect_elsewhere(self, control: VariableCandidate, said: str) -> str:
        if self._case.repeats_body(control.name):
            return f"{said} is what {BODY} gives already."
        value = self._case.request.variables[control.name]
        if not probe_with_effect(self._case, control.name, value, *trial_values(self._template, control)):
            return f"{control.name} is read but never has an effect."
        if probe := probe_with_effect(self._case, control.name, value):
            return f"{said} changes nothing here, but it does in {probe}."
        return (
            f"{said} is what this template does anyway." if isinstance(value, bool) else f"{said} never has an effect."
        )

    def _overruled_by_variable(self, picker: dict[str, JsonValue]) -> bool:
        names = {each.name for each in self._case.controls} - picker.keys()
        return any(self._case.differs(bare_unset(other), bare_unset(other, name)) for name in picker for other in names)

    def _label(self, label: str) -> str:
        state = state_of(self._case, label)
        return state.label(self._template) if state else ""

    def _change(self, name: str) -> str:
        before, after = self._case.answers.get(unset(name)) or "", self._case.answers.get("actual") or ""
        was, now = opens_thinking(before, self._template), opens_thinking(after, self._template)
        if was.open != now.open:
            return f"turns thinking {'on' if now.open else 'off'}"
        return f"is in force: {text_change(before, after).words}"

    def _who(self, names: Iterable[str]) -> str:
        """Who set these variables; a person, where one of them was chosen."""
        setters, asked = self._setters, set(names) - self._setters.unasked
        if not asked:
            return "set before rendering"
        if asked <= setters.body:
            return BODY
        return f"the picker and {BODY}" if asked & setters.body else "the picker"

    @staticmethod
    def _pairs(variables: dict[str, JsonValue]) -> str:
        return " and ".join(f"{name} = {shown(value)}" for name, value in variables.items())

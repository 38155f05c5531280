"""The controls of the template and of what is done before sending, each with what it really does."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QToolButton, QVBoxLayout, QWidget

from thinkpane.analysis.effects import Effects
from thinkpane.analysis.trials import DOCUMENTS_NAME, candidates_with, tier_variables
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.profiles._registry import all_profiles
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.step_table import STEPS, Step, step_settings
from thinkpane.templates.template import Template, VariableCandidate
from thinkpane.ui.context import Context
from thinkpane.ui.models.typed_value import UNSET, Unset, shown_value, typed_value
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.badge import Badge
from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.ignored_list import IgnoredList
from thinkpane.ui.widgets.section import SectionHead, SettingRow, sentence
from thinkpane.ui.widgets.step_row import StepRow
from thinkpane.ui.widgets.tag_palette import TagPalette
from thinkpane.ui.widgets.variable_row import VariableRow
from thinkpane.workspace.body_variables import given_variables
from thinkpane.workspace.document import Change
from thinkpane.workspace.settings import BY_NAME
from thinkpane.workspace.state_edits import set_step_fields, set_variable, switch_step, unset_variable

_BY = "controls"
_LIMITS = ("limits.event_bytes", "limits.block_bytes", "limits.blocks", "limits.idle_seconds")


_NO_VARIABLES = "This template reads no variables."
_UNKNOWN = "What this template reads is not known yet."


class ControlsPane(CalmScrollArea):
    """Variables, control tags, what the template ignored, steps before sending, and limits.

    The controls are those that template.toml names and, once they are worked out, all that the template's text shows.

    Signals:
        insert_requested(str): a control tag was pressed; `…` in its text marks the caret.
        limits_asked(): a person wants to change the limits.
    """

    insert_requested = Signal(str)
    limits_asked = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.setAccessibleName("Controls")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.rows: dict[str, VariableRow] = {}
        self.steps: dict[str, StepRow] = {}
        self._no_variables = sentence(_UNKNOWN)
        self._no_variables.setContentsMargins(12, 8, 12, 0)
        self.documents = QLabel()
        self.documents_badge = Badge(wraps=True)
        self.tags = TagPalette()
        self.ignored = IgnoredList()
        self._outcome = sentence()
        self._limits: dict[str, QLabel] = {}
        self._lay_out()
        self._connect()
        self._on_template_changed(context.prompts.template)

    def _lay_out(self) -> None:
        inner = QWidget()
        inner.setProperty("kind", "pane")
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 8, 0, 12)
        column.setSpacing(2)
        self._variables = QVBoxLayout()
        self._variables.setSpacing(2)
        column.addLayout(self._variables)
        column.addWidget(self._build_documents())
        column.addWidget(self._no_variables)
        column.addWidget(_inset(self._add_variable()))
        column.addWidget(SectionHead("Control tags"))
        column.addWidget(_inset(self.tags))
        column.addWidget(SectionHead("Not read"))
        column.addWidget(_inset(self.ignored))
        column.addWidget(SectionHead("Before sending"))
        for step in STEPS:
            row = StepRow(step)
            row.switched.connect(partial(self._on_step_switched, step))
            row.settings_asked.connect(partial(self._on_step_settings_asked, step))
            self.steps[step.id] = row
            column.addWidget(row)
        column.addWidget(_inset(self._outcome))
        column.addWidget(self._loop_guard())
        change = QToolButton()
        change.setText("Change…")
        change.setProperty("kind", "flat")
        change.setAccessibleName("Change the limits")
        change.clicked.connect(self.limits_asked)
        column.addWidget(SectionHead("Limits", change))
        for name in _LIMITS:
            self._limits[name] = QLabel()
            column.addWidget(SettingRow(BY_NAME[name].title, self._limits[name], hint=BY_NAME[name].help))
        column.addStretch(1)
        self.setWidget(inner)

    def _build_documents(self) -> SettingRow:
        self._documents = SettingRow(
            DOCUMENTS_NAME,
            self.documents,
            mono=True,
            hint="This template reads documents; they stand in their own pane.",
        )
        self.documents.setProperty("kind", "dim")
        self._documents.add_below(self.documents_badge)
        self._documents.hide()
        return self._documents

    def _add_variable(self) -> QLineEdit:
        self.new_variable = QLineEdit()
        self.new_variable.setPlaceholderText("add another: name=value")
        self.new_variable.setAccessibleName("Add a template variable")
        self.new_variable.setToolTip("A variable that is not listed: name=value, the value as JSON, else text")
        self.new_variable.returnPressed.connect(self._on_new_variable_entered)
        return self.new_variable

    def _loop_guard(self) -> SettingRow:
        setting = BY_NAME["loop_guard.blocks"]
        self.loop_guard = Combo(editable=False)
        self.loop_guard.activated.connect(self._on_loop_guard_chosen)
        return SettingRow(setting.title, self.loop_guard, hint=setting.help)

    def _connect(self) -> None:
        context = self._context
        self.tags.insert_requested.connect(self.insert_requested)
        context.prompts.template_changed.connect(self._on_template_changed)
        context.prompts.changed.connect(self._on_prompts_changed)
        context.effects.changed.connect(self._on_effects_changed)
        context.effects.outdated.connect(self._on_effects_outdated)
        self._end_listening = context.document.listen(self._on_document_changed)
        self._end_settings = context.settings.listen(self._on_settings_changed)
        self.destroyed.connect(self._end_listening)
        self.destroyed.connect(self._end_settings)
        for name in (*_LIMITS, "loop_guard.blocks"):
            self._on_settings_changed(name)

    def _on_template_changed(self, template: Template) -> None:
        self.tags.set_tags(self._context.effects.template.tags)
        self._refresh()

    def _on_document_changed(self, change: Change) -> None:
        if change.parts & {"variables", "steps", "template", "documents"}:
            self._refresh()

    def _refresh(self) -> None:
        """Brings rows and values in line with the template and the document."""
        state = self._context.document.state
        template = self._context.effects.template
        candidates = candidates_with(template, given_variables(state))
        if tuple(candidates) != tuple(row.candidate for row in self.rows.values()):
            self._rebuild(candidates)
        for name, row in self.rows.items():
            row.show_value(state.variables.get(name, UNSET))
        self._show_documents(any(each.name == DOCUMENTS_NAME for each in template.candidates))
        known = self._effects_at_hand() is not None
        self._no_variables.setText(_NO_VARIABLES if known else _UNKNOWN)
        self._no_variables.setVisible(not self.rows and self._documents.isHidden())
        self.tags.set_known(known)
        self.ignored.setVisible(known)
        self._show_steps(self._context.prompts.prompt)

    def _show_documents(self, read: bool) -> None:
        count = len(self._context.document.state.conversation.documents_value() or ())
        self.documents.setText(f"{count} given" if count else "none")
        self._documents.setVisible(read)

    def _rebuild(self, candidates: Sequence[VariableCandidate]) -> None:
        for row in self.rows.values():
            self._variables.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = {}
        for candidate in candidates:
            row = VariableRow(candidate)
            row.value_chosen.connect(self._on_value_chosen)
            self.rows[candidate.name] = row
            self._variables.addWidget(row)
        self._show_effects(self._context.effects.effects)

    def _show_steps(self, prompt: Prompt) -> None:
        said = {each.step: each.text for each in prompt.decisions}
        for step in STEPS:
            try:
                on = step_settings(step, self._context.document.state.steps.get(step.id)).on
                self.steps[step.id].show_state(on, said.get(step.id, ""))
            except ThinkpaneError as error:
                self.steps[step.id].show_state(True, error.problem.message)
        outcome = [each.text for each in prompt.decisions if each.step in ("thinking", "variables")]
        self._outcome.setText("\n".join(outcome))
        self._outcome.setVisible(bool(outcome))

    def _effects_at_hand(self) -> Effects | None:
        """The newest effects, where they are those of the template in force."""
        effects = self._context.effects.effects
        return effects if effects is not None and effects.template == self._context.prompts.template else None

    def _show_effects(self, effects: Effects | None) -> None:
        if effects is None or effects is not self._effects_at_hand():
            return
        found = {each.name: each for each in effects.variables}
        for name, row in self.rows.items():
            row.show_effect(found.get(name), self._setter(name))
            row.show_tiers(_tiers_by_value(effects, row.candidate))
        documents = found.get(DOCUMENTS_NAME)
        self.documents_badge.say(documents.detail if documents else "", "good" if documents and documents.set else "")
        self.documents_badge.setEnabled(True)
        self.ignored.show_found(effects.ignored, effects.coverage, effects.so_far)
        self.ignored.setEnabled(True)

    def _setter(self, name: str) -> str:
        """Who sets a variable that neither the document nor the template gives; "" where one of these does."""
        state, prompt = self._context.document.state, self._context.prompts.prompt
        if name in state.variables or name in self._context.prompts.template.variables:
            return ""
        if name in given_variables(state):
            return "The body's chat_template_kwargs"
        if any(each.step == "variables" and each.acted and name in each.detail for each in prompt.decisions):
            return "a step before sending"
        profile = all_profiles().get(state.profile)
        return profile.title if profile is not None else state.profile

    def _on_prompts_changed(self, prompt: Prompt) -> None:
        self._show_steps(prompt)

    def _on_effects_changed(self, effects: Effects) -> None:
        self.tags.set_tags(self._context.effects.template.tags)
        self._refresh()
        self._show_effects(effects)

    def _on_effects_outdated(self) -> None:
        self.ignored.setEnabled(False)
        self.documents_badge.setEnabled(False)
        for row in self.rows.values():
            row.set_outdated()

    def _on_value_chosen(self, name: str, value: "JsonValue | Unset") -> None:
        document = self._context.document
        if isinstance(value, Unset):
            document.change(unset_variable(document.state, name), ["variables"], _BY, f"Unset {name}")
        else:
            document.change(set_variable(document.state, name, value), ["variables"], _BY, f"Set {name}")

    def _on_new_variable_entered(self) -> None:
        name, _, text = self.new_variable.text().partition("=")
        if name.strip().isidentifier():
            value = typed_value(text)
            self._on_value_chosen(name.strip(), "" if isinstance(value, Unset) else value)
            self.new_variable.clear()

    def _on_step_switched(self, step: Step, on: bool) -> None:
        document = self._context.document
        label = f"Turn {step.title.lower()} {'on' if on else 'off'}"
        document.change(switch_step(document.state, step, on), ["steps"], _BY, label)

    def _on_step_settings_asked(self, step: Step) -> None:
        from thinkpane.ui.dialogs.step_fields import StepFieldsDialog

        document = self._context.document
        dialog = StepFieldsDialog(step, document.state.steps.get(step.id), self)
        if dialog.exec():
            changed = set_step_fields(document.state, step, dialog.values())
            document.change(changed, ["steps"], _BY, f"Change {step.title.lower()}")

    def _on_loop_guard_chosen(self) -> None:
        self._context.settings.set("loop_guard.blocks", self.loop_guard.currentData())

    def _on_settings_changed(self, name: str) -> None:
        if name in self._limits:
            self._limits[name].setText(shown_limit(self._context.settings.number(name), BY_NAME[name].unit))
        elif name == "loop_guard.blocks":
            chosen = self._context.settings.whole(name)
            self.loop_guard.clear()
            for blocks in sorted({0, *range(2, 11), chosen}):
                self.loop_guard.addItem(f"{blocks} block{'' if blocks == 1 else 's'}" if blocks else "off", blocks)
            self.loop_guard.setCurrentIndex(self.loop_guard.findData(chosen))


def _tiers_by_value(effects: Effects, variable: VariableCandidate) -> dict[str, str]:
    """The tier that each value gives, by the value's text; only of the variable that tiers set first."""
    if tier_variables(effects.discovery.template)[:1] != (variable.name,):
        return {}
    tiers = effects.discovery.tiers
    return {shown_value(value, variable.values): tier.label for tier in tiers for value in tier.values}


def shown_limit(value: float, unit: str) -> str:
    """A limit as people say it: 1 MB, 100, 120 s."""
    if unit != "bytes":
        return f"{value:g} {unit}".rstrip()
    for size, name in ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")):
        if value >= size:
            return f"{value / size:g} {name}"
    return f"{value:g} bytes"


def _inset(widget: QWidget) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(12, 0, 12, 2)
    column.addWidget(widget)
    return box


class _ControlsPane:
    id = "controls"
    title = "Controls"
    area: Area = "side"
    order = 10

    def build(self, context: Context) -> QWidget:
        return ControlsPane(context)


PANE = _ControlsPane()

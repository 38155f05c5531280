"""The pickers, the tier row and the library, joined to the document: what they show and change of it."""

from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from thinkpane.analysis.effects import Effects
from thinkpane.prompt.profiles._registry import all_profiles
from thinkpane.templates.library import all_built_in
from thinkpane.templates.own import all_own
from thinkpane.templates.template import Template
from thinkpane.ui.context import Context
from thinkpane.ui.models.source_facts import short_name, title_of
from thinkpane.ui.template_choice import TemplateChoice
from thinkpane.ui.window_layout import WindowLayout
from thinkpane.workspace.document import Change
from thinkpane.workspace.state import DocumentState
from thinkpane.workspace.state_edits import next_tier, pick_tier, picked_tier

_BY = "window"


class Choices(QObject):
    """Template, profile, path and tier."""

    def __init__(self, window: QWidget, layout: WindowLayout, context: Context) -> None:
        super().__init__(window)
        self._layout = layout
        self._context = context
        self._built_in = all_built_in()
        self._own = all_own()
        self.trial = TemplateChoice(self, context)
        self._connect()
        self._show_profile()
        self._on_template_changed(context.prompts.template)

    @property
    def has_tiers(self) -> bool:
        """Whether the template has tiers to choose from."""
        return bool(self._template.tiers)

    def next_tier(self) -> None:
        """The tier after the one that is asked for."""
        self._step_tier(1)

    def previous_tier(self) -> None:
        """The tier before the one that is asked for."""
        self._step_tier(-1)

    def show_own(self) -> None:
        """Reads the own templates anew, and shows them."""
        self._own = all_own()
        self._show_templates()

    def use_template(self, ref: object) -> None:
        """Makes `ref` the document's template; one that cannot be had is not taken (ui/template_choice.py).

        Variables that only the old one knows stay set, and say so.
        """
        if isinstance(ref, str):
            self.trial.use(ref)

    def _connect(self) -> None:
        layout, context = self._layout, self._context
        layout.top.template.picked.connect(self.use_template)
        layout.templates.opened.connect(self.use_template)
        layout.own_templates.opened.connect(self.use_template)
        layout.top.profile.picked.connect(self._on_profile_picked)
        layout.top.path.chosen.connect(self._on_path_chosen)
        layout.tiers.picked.connect(self._on_tier_picked)
        context.prompts.template_changed.connect(self._on_template_changed)
        context.prompts.templates.changed.connect(self._show_templates)
        context.effects.changed.connect(self._on_effects_changed)
        context.effects.outdated.connect(layout.tiers.set_outdated)
        self._end_listening = context.document.listen(self._on_document_changed)
        self.destroyed.connect(self._end_listening)

    @property
    def _state(self) -> DocumentState:
        return self._context.document.state

    @property
    def _template(self) -> Template:
        return self._context.effects.template

    def _change(self, state: DocumentState, part: str, label: str) -> None:
        self._context.document.change(state, [part], _BY, label)

    def _step_tier(self, by: int) -> None:
        effects = self._context.effects.effects
        start = effects.in_force.tier if effects and effects.discovery.template == self._template else None
        self._change(next_tier(self._state, self._template, by, start), "variables", "Choose tier")

    def _show_templates(self) -> None:
        ref, here = self._state.template, self._here()
        known = [*self._built_in, *self._own]
        listed = known if ref in {each.id for each in known} else [*known, here]
        listed = [*listed, *self._edited_before({each.id for each in listed})]
        self._layout.top.template.show_value(here.title, _hint(here))
        self._layout.top.template.set_entries([(each.title or each.id, _aside(each), each.id) for each in listed], ref)
        self._layout.templates.set_entries([_entry(each) for each in self._built_in], ref)
        self._layout.show_own_templates([_entry(each) for each in self._own], ref)

    def _edited_before(self, listed: set[str]) -> list[Template]:
        """The templates whose edited texts the document keeps, where they are not in the list anyway."""
        refs = dict.fromkeys(each.ref for each in self._state.kept_edits)
        return [Template(ref, "", title=title_of(ref)) for ref in refs if ref not in listed]

    def _here(self) -> Template:
        """The document's template, with the name that it is shown by; by its REF alone while it cannot be had."""
        ref, feed = self._state.template, self._context.prompts.templates
        if not ref:
            return replace(self._template, id="", title="Own text")
        if feed.wanted != ref or not feed.is_ready:
            known = next((each for each in (*self._built_in, *self._own) if each.id == ref), None)
            return known or Template(ref, "", title=short_name(ref))
        return replace(self._template, id=ref, title=self._template.title or short_name(ref))

    def _show_profile(self) -> None:
        profiles, name = all_profiles(), self._state.profile
        current = profiles.get(name)
        self._layout.top.profile.show_value(current.title if current else name, current.summary if current else "")
        self._layout.top.profile.set_entries(
            [(each.title, each.version, each.name) for each in profiles.values()], name
        )
        self._layout.top.path.set_value(self._state.path)

    def _on_template_changed(self, template: Template) -> None:
        self._layout.tiers.set_tiers(template.tiers)
        self._layout.tiers.show_picked(picked_tier(self._state, template))
        self._show_templates()

    def _on_document_changed(self, change: Change) -> None:
        if "template" in change.parts:
            self._show_templates()
        if change.parts & {"profile", "endpoint"}:
            self._show_profile()
        if "variables" in change.parts:
            self._layout.tiers.show_picked(picked_tier(self._state, self._template))

    def _on_effects_changed(self, effects: Effects) -> None:
        self._layout.tiers.set_tiers(self._template.tiers)
        self._layout.tiers.show_picked(picked_tier(self._state, self._template))
        tier = effects.in_force.tier
        known = (each.sample_effect for each in effects.discovery.tiers if tier is not None and tier in each.tiers)
        effect = next(known, "")
        # The tier that the others are measured against has no figure of its own.
        self._layout.tiers.show_in_force(effects.in_force, effect if effect[:1] in ("+", "−") else "")

    def _on_profile_picked(self, name: object) -> None:
        if isinstance(name, str):
            self._change(replace(self._state, profile=name), "profile", "Choose profile")

    def _on_path_chosen(self, path: object) -> None:
        if isinstance(path, str) and path != self._state.path:
            self._change(replace(self._state, path=path), "endpoint", "Choose path")

    def _on_tier_picked(self, index: object) -> None:
        chosen = index if isinstance(index, int) else None
        self._change(pick_tier(self._state, self._template, chosen), "variables", "Choose tier")


def _entry(template: Template) -> tuple[str, str, str, object]:
    return template.title or template.id, _aside(template), _hint(template), template.id


def _aside(template: Template) -> str:
    if len(template.tiers) > 1:
        return f"{len(template.tiers)} tiers"
    if template.messages_as_text is not None:
        return "raw text"
    return "docs" if "documents" in template.source else ""


def _hint(template: Template) -> str:
    licence = f"Licence: {template.licence}" if template.licence else ""
    return "\n".join(filter(None, (template.title or template.id, template.origin, licence)))

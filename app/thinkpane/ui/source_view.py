"""Keeps the line about the template's source: loading, faults, files that change or go, damage, named templates."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from thinkpane.templates.edited import edit_of
from thinkpane.templates.named import found_texts
from thinkpane.templates.template import JINJA, Template
from thinkpane.ui.context import Context
from thinkpane.ui.damage_finder import DamageFinder
from thinkpane.ui.dialogs.repair import RepairDialog
from thinkpane.ui.dialogs.template_source import TemplateSourceDialog
from thinkpane.ui.models import source_facts
from thinkpane.ui.template_choice import TemplateChoice
from thinkpane.ui.widgets.badge import Tone
from thinkpane.ui.widgets.source_bar import SourceBar
from thinkpane.workspace.document import Change
from thinkpane.workspace.kept_edits import with_template
from thinkpane.workspace.state import DocumentState

_BY = "window"
LEFT_KEPT = 32
"""Damaged texts that a person left as they are and is not asked about again."""

LOADING_MILLISECONDS = 200
"""A template that takes less is not announced: a file's comes within a frame or two."""


_Choice = tuple[str, Callable[[], object]]


@dataclass(frozen=True, slots=True)
class _Matter:
    """What the banner says, and its buttons."""

    sentence: str
    tone: Tone
    choices: tuple[_Choice, ...]


class SourceView(QObject):
    """Joins the bar with the feed of templates and the document."""

    def __init__(self, window: QWidget, bar: SourceBar, context: Context, trial: TemplateChoice) -> None:
        """trial: what makes another template the document's."""
        super().__init__(window)
        self._trial = trial
        self._window = window
        self._bar = bar
        self._context = context
        self._feed = context.prompts.templates
        self._read: tuple[str, str] | None = None
        self._outdated = ""
        self._told: _Matter | None = None
        self._left: dict[str, None] = {}
        self.damage = DamageFinder(context.prompts.engine)
        self.dialog: RepairDialog | TemplateSourceDialog | None = None
        self._slow = QTimer(self, singleShot=True, interval=LOADING_MILLISECONDS)
        self._slow.timeout.connect(self._on_slow_timeout)
        self._is_slow = False
        self._feed.changed.connect(self._on_feed_changed)
        self.damage.found.connect(self._show_matter)
        trial.changed.connect(self._show_matter)
        context.prompts.changed.connect(self._show_matter)
        bar.name_chosen.connect(self._on_bar_name_chosen)
        bar.details_asked.connect(self.show_details)
        bar.matter.closed.connect(self._leave)
        self._end_listening = context.document.listen(self._on_document_changed)

    def close(self) -> None:
        """Ends what runs."""
        self._slow.stop()
        self._end_listening()
        self.damage.close()

    def look_for_damage(self, text: str) -> None:
        """Looks through a text that a person pasted or dropped; what is found is offered to be repaired."""
        self._left.pop(text, None)
        self.damage.look(text)

    def show_details(self) -> None:
        """Everything that was found at the template's source."""
        original = self._context.prompts.original or self._context.prompts.template
        dialog = TemplateSourceDialog(original, self._window)
        dialog.name_chosen.connect(self._on_bar_name_chosen)
        dialog.ref_chosen.connect(self._trial.use)
        self._open(dialog)

    def repair(self) -> None:
        """Shows what looks damaged, and what it becomes."""
        text = self.damage.text
        dialog = RepairDialog(text, self.damage.damages, self._context.prompts.engine, self._window)
        dialog.accepted.connect(lambda: self._use_repaired(text, dialog.repaired))
        dialog.left.connect(self._leave)
        self._open(dialog)

    def _open(self, dialog: RepairDialog | TemplateSourceDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(dialog.deleteLater)
        dialog.finished.connect(self._on_dialog_finished)
        dialog.open()

    @property
    def _state(self) -> DocumentState:
        return self._context.document.state

    def _change(self, state: DocumentState, label: str) -> None:
        self._context.document.change(state, ["template"], _BY, label)

    def _use_repaired(self, before: str, text: str) -> None:
        state, template = self._state, self._context.prompts.template
        if template.source != before or text == before:
            return
        edit = replace(state.edited, source=text) if state.edited is not None else edit_of(template, text)
        self._change(replace(state, edited=edit), "Repair template")

    def _leave(self) -> None:
        if self._is_damaged:
            self._left[self.damage.text] = None
            while len(self._left) > LEFT_KEPT:
                del self._left[next(iter(self._left))]
        self._outdated = ""
        self._trial.forget()
        self._show_matter()

    def _keep_text(self) -> None:
        template = self._context.prompts.template
        self._change(replace(self._state, edited=edit_of(template, template.source)), "Keep the template's text")

    def _take_files_text(self) -> None:
        self._outdated = ""
        self._change(replace(self._state, edited=None), "Take the file's text")

    @property
    def _is_damaged(self) -> bool:
        found = self.damage
        shown = self._context.prompts.template.source == found.text
        return bool(found.damages) and shown and found.text not in self._left

    def _show_matter(self) -> None:
        found = self._matter()
        if found == self._told:
            return
        self._told = found
        if found is None:
            self._bar.matter.hide()
        else:
            self._bar.matter.tell(found.sentence, found.tone, found.choices)

    def _matter(self) -> _Matter | None:
        """What needs a person now, the most pressing first."""
        feed = self._feed
        name = source_facts.short_name(feed.wanted)
        if feed.is_loading:
            loading = _Matter(f"Loading “{feed.wanted}”…", "", (("Stop", feed.stop_loading),))
            return loading if self._is_slow else None
        refused = self._trial.refused
        if refused is not None:
            return _Matter(refused.sentence, "bad", (("Try again", lambda: self._trial.use(refused.ref)),))
        if feed.problem is not None:
            again = ("Fetch it", self._fetch) if feed.asks else ("Try again", feed.reload)
            return _Matter(feed.problem.message, "warning" if feed.asks else "bad", (again,))
        if feed.is_gone and self._state.edited is None:
            sentence = f"“{name}” is no longer there. The text that was read of it last is still in force."
            return _Matter(sentence, "warning", (("Keep it in the document", self._keep_text),))
        if self._outdated:
            sentence = f"“{name}” changed on disk. Your edited text stays in force."
            return _Matter(sentence, "warning", (("Take the file's text", self._take_files_text),))
        return self._damage_matter() if self._is_damaged else None

    def _damage_matter(self) -> _Matter:
        damages = self.damage.damages
        first, rest = damages[0], len(damages) - 1
        more = f" And {rest} more kind{'' if rest == 1 else 's'} of damage." if rest else ""
        leave: _Choice = ("Leave as it is", self._leave)
        repair: tuple[_Choice, ...] = (("Repair…", self.repair),) if RepairDialog.can_repair(damages) else ()
        return _Matter(f"{first.sentence}{more}", "warning", (*repair, leave))

    def _fetch(self) -> None:
        self._feed.choose(self._feed.wanted)

    def _show_facts(self) -> None:
        template = self._context.prompts.original
        if template is None or template.built_in:
            self._bar.show_facts("", "", "")
            self._bar.show_names([], "")
            return
        warning = source_facts.warning(template)
        title = template.title or source_facts.short_name(template.id)
        self._bar.show_facts(f"{title}: {source_facts.tokens_line(template)}", warning, "\n".join(template.notes))
        self._bar.show_names(self._names(template), self._state.template_name)

    def _names(self, template: Template) -> list[tuple[str, str, str]]:
        if not template.named or template.syntax != JINJA:
            return []
        by_itself = source_facts.default_name(template, bool(self._state.conversation.tools_value()))
        entries = [(f"by itself: {by_itself or 'none'}", "", "Chosen as transformers does: “tool_use” with tools")]
        for text in found_texts(template):
            if source_facts.is_named(template, text) and text.name not in [name for _, name, _ in entries]:
                takers = source_facts.takers(template, text)
                entries.append((text.name, text.name, f"Taken by {', '.join(takers)}" if takers else text.place))
        return entries

    def _on_feed_changed(self) -> None:
        feed = self._feed
        self._is_slow = False
        if feed.is_loading:
            self._slow.start()
            self._show_matter()
            return
        self._slow.stop()
        if feed.is_ready:
            self._see(feed.wanted, feed.template)
        self._show_facts()
        self._show_matter()

    def _on_slow_timeout(self) -> None:
        self._is_slow = True
        self._show_matter()

    def _see(self, ref: str, template: Template) -> None:
        """A template came: was it another text of the same file, and does it look damaged?"""
        before, self._read = self._read, (ref, template.source)
        changed = before is not None and before[0] == ref and before[1] != template.source
        self._outdated = ref if changed and self._state.edited is not None else ""
        if ref and not template.built_in and template.syntax == JINJA:
            self.damage.look(template.source)

    def _on_document_changed(self, change: Change) -> None:
        if "template" in change.parts and self._state.edited is None:
            self._outdated = ""
        if change.parts & {"template", "tools"}:
            self._show_facts()

    def _on_bar_name_chosen(self, name: str) -> None:
        if name != self._state.template_name:
            state = with_template(self._state, self._state.template, name)
            self._change(state, "Choose named template")

    def _on_dialog_finished(self) -> None:
        self.dialog = None
        # The banner went with its button; without a decision it is still to be said.
        self._told = None
        self._show_matter()

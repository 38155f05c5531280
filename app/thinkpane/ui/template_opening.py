"""Ways to a template: a file, a folder, an address, the clipboard, something dropped, one that was open before."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.templates import built_in, library, own
from thinkpane.templates.damage.no_template import find as no_template
from thinkpane.templates.edited import EditedTemplate
from thinkpane.templates.files import is_folder, local_path, near_path, read_template
from thinkpane.templates.template import Template
from thinkpane.ui.choices import Choices
from thinkpane.ui.context import Context
from thinkpane.ui.dialogs.template_address import TemplateAddressDialog
from thinkpane.ui.drops import exact_text
from thinkpane.ui.models.source_facts import short_name
from thinkpane.ui.source_view import SourceView
from thinkpane.ui.widgets.banner import Banner
from thinkpane.ui.window_layout import WindowLayout
from thinkpane.workspace.kept_edits import with_own_text
from thinkpane.workspace.recent import RecentTemplates, is_missing

_BY = "window"
_FILTER = (
    "Templates and models (*.jinja *.jinja2 *.j2 *.txt *.gguf *tokenizer_config.json *chat_template.json)"
    ";;All files (*)"
)


class TemplateOpening(QObject):
    """What the Template menu and the library's button open.

    Signals:
        failed(object): a Problem to be told where a person looks.
    """

    failed = Signal(object)

    def __init__(
        self,
        window: QWidget,
        layout: WindowLayout,
        context: Context,
        choices: Choices,
        source: SourceView,
        recent: RecentTemplates,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._layout = layout
        self._context = context
        self._choices = choices
        self._source = source
        self._recent = recent
        self._remembers = True
        self.dialog: TemplateAddressDialog | None = None
        menu = QMenu(layout.open_template)
        menu.addAction("File…", self.ask_file)
        menu.addAction("Model folder…", self.ask_folder)
        menu.addAction("Hub, server or web address…", self.ask_address)
        menu.addAction("Paste from the clipboard", self.paste)
        layout.open_template.setMenu(menu)
        layout.recent_templates.opened.connect(choices.use_template)
        context.prompts.templates.changed.connect(self._on_templates_changed)
        self.show_recent()

    def ask_file(self) -> None:
        """Asks for a template's file."""
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Open template", str(self._folder()), _FILTER)
        if chosen:
            self.open_path(Path(chosen))

    def ask_folder(self) -> None:
        """Asks for a model's folder."""
        chosen = QFileDialog.getExistingDirectory(self._window, "Open model folder", str(self._folder()))
        if chosen:
            self._choices.use_template(chosen)

    def ask_address(self) -> None:
        """Asks for an address on the network, or a name."""
        dialog = TemplateAddressDialog(self._window)
        self.dialog = dialog
        dialog.accepted.connect(lambda: self._choices.use_template(dialog.ref))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def reload(self) -> None:
        """Reads the template anew."""
        self._context.prompts.reload_template()

    def paste(self) -> None:
        """Takes what is on the clipboard for the template."""
        text = exact_text(QGuiApplication.clipboard().mimeData())
        if text.strip():
            self.use_text(text)
        else:
            self.failed.emit(Problem("file", "There is no text on the clipboard."))

    def stop_remembering(self) -> None:
        """Leaves the list of recent templates as it is from now on, for windows that nobody sees."""
        self._remembers = False

    def use_text(self, text: str) -> None:
        """Takes a text for the template, JSON that holds one included; one without any template is asked about."""
        try:
            template = library.from_pasted(text)
        except ThinkpaneError as error:
            self.failed.emit(error.problem)
            return
        nothing = no_template(template.source)
        if nothing is not None:
            banner: Banner = self._layout.banner
            banner.tell(nothing.sentence, "warning", [("Use it all the same", lambda: self._use(template))])
            return
        self._use(template)
        others = [name for name in template.named if template.named[name] != template.source]
        if others:
            choices = [(name, partial(self._use, _by_name(template, name))) for name in others]
            sentence = f"The pasted JSON holds {len(template.named)} templates. Another one may be taken:"
            self._layout.banner.tell(sentence, "", choices)

    def open_path(self, path: Path) -> None:
        """Takes a template's file or folder into use; a file of no known kind is read as a text."""
        ref = str(path)
        if is_folder(path) or _is_source(ref):
            self._choices.use_template(ref)
            return
        try:
            text = read_template(path)
        except ThinkpaneError as error:
            self.failed.emit(error.problem)
            return
        self.use_text(text)

    def show_recent(self) -> None:
        """Fills the list of templates that were open last."""
        entries = []
        for ref in self._recent.refs():
            missing = is_missing(ref)
            hint = f"{ref}\nThere is nothing at this path now." if missing else ref
            entries.append((short_name(ref), "missing" if missing else _kind(ref), hint, ref))
        self._layout.show_recent_templates(entries, self._context.document.state.template)

    def _use(self, template: Template) -> None:
        state = self._context.document.state
        edit = EditedTemplate(template.source, dict(template.variables), template.special_tokens)
        changed = with_own_text(state, edit)
        self._context.document.change(changed, ["template"], _BY, "Paste template")
        self._source.look_for_damage(template.source)

    def _folder(self) -> Path:
        path = local_path(self._context.document.state.template)
        return path.parent if path is not None and path.is_absolute() else Path.home()

    def _on_templates_changed(self) -> None:
        feed = self._context.prompts.templates
        ref = feed.wanted
        foreign = bool(ref) and ref not in built_in.ids() and not own.is_own(ref)
        if self._remembers and feed.is_ready and foreign and not self._recent.begins_with(ref):
            try:
                self._recent.add(ref)
            except ThinkpaneError as error:
                self.failed.emit(error.problem)
        self.show_recent()


def _by_name(template: Template, name: str) -> Template:
    return replace(template, source=template.named[name])


def _is_source(ref: str) -> bool:
    from thinkpane.templates.sources._registry import all_sources

    return any(source.accepts(ref) for source in all_sources())


def _kind(ref: str) -> str:
    path = near_path(ref)
    if path is None:
        return "hub" if ref.startswith("hf:") else "ollama" if ref.startswith("ollama") else "web"
    return "folder" if is_folder(path) else ""

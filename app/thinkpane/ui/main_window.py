"""The window: it assembles what stands elsewhere, and ends it in order."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow

from thinkpane.analysis.effects import Effects
from thinkpane.analysis.tag_occurrences import known_tags
from thinkpane.errors import Problem
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.actions import RECENT, SAMPLES, ActionSet
from thinkpane.ui.arrivals import Arrivals
from thinkpane.ui.bridge import PromptFeed, RunFeed
from thinkpane.ui.budget_feed import BudgetFeed
from thinkpane.ui.budget_view import BudgetView
from thinkpane.ui.choices import Choices
from thinkpane.ui.comparing import Comparing
from thinkpane.ui.context import Context
from thinkpane.ui.context_lengths import ContextLengths
from thinkpane.ui.document_files import DocumentFiles
from thinkpane.ui.earlier_runs import EarlierRuns
from thinkpane.ui.effects import EffectFeed
from thinkpane.ui.endpoint_choices import EndpointChoices
from thinkpane.ui.finding import Finding
from thinkpane.ui.injection_view import InjectionView
from thinkpane.ui.kept_edit_notice import KeptEditNotice
from thinkpane.ui.leftover_offer import offer
from thinkpane.ui.link_targets import LinkTargets
from thinkpane.ui.message_badges import message_badges
from thinkpane.ui.output_view import OutputView
from thinkpane.ui.own_template_removal import OwnTemplateRemoval
from thinkpane.ui.panes.controls import ControlsPane
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.panes.template import TemplatePane
from thinkpane.ui.parity import ParityCheck
from thinkpane.ui.problem_view import ProblemView, kind_of_endpoint
from thinkpane.ui.problems import ProblemFeed
from thinkpane.ui.profile_switch import ProfileSwitch
from thinkpane.ui.prompt_actions import PromptActions
from thinkpane.ui.session import Session
from thinkpane.ui.session_view import SessionView
from thinkpane.ui.source_view import SourceView
from thinkpane.ui.status import Status
from thinkpane.ui.template_feed import TemplateFeed
from thinkpane.ui.template_opening import TemplateOpening
from thinkpane.ui.thought_editing import ThoughtEditing
from thinkpane.ui.token_feed import TokenFeed
from thinkpane.ui.view import View
from thinkpane.ui.window_layout import WindowLayout
from thinkpane.workspace.document import Document
from thinkpane.workspace.document_file import SUFFIX
from thinkpane.workspace.tokenizer_choices import TokenizerChoices

if TYPE_CHECKING:
    from thinkpane.ui.services import Services

DEFAULT_SIZE = (1440, 900)
SMALLEST_SIZE = (800, 560)


class MainWindow(QMainWindow):
    """One window with one document."""

    def __init__(self, services: "Services") -> None:
        super().__init__()
        self._services = services
        self._refused = ("", 0)
        self.document = Document()
        self.prompts = PromptFeed(self.document, services.engine, TemplateFeed(lambda: services.reach))
        self.tokens = TokenFeed(
            self.prompts, lambda: services.reach, TokenizerChoices(services.folders.tokenizer_choices_file)
        )
        self.runs = RunFeed()
        self.effects = EffectFeed(self.document, self.prompts, services.engine, services.analyst)
        self.budgets = BudgetFeed(self.prompts, self.tokens, self.effects)
        kind = partial(kind_of_endpoint, self.document, services)
        self.problems = ProblemFeed(self.document, self.prompts, services.engine, services.analyst, kind)
        self.context = Context(
            self.document,
            self.prompts,
            self.tokens,
            self.runs,
            self.effects,
            self.problems,
            services.settings,
        )
        self.layout_ = WindowLayout(self.context)
        self.link_targets = LinkTargets(self.layout_, self.context.links, self.document)
        self.injection_view = InjectionView(self, self.layout_.panes["prompt"], self.context)
        self.problem_view = ProblemView(self.layout_)
        self.files = DocumentFiles(self, self.document, services.recent, services.folders)
        self.choices = Choices(self, self.layout_, self.context)
        self.kept_edits = KeptEditNotice(self.document, self.choices, self.layout_.banner)
        self.own = OwnTemplateRemoval(self, self.context, self.choices, self.layout_.banner)
        self.source = SourceView(self, self.layout_.source, self.context, self.choices.trial)
        self.templates = TemplateOpening(
            self, self.layout_, self.context, self.choices, self.source, services.recent_templates
        )
        self.arrivals = Arrivals(self, self.context, self.files, self.templates)
        self.endpoints = EndpointChoices(self, self.layout_.top, self.context, services)
        self.lengths = ContextLengths(self.document, self.prompts, self.endpoints.lists, services.endpoints.named)
        self.budget_view = BudgetView(self.layout_, self.budgets, self.lengths, self.document)
        self.parity = ParityCheck(self, self.layout_.top, self.context, services)
        self.session = Session(self.context, services)
        self.thoughts = ThoughtEditing(self.session, self.layout_.panes["thinking"], self.context)
        self.output = OutputView(self.layout_, self.context)
        self.session_view = SessionView(self, self.session, self.layout_, self.context, self.files)
        self.earlier = EarlierRuns(self, self.context, services, self.session, self.layout_.banner)
        self.view = View(self, self.layout_, self.prompts, services.settings, str(services.folders.layout_file))
        self.profiles = ProfileSwitch(self, self.context, self.layout_.panes["prompt"])
        self.comparing = Comparing(self.layout_, self.context, self.parity)
        self.status = Status(self.layout_.status, self.context, self.files, self.session.both)
        self.setCentralWidget(self.layout_)
        self.actions_ = ActionSet(
            self, self._action_owners(), {RECENT: self.files.fill_recent, SAMPLES: self.files.fill_samples}
        )
        self.layout_.top.offer([self.actions_[id] for id in ("run", "run_both")])
        self._connect()
        self.setMinimumSize(*SMALLEST_SIZE)
        self.resize(QSize(*DEFAULT_SIZE).boundedTo(self.screen().availableSize()))
        self.setAcceptDrops(True)
        self._show_document()
        self._show_recent()

    def _action_owners(self) -> dict[str, object]:
        """What the names before the dots in the table of actions stand for."""
        return {
            "files": self.files,
            "choices": self.choices,
            "own": self.own,
            "source": self.source,
            "templates": self.templates,
            "endpoints": self.endpoints,
            "session": self.session,
            "earlier": self.earlier,
            "prompt": PromptActions(self.layout_),
            "finding": Finding(self.layout_),
            "injections": self.injection_view,
            "parity": self.parity,
            "output": self.output,
            "view": self.view,
            "diff": self.comparing.pane,
        }

    def restore(self) -> None:
        """Puts the window where it was, and offers what a crash left behind."""
        self.view.restore()
        faults = [each.message for each in self._services.settings.problems]
        if faults:
            self.layout_.banner.tell(f"{faults[0]} The default holds.", "warning", detail="\n".join(faults[1:]))
        leftovers = self.files.start_autosave()
        if leftovers:
            offer(self.layout_.banner, self.files, leftovers, self.earlier.offer_later)
        elif not faults:
            self.earlier.offer_later()

    def tell(self, problem: Problem) -> None:
        """A fault that belongs to no pane."""
        self.layout_.banner.tell(problem.message, "bad")

    def warn(self, problem: Problem) -> None:
        """What a person must know of something that was done all the same."""
        self.layout_.banner.tell(problem.message, "warning")

    def open_path(self, path: Path) -> None:
        """Opens a document, or takes a template into use."""
        self.arrivals.open_path(path)

    def _connect(self) -> None:
        layout = self.layout_
        self.files.failed.connect(self.tell)
        self.files.changed.connect(self._show_document)
        self.files.remembered.connect(self._show_recent)
        self.comparing.pane.compared.connect(self.actions_.refresh)
        for changed in (self.session.changed, self.output.changed):
            changed.connect(self.actions_.refresh)
        self.tokens.told.connect(self._on_tokens_told)
        for each in (self.view.failed, self.endpoints.failed, self.output.failed, self.earlier.failed):
            each.connect(self.tell)
        self.session.refused.connect(self._on_session_refused)
        self.prompts.changed.connect(self._on_prompts_changed)
        for each in (self.templates.failed, self.arrivals.failed, self.own.failed):
            each.connect(self.tell)
        self.view.warned.connect(self.warn)
        layout.top.run_pressed.connect(self.session.run)
        layout.top.stop_pressed.connect(self.session.stop)
        layout.append.clicked.connect(self.session.append_reply)
        layout.recent.opened.connect(lambda path: self.files.open(Path(str(path))))
        layout.own_templates.let_remove()
        layout.own_templates.removal_asked.connect(self.own.remove)
        controls, messages = layout.panes["controls"], layout.panes["messages"]
        if isinstance(controls, ControlsPane) and isinstance(messages, MessagesPane):
            controls.insert_requested.connect(messages.insert_tag)
            controls.limits_asked.connect(self.view.show_limits)
            self.session.appended.connect(messages.set_current)
            self.effects.changed.connect(partial(self._show_badges, messages))
        template = layout.panes["template"]
        if isinstance(template, TemplatePane):
            template.failed.connect(self.tell)
            template.own_changed.connect(self.choices.show_own)
            template.room_wanted.connect(layout.give_room)
            template.coverage.recent = self.files.recent_paths
            self.context.links.template_line_chosen.connect(lambda line: layout.show_pane("template") if line else None)
        prompt = layout.panes["prompt"]
        if isinstance(prompt, PromptPane):
            prompt.warned.connect(self.warn)

    def _show_badges(self, pane: MessagesPane, effects: Effects) -> None:
        pane.show_tags(known_tags(effects.discovery.template))
        messages = self.document.state.conversation.messages
        pane.show_badges(message_badges(messages, effects, self.prompts.prompt))

    def _on_session_refused(self, problem: Problem) -> None:
        self._refused = (problem.message, self.prompts.prompt.serial)
        self.tell(problem)

    def _on_prompts_changed(self, prompt: Prompt) -> None:
        """A refusal is over with the next prompt that may be sent."""
        sentence, serial = self._refused
        if sentence and prompt.is_current and prompt.serial > serial:
            self._refused = ("", 0)
            if self.layout_.banner.sentence.text() == sentence:
                self.layout_.banner.put_away()

    def _show_document(self) -> None:
        star = "*" if self.document.is_modified else ""
        self.setWindowTitle(f"{star}{self.files.name} – Thinkpane")
        talk = self.document.state.conversation
        for id, title, count in (
            ("tools", "Tools", sum(each.enabled for each in talk.tools)),
            ("documents", "Documents", sum(each.enabled for each in talk.documents)),
        ):
            self.layout_.compose.set_title(id, f"{title} {count}" if count else title)
        self.layout_.compose.set_title("template", "Template*" if self.document.state.edited else "Template")
        self.actions_.refresh()

    def _show_recent(self) -> None:
        paths = self.files.recent_paths()
        entries = [(path.name.removesuffix(SUFFIX), "", str(path), str(path)) for path in paths]
        self.layout_.recent.set_entries(entries, str(self.document.path) if self.document.path else None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that nobody nearer took. Escape: a notice goes first, then it stops the reply."""
        if self.actions_.take(event):
            return
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif not self.layout_.banner.isHidden():
            self.layout_.banner.put_away()
        else:
            self.session.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow windows do without the library, unless it was asked for."""
        super().resizeEvent(event)
        self.view.fit(self.width())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and texts may be dropped."""
        if self.arrivals.takes(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Takes what is dropped."""
        if self.arrivals.takes(event.mimeData()):
            event.acceptProposedAction()
            self.arrivals.take(event.mimeData())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks about unsaved work, then ends everything that runs."""
        if not self.files.may_discard():
            event.ignore()
            return
        self.view.keep()
        self.close_down()
        event.accept()

    def _on_tokens_told(self, words: str, hint: str) -> None:
        self.layout_.status.set_fact("tokens", words, hint)
        prompt = self.layout_.panes["prompt"]
        if isinstance(prompt, PromptPane):
            prompt.set_tokens(words, hint)

    def close_down(self) -> None:
        """Ends threads and timers; no question is asked."""
        self.session_view.close()
        self.earlier.close()
        template = self.layout_.panes["template"]
        if isinstance(template, TemplatePane):
            template.close_down()
        parts = (self.effects, self.problems, self.profiles, self.parity, self.thoughts, self.comparing, self.output)
        for part in (*parts, self.source, self.prompts, self.lengths, self.budgets, self.injection_view, self.tokens):
            part.close()
        self.files.close()

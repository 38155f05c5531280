"""What happens when the runtime profile is switched: the prompts before and after are compared, beside the window."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.profile_diff import ProfileDiff, compare_profiles
from thinkpane.ui.bridge import RENDERED_PARTS
from thinkpane.ui.dialogs.profile_diff import ProfileDiffDialog
from thinkpane.ui.newest import Newest
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.widgets.profile_notice import ProfileNotice
from thinkpane.workspace.document import Change

if TYPE_CHECKING:
    from thinkpane.ui.context import Context


class ProfileSwitch(QObject):
    """Tells in the prompt pane what a switch did; any other change of the prompt puts that away.

    Signals:
        compared(object): a ProfileDiff is shown now.
    """

    compared = Signal(object)
    _found = Signal(object)

    def __init__(self, window: QWidget, context: "Context", pane: QWidget) -> None:
        """pane: the prompt's, which gets the notice."""
        super().__init__(window)
        self._window = window
        self._context = context
        self.notice = ProfileNotice()
        if isinstance(pane, PromptPane):
            pane.put_above(self.notice)
        self._shown: ProfileDiff | None = None
        self._profile = context.document.state.profile
        engine = context.prompts.engine
        self._newest = Newest[tuple[PromptJob, str], ProfileDiff](
            "profiles",
            lambda asked, ticket: compare_profiles(*asked, engine, ticket),
            self._found.emit,
            engine.overtake,
            0,
        )
        self._found.connect(self._on_newest_found, Qt.ConnectionType.QueuedConnection)
        self.notice.asked.connect(self._on_notice_asked)
        self._end_listening = context.document.listen(self._on_document_changed)

    def close(self) -> None:
        """Ends the thread; nothing is told any more."""
        self._end_listening()
        self._newest.close()

    def _on_document_changed(self, change: Change) -> None:
        before, self._profile = self._profile, self._context.document.state.profile
        if not change.parts & RENDERED_PARTS:
            return
        self.notice.put_away()
        self._newest.drop()
        if change.parts == {"profile"} and before != self._profile:
            self._compare(before)

    def _compare(self, before: str) -> None:
        prompts = self._context.prompts
        try:
            job = prompts.job()
        except ThinkpaneError:
            return  # without a template there is nothing to compare, and the pane says so
        self._newest.ask((job if prompts.with_steps else replace(job, steps=None), before))

    @Slot(object)
    def _on_newest_found(self, found: ProfileDiff) -> None:
        if not self._newest.is_newest(found):
            return
        self._shown = found
        self.notice.tell(found.sentence, bool(found.characters or found.after.rewrites))
        self.compared.emit(found)

    def _on_notice_asked(self) -> None:
        if self._shown is not None:
            dialog = ProfileDiffDialog(self._shown, self._window)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

"""Which lines of the template the open conversations execute: this document's, and others that are opened for that."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.analysis.coverage_over import CoverageOver, Ran, coverage_over, named_apart
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.job import PromptJob, prepare
from thinkpane.prompt.making import Asking
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.edited import with_source
from thinkpane.ui.document_files import sample
from thinkpane.ui.newest import Newest
from thinkpane.workspace.body_variables import render_options, split_options, with_carried
from thinkpane.workspace.document_file import SUFFIX, read_document

if TYPE_CHECKING:
    from thinkpane.analysis.covering import Talk
    from thinkpane.analysis.effects import Effects
    from thinkpane.engine.request import RenderRequest
    from thinkpane.formats.json_values import JsonObject
    from thinkpane.ui.context import Context
    from thinkpane.workspace.state import DocumentState

PAUSE = 0.3
"""Seconds without a new prompt before all conversations are rendered; this one's lines come with its own trace."""


@dataclass(frozen=True, slots=True)
class Member:
    """A conversation that was opened for coverage. key: the file's path, or the built-in example's name.

    read: gives it as it is now; raises ThinkpaneError. folder: the name of the one that the file is in, "" for none.
    """

    key: str
    title: str
    hint: str
    read: "Callable[[], DocumentState]"
    folder: str = ""


def file_member(path: Path) -> Member:
    """The conversation in a file: a document, a request body, or a list of messages."""
    title = path.name.removesuffix(SUFFIX).removesuffix(".json")
    return Member(str(path), title, str(path), lambda: with_carried(read_document(path)), path.absolute().parent.name)


def sample_member(title: str, name: str) -> Member:
    """A built-in example."""
    return Member(name, title, "A built-in example", lambda: sample(name))


@dataclass(frozen=True, slots=True)
class _Question:
    job: PromptJob
    request: "RenderRequest"
    name: str
    members: tuple[Member, ...]


class CoverageFeed(QObject):
    """Renders every open conversation with the template at hand, beside the window, and tells which lines ran.

    With no other conversation than the document's, its own trace says that. Files are read anew for each answer.

    Signals:
        changed(): `found` is another one, or `members`.
    """

    changed = Signal()
    _answered = Signal(object)

    def __init__(self, context: "Context", pause: float = PAUSE) -> None:
        super().__init__()
        self._document = context.document
        self._prompts = context.prompts
        self._effects = context.effects
        self._engine = context.prompts.engine
        self._members: tuple[Member, ...] = ()
        self._found: CoverageOver | None = None
        self._serial = 0
        self._is_watched = False
        self._is_behind = False
        self._answered.connect(self._on_newest_answered, Qt.ConnectionType.QueuedConnection)
        self._newest = Newest("coverage", self._answer, self._answered.emit, self._engine.overtake, pause)
        self._prompts.changed.connect(self._on_prompts_changed)
        self._effects.changed.connect(self._on_effects_changed)

    @property
    def members(self) -> tuple[Member, ...]:
        """The conversations besides the document's own, in the order in which they were opened."""
        return self._members

    @property
    def found(self) -> CoverageOver | None:
        """The newest coverage; None before the first, and while the template fails to give any."""
        return self._found

    @property
    def own_name(self) -> str:
        """What the document's own conversation is called among the others."""
        return f"{self._document.name} (this document)"

    def add(self, members: Sequence[Member]) -> None:
        """Opens conversations; those that are open already stay as they are."""
        known = {each.key for each in self._members}
        new = {each.key: each for each in members if each.key not in known}
        if new:
            self._members = (*self._members, *new.values())
            self.changed.emit()
            self._ask()

    def remove(self, key: str) -> None:
        """Closes a conversation."""
        self._members = tuple(each for each in self._members if each.key != key)
        self.changed.emit()
        self._ask()

    def watch(self, on: bool) -> None:
        """Whether a person looks; while none does, nothing is rendered."""
        self._is_watched = on
        if on and self._is_behind:
            self._ask()

    def name_of(self, member: Member) -> str:
        """What a conversation is called, told apart from another of the same title."""
        names = named_apart([(each.title, each.folder) for each in self._members])
        return names[[each.key for each in self._members].index(member.key)]

    def is_own(self, member: Member) -> bool:
        """Whether a file is the one of the document that is open here, which stands for it."""
        return self._document.path is not None and str(self._document.path) == member.key

    def close(self) -> None:
        """Ends the thread; nothing is told any more."""
        self._newest.close()

    def _ask(self) -> None:
        prompt = self._prompts.prompt
        self._is_behind = bool(self._members) and not self._is_watched
        if not self._members:
            self._newest.drop()
            self._show(self._own_coverage())
        elif prompt.request is not None and self._is_watched:
            self._newest.ask(self._question(prompt.request))

    def _question(self, request: "RenderRequest") -> _Question:
        state = self._document.state
        template = with_source(self._prompts.template, request.source)
        job = PromptJob(template, state.conversation, profile=state.profile)
        others = tuple(each for each in self._members if not self.is_own(each))
        return _Question(job, request, self.own_name, tuple(replace(each, title=self.name_of(each)) for each in others))

    def _own_coverage(self) -> CoverageOver | None:
        """What the document's own trace tells."""
        effects = self._effects.effects
        if effects is None or effects.coverage is None or effects.serial != self._prompts.prompt.serial:
            return None
        return coverage_over(effects.coverage.executable, [Ran(self.own_name, effects.coverage.executed)])

    def _answer(self, question: _Question, ticket: object) -> tuple[CoverageOver | None]:
        from thinkpane.analysis.covering import Talk, cover

        def ask(name: str, payload: "JsonObject") -> "JsonObject":
            if name == "facts":
                return self._engine.about(name, str(payload["source"]), ticket)
            return self._engine.job(name, payload, owner=ticket)

        talks = [Talk(question.name, question.request)]
        talks += [self._talk(question.job, each, ticket) for each in question.members]
        try:
            return (cover(question.request.source, talks, ask),)
        except ThinkpaneError:
            return (None,)  # the template cannot be parsed, which the prompt tells; or a newer question waits

    def _talk(self, job: PromptJob, member: Member, ticket: object) -> "Talk":
        from thinkpane.analysis.covering import Talk

        try:
            state = member.read()
            variables, options = split_options(state.variables)
            generate, going_on = render_options(options)
            whole = replace(
                job,
                conversation=state.conversation,
                variables=variables,
                steps=state.steps,
                carry=state.path == "raw",
                add_generation_prompt=generate,
                continue_final_message=going_on,
            )
            return Talk(member.title, prepare(whole, Asking(self._engine, ticket)).request)
        except ThinkpaneError as error:
            return Talk(member.title, error.problem)
        except OSError as fault:
            return Talk(member.title, Problem("file", f"“{member.key}” cannot be read: {fault.strerror or fault}."))

    def _show(self, found: CoverageOver | None) -> None:
        if found != self._found:
            self._found = found
            self.changed.emit()

    @Slot(object)
    def _on_prompts_changed(self, prompt: Prompt) -> None:
        if prompt.request is None or (prompt.problem is not None and not self._members):
            self._newest.drop()
            self._serial = prompt.serial
            self._show(None)
        elif prompt.serial != self._serial:
            self._serial = prompt.serial
            if self._members:
                self._ask()

    @Slot(object)
    def _on_effects_changed(self, _effects: "Effects") -> None:
        if not self._members:
            self._show(self._own_coverage())

    @Slot(object)
    def _on_newest_answered(self, answer: tuple[CoverageOver | None]) -> None:
        if self._newest.is_newest(answer) and self._members and self._prompts.prompt.request is not None:
            self._show(answer[0])

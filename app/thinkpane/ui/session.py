"""What Run does: the prompt as it stands goes out, the reply comes in, and what a person does with it afterwards."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.strict_json import parse
from thinkpane.ui.context import Context
from thinkpane.ui.models.reply_place import ReplyPlace
from thinkpane.ui.run_both import RunBoth
from thinkpane.ui.run_starter import RunStarter
from thinkpane.workspace.drafts import draft_pane, draft_words

if TYPE_CHECKING:
    from thinkpane.endpoints.dialects._api import SendPath
    from thinkpane.runs.run import Run
    from thinkpane.ui.services import Services

_BY = "session"
_OTHER = "Nothing was appended: this earlier reply answers another conversation than the open one."
_UNKNOWN = "Nothing was appended: nobody knows which conversation this earlier reply answers."


class Session(QObject):
    """Runs, and their replies in the conversation. both: the pair of runs on both paths.

    Signals:
        starting(): Run was pressed; what is typed for the conversation and not in it yet has to come now.
        refused(object): a Problem, because of which nothing was sent, or nothing was appended.
        held(object): a Problem, because of which nothing was sent; `run_held` sends all the same.
        doubted(object): a Problem, because of which nothing was appended; `append_doubted` does it all the same.
        looped(object): the Run that the loop guard stopped.
        appended(int): the conversation has a new message at that index; it should be seen.
        changed(): what may be done is another thing now.
    """

    starting = Signal()
    refused = Signal(object)
    held = Signal(object)
    doubted = Signal(object)
    looped = Signal(object)
    appended = Signal(int)
    changed = Signal()

    def __init__(self, context: Context, services: "Services") -> None:
        super().__init__()
        self._context = context
        self._starter = RunStarter(context, services)
        self.both = RunBoth(context, services, self._starter)
        self._held: Callable[[], None] | None = None
        self._doubted: tuple[ReplyPlace, Callable[[], object]] | None = None
        self._place: ReplyPlace | None = None
        self._is_refused = False
        self._about = ""
        self._stood: tuple[object, ...] = ()
        context.runs.started.connect(self._on_runs_started)
        context.runs.finished.connect(self._on_runs_finished)
        self.both.changed.connect(self.changed)
        self._end_listening = context.document.listen(lambda _: self._tell_if_changed())
        self.destroyed.connect(self._end_listening)

    @property
    def is_live(self) -> bool:
        """Whether a reply is coming."""
        return self._context.runs.is_live or self.both.is_live

    @property
    def may_run(self) -> bool:
        """Whether Run would send."""
        return not self.is_live

    @property
    def has_reply(self) -> bool:
        """Whether there is a whole reply that the open conversation does not hold."""
        run, place = self._context.runs.run, self._place
        is_over = run is not None and run.is_over and bool(run.transcript.blocks)
        return is_over and place is not None and place.index is None

    @property
    def may_append(self) -> bool:
        """Whether the reply can be appended: it is of the open document, whose conversation does not hold it yet."""
        return self.has_reply and self._obstacle() is None

    @property
    def may_give(self) -> bool:
        """Whether results of the reply's calls can be appended."""
        return self._place is not None and self._obstacle() is None

    @property
    def given(self) -> frozenset[int]:
        """The calls of the reply (from 0) whose results the conversation holds."""
        return self._place.given if self._place is not None else frozenset()

    @property
    def about_reply(self) -> str:
        """What is said above the reply: which earlier run it is, and whether its document is open; "" for most."""
        return " ".join(filter(None, [self._about, self.elsewhere]))

    @property
    def elsewhere(self) -> str:
        """What is said of a reply whose document is not open any more, "" for others."""
        place = self._place
        if place is None or place.is_here:
            return ""
        return f"This reply is of {place.words}, which is not open any more. It can be copied, but not appended here."

    def run(self, demo_speed: float | None = None, *, anyway: bool = False) -> None:
        """Sends the document as it stands; says why where it cannot.

        demo_speed: how fast a recorded reply plays, 0 = at once; None = as the settings say.
        anyway: although there is text that is not applied.
        """
        speed = self._context.settings.number("demo.speed") if demo_speed is None else demo_speed
        self._send(partial(self._run_one, speed), anyway=anyway)

    def run_both(self, *, steady: bool = False) -> None:
        """Sends the document as it stands on both paths; says why where it cannot. steady: as in RunBoth.start."""
        self._send(partial(self.both.start, steady=steady))

    def run_held(self) -> None:
        """Sends what was held back, although there is text that is not applied."""
        if self._held is not None:
            self._send(self._held, anyway=True)

    def stop(self) -> None:
        """Stops the reply, or both of a pair; what came stays."""
        self._context.runs.stop()
        self.both.stop()

    def take(self, path: "SendPath") -> None:
        """Makes the pair's reply on that path the last reply: to be read, appended and answered as any other."""
        run = self.both.run(path)
        if run is None or self.is_live:
            return
        self._context.runs.adopt(run)
        self._place = self.both.place
        found = self.both.found
        self._about = f"{found.about} This is its {path} reply." if found is not None and found.about else ""
        self.changed.emit()

    def show_earlier(self, run: "Run", about: str, answered: str) -> None:
        """Makes an earlier run the last reply. about: the sentence that says which. answered: as in ReplyPlace."""
        if self.is_live:
            return
        self._context.runs.adopt(run)
        self._place, self._about = ReplyPlace(self._context.document, answered), about
        self.changed.emit()

    def run_both_again(self, *, steady: bool = False) -> None:
        """Sends both once more: the document as it stands, of an earlier pair its own requests. steady: as there."""
        if not self.both.is_earlier:
            self.run_both(steady=steady)
        elif not self.is_live:
            try:
                self.both.repeat(steady=steady)
            except ThinkpaneError as error:
                self.refused.emit(error.problem)

    def append_doubted(self) -> None:
        """Appends what was held back, although it is of another conversation; not where another reply came since."""
        doubted, self._doubted = self._doubted, None
        if doubted is not None and doubted[0] is self._place:
            place, act = doubted
            place.accept()
            act()

    def _send(self, send: Callable[[], None], *, anyway: bool = False) -> None:
        """Calls `send` once all that is typed is in the conversation; says why where it cannot."""
        if self.is_live:
            return
        self._is_refused = False
        self.starting.emit()
        if self._is_refused:
            return
        drafts = self._context.document.draft_texts
        if drafts and not anyway:
            self._held = send
            self.held.emit(_not_applied(drafts))
            return
        self._held = None
        try:
            send()
        except ThinkpaneError as error:
            self.refused.emit(error.problem)

    def _run_one(self, speed: float) -> None:
        path: SendPath = "chat" if self._context.document.state.path == "chat" else "raw"
        self._context.runs.start(self._starter.start(self._starter.ready(path), speed))

    def append_reply(self) -> None:
        """Puts thinking, answer and tool calls of the last reply at the end of the conversation; says why it cannot."""
        run, place = self._context.runs.run, self._place
        if run is None or place is None or not self.has_reply or self._refuses(self.append_reply):
            return
        self._change(*place.with_reply(run.transcript), "Append reply")
        self._context.runs.replies.keep(place.key, run)

    def thinking_copy(self, thinking: str) -> tuple[Conversation, int]:
        """A copy of the conversation in which the last reply thinks that, and the reply's index.

        Raises ThinkpaneError where the reply cannot be appended.
        """
        run, place, problem = self._context.runs.run, self._place, self._obstacle()
        if problem is not None or run is None or place is None:
            raise ThinkpaneError(problem or Problem("reply", "There is no reply to edit."))
        return place.with_thinking(run.transcript, thinking)

    def append_thinking(self, thinking: str, done: Callable[[], None]) -> None:
        """Puts the last reply into the conversation with that thinking, or gives it to the reply that is there.

        done: called once that is so.
        """
        run, place = self._context.runs.run, self._place
        if run is None or place is None or self._refuses(partial(self.append_thinking, thinking, done)):
            return
        talk, index = self.thinking_copy(thinking)
        place.took(talk, index)
        self._change(talk, index, "Edit thinking")
        self._context.runs.replies.keep(place.key, run)
        done()

    def give_result(self, call: int, result: str) -> int | None:
        """Answers a tool call (from 0) of the last reply, which goes in first where it is not there; one undo step.

        Gives the index of the result's message, None where it was refused.
        """
        run, place = self._context.runs.run, self._place
        if run is None or place is None or self._refuses(partial(self.give_result, call, result)):
            return None
        label = "Append call and result" if self.has_reply else "Add tool result"
        talk, index = place.with_result(run.transcript, call, result)
        self._change(talk, index, label)
        self._context.runs.replies.keep(place.key, run)
        return index

    def break_loop(self) -> None:
        """Appends what came and the words that break a loop, and sends again."""
        from thinkpane.runs.loop_guard import BREAKER_TEXT

        if self._refuses(self.break_loop):
            return
        self.append_reply()
        talk = edits.add(self._context.document.state.conversation, message("user", BREAKER_TEXT))
        self._change(talk, len(talk.messages) - 1, "Break the loop")
        self.run()

    def _obstacle(self) -> Problem | None:
        """Why nothing of the last reply can be appended to the open document."""
        if self.elsewhere:
            return Problem("reply", self.elsewhere)
        if self._context.document.state.conversation.raw_text is not None:
            return Problem("reply", "The conversation is one raw text; a reply can only be appended to messages.")
        return None

    def _refuses(self, act: Callable[[], object]) -> bool:
        """Says why nothing can be appended, or asks whether it may, where that is so; then `act` does it."""
        problem, place = self._obstacle(), self._place
        if problem is None and (place is None or place.is_accepted or self._is_of_this_prompt(place)):
            return False
        self._is_refused = True
        if problem is not None:
            self.refused.emit(problem)
        elif place is not None:
            self._doubted = place, act
            self.doubted.emit(Problem("reply", _OTHER if place.answered else _UNKNOWN))
        return True

    def _is_of_this_prompt(self, place: ReplyPlace) -> bool:
        """Whether the run, of which nobody knows the conversation, was sent the very prompt that is shown."""
        run, prompt = self._context.runs.run, self._context.prompts.prompt
        return not place.answered and run is not None and prompt.is_current and run.prompt == prompt.text

    def _change(self, talk: Conversation, index: int, label: str) -> None:
        document = self._context.document
        document.change(replace(document.state, conversation=talk), ["messages"], _BY, label)
        self.appended.emit(index)

    def _tell_if_changed(self) -> None:
        """Most changes of a document change nothing of what may be done."""
        stands = (self.has_reply, self.may_append, self.may_give, self.given, self.elsewhere)
        if stands != self._stood:
            self._stood = stands
            self.changed.emit()

    def _on_runs_started(self, _run: "Run") -> None:
        self._place, self._about = ReplyPlace(self._context.document), ""
        self.changed.emit()

    def _on_runs_finished(self, run: "Run") -> None:
        self.changed.emit()
        if run.loop_guard_fired:
            self.looped.emit(run)


def _not_applied(drafts: Mapping[str, str]) -> Problem:
    """That nothing was sent, because there is text that is not applied: where, and what is wrong with the first."""
    first = next(iter(drafts))
    places = [draft_words(name) for name in drafts]
    others = f" and {len(places) - 1} more" if len(places) > 1 else ""
    try:
        if draft_pane(first)[0] != "thinking":
            parse(drafts[first])
        why = ""
    except ThinkpaneError as fault:
        why = f" {fault.problem.message}"
    hold = "holds" if len(places) == 1 else "hold"
    sentence = f"Nothing was sent: {places[0]}{others} {hold} text that is not applied.{why}"
    return Problem("draft", sentence, detail={"place": first})

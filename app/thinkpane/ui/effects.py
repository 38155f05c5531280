"""What the controls do to the prompt at hand, worked out beside the window: by a thread that renders variants of it."""

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from thinkpane.analysis.coverage import Coverage, coverage, united
from thinkpane.analysis.effects import EffectAnswer, EffectQuestion, Effects
from thinkpane.analysis.ignored import ignored
from thinkpane.analysis.in_force import InForce
from thinkpane.analysis.setters import Setters, setters_of
from thinkpane.analysis.thinking_formats import ThinkingFormats
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.template import Template
from thinkpane.ui.newest import Newest, let_it_end
from thinkpane.workspace.body_variables import carried_variables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from thinkpane.analysis.analyst import Analyst
    from thinkpane.analysis.effect_maker import EffectMaker
    from thinkpane.engine.host import Engine
    from thinkpane.engine.request import RenderRequest
    from thinkpane.formats.json_values import JsonValue
    from thinkpane.ui.bridge import PromptFeed
    from thinkpane.workspace.document import Document
    from thinkpane.workspace.state import DocumentState

_log = logging.getLogger(__name__)

PAUSE = 0.2
"""Seconds without a new prompt before the variants are rendered: they are some hundred, a keystroke is one."""

OUTDATED_AFTER = 300
"""Milliseconds that what is shown may be of the prompt before: new effects mostly come sooner, and nothing flickers."""

COVERAGES_KEPT = 32
"""Templates whose executed lines are remembered."""


class _Tracing(NamedTuple):
    """Effects, the prompt that was traced with its request, and the variables that are none of the person's."""

    effects: Effects
    prompt: Prompt
    request: "RenderRequest"
    own: "Mapping[str, JsonValue]"


class _Asked(NamedTuple):
    """What effects are asked of: a prompt with the template and the document that it was made of."""

    template: Template
    prompt: Prompt
    state: "DocumentState"


class EffectFeed(QObject):
    """The effects for the newest prompt. formats: the thinking formats found so far, for all who ask for one.

    Signals:
        changed(object): new Effects, in the window's thread; those of another document are told without their facts
            at once.
        outdated(): the prompt is another one, and has been for a moment; what is shown may not hold any more.
    """

    changed = Signal(object)
    outdated = Signal()
    _found = Signal(object)
    _traced = Signal(object)

    def __init__(
        self, document: "Document", prompts: "PromptFeed", engine: "Engine", analyst: "Analyst", pause: float = PAUSE
    ) -> None:
        super().__init__()
        self._document = document
        self._prompts = prompts
        self._engine = engine
        self._effects: Effects | None = None
        self._latest: Effects | None = None
        self._serial = 0
        self._is_tracing = False
        self._outdated = QTimer(self, singleShot=True, interval=OUTDATED_AFTER)
        self._outdated.timeout.connect(self.outdated)
        self._coverages: dict[str, Coverage] = {}
        self.formats = ThinkingFormats(engine.render_many)
        self._analyst = analyst
        self._maker: EffectMaker | None = None
        self._found.connect(self._on_newest_found, Qt.ConnectionType.QueuedConnection)
        self._newest = Newest[_Asked, Effects]("effects", self._answer, self._found.emit, self._cancel, pause)
        self._traced.connect(self._on_tracings_found, Qt.ConnectionType.QueuedConnection)
        self._tracings = Newest[_Tracing, Effects]("traces", self._with_trace, self._traced.emit, let_it_end, 0.0)
        self._of_document = document.serial
        self._end_listening = document.listen(lambda _: self._leave_other_document())
        self.destroyed.connect(self._end_listening)
        prompts.changed.connect(self._on_prompts_changed)

    @property
    def effects(self) -> Effects | None:
        """The newest effects that were told, None before the first."""
        return self._effects

    @property
    def is_settled(self) -> bool:
        """Whether the effects are those of the prompt that is shown now, and all of it is told."""
        effects, prompt = self._effects, self._prompts.prompt
        return effects is not None and effects.serial == prompt.serial and not self._is_tracing

    @property
    def template(self) -> Template:
        """The template in force with its controls, once found; while its text is edited, with the last ones."""
        template, effects = self._prompts.template, self._effects
        if effects is not None and effects.template.id == template.id and (template.id or effects.template == template):
            return effects.discovery.template
        return template

    def close(self) -> None:
        """Ends the threads; nothing is told any more."""
        self._end_listening()
        self._newest.close()
        self._tracings.close()

    @Slot(object)
    def _on_prompts_changed(self, prompt: Prompt) -> None:
        self._leave_other_document()
        if prompt.serial == self._serial:
            self._show_trace(prompt)
            return
        # A prompt that the template refuses has no effects, but the template has its controls.
        if prompt.request is None or (prompt.problem is not None and prompt.problem.kind != "template"):
            return
        self._serial = prompt.serial
        if not self._outdated.isActive():
            self._outdated.start()
        self._newest.ask(_Asked(self._prompts.template, prompt, self._document.state))

    def _leave_other_document(self) -> None:
        """The effects of another document are none of this one; what its template has for controls may stay."""
        if self._document.serial == self._of_document:
            return
        self._of_document = self._document.serial
        self._newest.drop()
        self._tracings.drop()
        effects, self._latest = self._effects, None
        if effects is not None:
            self._tell(replace(effects, in_force=InForce(), variables=(), numbers=None, coverage=None, ignored=()))
        self._outdated.stop()

    def _answer(self, asked: _Asked, ticket: object) -> Effects | None:
        from thinkpane.analysis.analyst import is_large

        question = _question(asked)
        try:
            if not is_large(question.request):
                return self._made_here(question, ticket)
            answer = cast("EffectAnswer", self._analyst.ask("effects", question, ticket))
        except ThinkpaneError:
            return None  # a newer prompt took its place, or the template cannot be parsed, which the prompt tells
        if answer.format is not None:
            self.formats.keep(answer.effects.template.source, answer.variables or {}, answer.format)
        return answer.effects

    def _made_here(self, question: EffectQuestion, ticket: object) -> Effects:
        from thinkpane.analysis.effect_maker import EffectMaker

        if self._maker is None:
            self._maker = EffectMaker(self._engine, self.formats)
        return self._maker.make(question, ticket).effects

    def _cancel(self, ticket: object) -> None:
        self._engine.overtake(ticket)
        self._analyst.cancel(ticket)

    def _show_trace(self, prompt: Prompt) -> None:
        """The prompt that is shown was traced."""
        if self._latest is not None:
            self._ask_for_trace(self._latest, prompt)

    def _ask_for_trace(self, effects: Effects, prompt: Prompt) -> bool:
        """Has the effects told with what the prompt's trace tells, where it is theirs; False where it is not."""
        request = prompt.request
        if prompt.serial != effects.serial or prompt.owners is None or request is None or prompt.stale:
            return False
        setters = _setters(_Asked(self._prompts.template, prompt, self._document.state), request)
        own = {
            **effects.template.variables,
            **{name: each for name, each in request.variables.items() if name in setters.unasked},
        }
        self._is_tracing = True
        self._tracings.ask(_Tracing(effects, prompt, request, own))
        return True

    def _with_trace(self, asked: _Tracing, _ticket: object) -> Effects:
        try:
            return self._told_by_trace(*asked)
        except Exception:  # noqa: BLE001 - the controls must not stay those of another prompt
            _log.exception("a trace could not be told of")
            return asked.effects

    def _told_by_trace(
        self, effects: Effects, prompt: Prompt, request: "RenderRequest", own: "Mapping[str, JsonValue]"
    ) -> Effects:
        ran = coverage(effects.discovery.facts.executable, prompt.lines)
        earlier = self._coverages.pop(request.source, Coverage())
        so_far = self._coverages[request.source] = united([earlier, ran])
        while len(self._coverages) > COVERAGES_KEPT:
            del self._coverages[next(iter(self._coverages))]
        lost = ignored(prompt.ignored, request, effects.numbers, own)
        return replace(effects, coverage=ran, so_far=so_far, ignored=lost)

    @Slot(object)
    def _on_newest_found(self, effects: Effects) -> None:
        if self._newest.is_newest(effects):
            self._latest = effects
            if not self._ask_for_trace(effects, self._prompts.prompt):
                self._tell(effects)

    @Slot(object)
    def _on_tracings_found(self, effects: Effects) -> None:
        if self._tracings.is_newest(effects) and self._latest is not None and self._latest.serial == effects.serial:
            self._latest = effects
            self._tell(effects)

    def _tell(self, effects: Effects) -> None:
        self._effects = effects
        self._is_tracing = False
        if effects.serial == self._serial:
            self._outdated.stop()
        self.changed.emit(effects)


def _question(asked: _Asked) -> EffectQuestion:
    request = asked.prompt.request
    assert request is not None
    numbers = asked.prompt.request_origins.numbers or None
    return EffectQuestion(asked.template, request, asked.prompt.serial, numbers, _setters(asked, request))


def _setters(asked: _Asked, request: "RenderRequest") -> Setters:
    state = asked.state
    return setters_of(request.variables, asked.template.variables, state.variables, carried_variables(state))

"""What the controls do to the prompt at hand, worked out beside the window: by a thread that renders variants of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.analysis.coverage import Coverage, coverage, united
from thinkpane.analysis.ignored import Ignored, ignored
from thinkpane.analysis.in_force import InForce
from thinkpane.analysis.thinking_formats import ThinkingFormats
from thinkpane.analysis.variable_effects import VariableEffect
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.template import Template
from thinkpane.ui.newest import Newest

if TYPE_CHECKING:
    from thinkpane.analysis.discovery import Discovery
    from thinkpane.analysis.rendering import RenderMany
    from thinkpane.engine.host import Engine
    from thinkpane.engine.request import Rendered, RenderRequest
    from thinkpane.engine.template_facts import TemplateFacts
    from thinkpane.formats.json_values import JsonValue
    from thinkpane.ui.bridge import PromptFeed
    from thinkpane.workspace.document import Document

PAUSE = 0.2
"""Seconds without a new prompt before the variants are rendered: they are some hundred, a keystroke is one."""

DEADLINE = 5.0
"""Seconds that one batch of variants may take."""


DISCOVERIES_KEPT = 8
"""Templates whose controls are remembered; each edit of a template's text is another one."""

COVERAGES_KEPT = 32
"""Templates whose executed lines are remembered."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What is known of one prompt's controls. serial: the prompt's. template: it was made with, as it was loaded.

    discovery: the template's controls, what is true of them in every conversation. variables: what each does here.
    coverage: the template lines that ran for this prompt, and so_far: those that ran for any prompt since the program
    started; None while it is not traced. ignored: what it was given and was never read.
    """

    template: Template
    discovery: "Discovery"
    in_force: InForce
    variables: tuple[VariableEffect, ...]
    serial: int
    numbers: tuple[int, ...] | None = None
    coverage: Coverage | None = None
    so_far: Coverage | None = None
    ignored: tuple[Ignored, ...] = ()


@dataclass(frozen=True, slots=True)
class _Question:
    template: Template
    prompt: Prompt
    numbers: tuple[int, ...] | None
    unasked: frozenset[str]


class EffectFeed(QObject):
    """The effects for the newest prompt. formats: the thinking formats found so far, for all who ask for one.

    Signals:
        changed(object): new Effects, in the window's thread.
        outdated(): the prompt is another one now; what is shown may not hold any more.
    """

    changed = Signal(object)
    outdated = Signal()
    _found = Signal(object)

    def __init__(self, document: "Document", prompts: "PromptFeed", engine: "Engine", pause: float = PAUSE) -> None:
        super().__init__()
        self._document = document
        self._prompts = prompts
        self._engine = engine
        self._effects: Effects | None = None
        self._serial = 0
        self._discoveries: dict[str, Discovery] = {}
        self._coverages: dict[str, Coverage] = {}
        self.formats = ThinkingFormats(engine.render_many)
        self._found.connect(self._on_newest_found, Qt.ConnectionType.QueuedConnection)
        self._newest = Newest("effects", self._answer, self._found.emit, engine.cancel, pause)
        prompts.changed.connect(self._on_prompts_changed)

    @property
    def effects(self) -> Effects | None:
        """The newest effects, None before the first."""
        return self._effects

    @property
    def template(self) -> Template:
        """The template in force with its controls, once found; while its text is edited, with the last ones."""
        template, effects = self._prompts.template, self._effects
        if effects is not None and effects.template.id == template.id and (template.id or effects.template == template):
            return effects.discovery.template
        return template

    def close(self) -> None:
        """Ends the thread; nothing is told any more."""
        self._newest.close()

    @Slot(object)
    def _on_prompts_changed(self, prompt: Prompt) -> None:
        if prompt.serial == self._serial:
            self._show_trace(prompt)
            return
        # A prompt that the template refuses has no effects, but the template has its controls.
        if prompt.request is None or (prompt.problem is not None and prompt.problem.kind != "template"):
            return
        self._serial = prompt.serial
        self.outdated.emit()
        unasked = frozenset(self._unasked(prompt))
        self._newest.ask(_Question(self._prompts.template, prompt, self._numbers(prompt), unasked))

    def _unasked(self, prompt: Prompt) -> dict[str, "JsonValue"]:
        """The variables that neither the document nor the template gave: a profile or a step set them."""
        given = {**self._prompts.template.variables, **self._document.state.variables}
        request = prompt.request
        return {} if request is None else {name: each for name, each in request.variables.items() if name not in given}

    def _numbers(self, prompt: Prompt) -> tuple[int, ...] | None:
        """What the window calls each message that is sent, where some are not."""
        messages = self._document.state.conversation.messages
        numbers = tuple(place for place, each in enumerate(messages, 1) if not each.excluded)
        sent = prompt.request.messages if prompt.request else None
        return numbers if isinstance(sent, list) and len(sent) == len(numbers) else None

    def _answer(self, question: _Question, ticket: object) -> Effects | None:
        request = question.prompt.request
        if request is None:
            return None
        try:
            return self._worked_out(question, request, ticket)
        except ThinkpaneError:
            return None  # a newer prompt took its place, or the template cannot be parsed, which the prompt tells

    def _worked_out(self, question: _Question, request: "RenderRequest", ticket: object) -> Effects:
        from thinkpane.analysis.controls import variables_of
        from thinkpane.analysis.in_force import in_force
        from thinkpane.engine.template_facts import facts_from_json

        def render_many(requests: "Sequence[RenderRequest]") -> "Sequence[Rendered]":
            found = self._engine.render_many(requests, deadline=DEADLINE, owner=ticket)
            problem = next((each.problem for each in found if each.problem is not None), None)
            if problem is not None and problem.kind == "cancelled":
                raise ThinkpaneError(problem)
            return found

        template = replace(question.template, source=request.source)
        facts = facts_from_json(self._engine.about("facts", template.source, ticket))
        discovery = self._discovery(template, facts, request, render_many)
        force = in_force(discovery.template, request, render_many, numbers=question.numbers, unasked=question.unasked)
        variables = variables_of(discovery, request, render_many)
        return Effects(question.template, discovery, force, variables, question.prompt.serial, question.numbers)

    def _discovery(
        self, template: Template, facts: "TemplateFacts", request: "RenderRequest", render_many: "RenderMany"
    ) -> "Discovery":
        from thinkpane.analysis.discovery import discover, discovery_key

        key = discovery_key(template, facts, request)
        found = self._discoveries.pop(key, None) or self._with_thinking(
            discover(template, facts, render_many, request), template, render_many
        )
        if found.problem is None or found.problem.kind == "template":
            # Anything else, such as a time-out on a busy machine, may go well the next time.
            self._discoveries[key] = found
        while len(self._discoveries) > DISCOVERIES_KEPT:
            del self._discoveries[next(iter(self._discoveries))]
        return found

    def _with_thinking(self, found: "Discovery", template: Template, render_many: "RenderMany") -> "Discovery":
        """With the marks of the template's thinking, where its template.toml does not say them."""
        if template.thinking:
            return found
        tags = self.formats.of(template.source, template.variables, render_many).tags
        return replace(found, template=replace(found.template, thinking=tags)) if tags else found

    def _show_trace(self, prompt: Prompt) -> None:
        """The prompt that is shown was traced."""
        if self._effects is not None and self._effects.serial == prompt.serial:
            self._effects = self._traced(self._effects, prompt)
            self.changed.emit(self._effects)

    def _traced(self, effects: Effects, prompt: Prompt) -> Effects:
        """The effects with what the prompt's trace tells; unchanged where it is not traced."""
        request = prompt.request
        if prompt.serial != effects.serial or prompt.owners is None or request is None or prompt.stale:
            return effects
        ran = coverage(effects.discovery.facts.executable, prompt.lines)
        earlier = self._coverages.pop(request.source, Coverage())
        so_far = self._coverages[request.source] = united([earlier, ran])
        while len(self._coverages) > COVERAGES_KEPT:
            del self._coverages[next(iter(self._coverages))]
        own = {**effects.template.variables, **self._unasked(prompt)}
        lost = ignored(prompt.ignored, request, effects.numbers, own)
        return replace(effects, coverage=ran, so_far=so_far, ignored=lost)

    @Slot(object)
    def _on_newest_found(self, effects: Effects) -> None:
        self._effects = self._traced(effects, self._prompts.prompt)
        self.changed.emit(self._effects)

"""What a prompt is made of, and the request it becomes: steps first, then the runtime profile."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkpane.conversation.conversation import Conversation
from thinkpane.engine.request import RenderRequest
from thinkpane.engine.template_facts import facts_from_json
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.found_controls import with_found
from thinkpane.prompt.profiles._api import NO_FACTS, Facts, Profiled
from thinkpane.prompt.profiles._registry import profile
from thinkpane.prompt.steps import Decision, Explicit, StepsResult, apply
from thinkpane.templates.named import choose
from thinkpane.templates.template import Template


@dataclass(frozen=True, slots=True)
class PromptJob:
    """One prompt to be made.

    template_name: one of the template's named ones, "" = chosen as transformers does.
    variables: those that are set; they go over the template's own (bos_token, …).
    steps: switches and settings by step id, None = show the prompt without the steps. explicit: the window's or
    command line's choice of thinking and effort. profile: a runtime profile's name.
    carry: the steps' decision becomes template variables (the raw path); on the chat path the dialect carries it.
    add_generation_prompt, continue_final_message, now: as in RenderRequest.
    epoch: told again by the prompt, for whoever asked: prompts of another document or template can be told apart by it.
    """

    template: Template
    conversation: Conversation
    template_name: str = ""
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    steps: Mapping[str, JsonValue] | None = field(default_factory=dict)
    explicit: Explicit = field(default_factory=Explicit)
    profile: str = "transformers"
    carry: bool = True
    add_generation_prompt: bool | None = None
    continue_final_message: bool | str = False
    now: str | None = None
    epoch: int = 0


@dataclass(frozen=True, slots=True)
class Prepared:
    """A job after steps and profile.

    steps: what the steps made, which the chat path sends too. continue_final: as it was asked for; a profile may turn
    it into other things of the request.
    """

    request: RenderRequest
    steps: StepsResult
    rewrites: tuple[str, ...] = ()
    continue_final: bool | str = False

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What the steps decided, in order."""
        return self.steps.decisions


def prepare(job: PromptJob, facts: Facts = NO_FACTS) -> Prepared:
    """Runs the steps and the profile; the prompt is not rendered yet.

    facts: what profiles that look into the template ask, such as an Engine.
    Raises ThinkpaneError: kind "json" for a step's setting of the wrong shape, "profile" for an unknown profile or a
    request that the runtime refuses, "template_source" where the template has no such named one, and what asking about
    a template raises.
    """
    made = _with_steps(job, facts)
    tools = made.conversation.tools_value()
    request = RenderRequest(
        source=choose(job.template, job.template_name, tools is not None),
        messages=made.conversation.messages_value(),
        tools=tools,
        documents=made.conversation.documents_value(),
        variables={**job.template.variables, **job.variables, **made.variables},
        add_generation_prompt=job.add_generation_prompt,
        continue_final_message=job.continue_final_message,
        now=job.now,
    )
    profiled = _profiled(job.profile, request, facts)
    return Prepared(profiled.request, made, profiled.rewrites, job.continue_final_message)


def _with_steps(job: PromptJob, facts: Facts) -> StepsResult:
    """What the steps make of the conversation, and of the template's variables, where they decide anything."""
    if job.steps is None:
        return StepsResult(job.conversation)
    candidates = job.template.candidates if job.carry else None
    made = apply(job.conversation, job.steps, job.explicit, candidates, job.variables)
    if candidates != () or (made.thinking is None and made.effort is None):
        return made
    # A template without template.toml: what it takes stands in its text, and reading that costs a job.
    source = choose(job.template, job.template_name, made.conversation.tools_value() is not None)
    try:
        found = with_found(job.template, facts_from_json(facts.about("facts", source)))
    except ThinkpaneError:
        return made  # the render tells what is wrong with the template
    return apply(job.conversation, job.steps, job.explicit, found.candidates, job.variables)


def _profiled(name: str, request: RenderRequest, facts: Facts) -> Profiled:
    try:
        return profile(name).apply(request, facts)
    except ThinkpaneError as error:
        # A template that cannot be parsed tells a profile nothing; its render says why, with the request at hand.
        if error.problem.kind != "template":
            raise
        return Profiled(request)

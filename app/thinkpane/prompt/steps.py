"""What is done to a conversation before it is rendered: the GLMT steps, each with a switch and its decision in words.

A step never changes the document: it gives a new conversation and variables, and says what it did and why.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.step_table import STEPS, Step, StepField, StepSettings, step_settings
from thinkpane.prompt.thinking_variables import no_effect_sentences, thinking_variables
from thinkpane.reasoning.classifier import Classification, classify_task
from thinkpane.reasoning.control_tags import ControlTags, read_control_tags
from thinkpane.reasoning.decide import Explicit, Outcome, decide
from thinkpane.reasoning.keywords import KeywordFound, find_thinking_keyword
from thinkpane.reasoning.locale import enforce_locale
from thinkpane.templates.template import VariableCandidate

__all__ = ["STEPS", "Decision", "Explicit", "Step", "StepField", "StepsResult", "apply", "thinking_variables"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What one step decided. step: its id; text: one sentence for the window; acted: it changed something."""

    step: str
    text: str
    acted: bool = False
    detail: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepsResult:
    """What the steps made.

    conversation: to be rendered and sent. variables: those that carry the decision on the raw path; they go over the
    document's own ones. thinking, effort: the decision, for the chat path; None = nothing decided.
    decisions: one for each step that is on, then "thinking" (who won) and "variables" (what carries it).
    """

    conversation: Conversation
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    thinking: bool | None = None
    effort: str | None = None
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True)
class _Heard:
    """What the steps that are on found; None = switched off (or, for the keyword, that there is none)."""

    tags: ControlTags | None
    keyword: KeywordFound | None
    task: Classification | None


def apply(
    conversation: Conversation,
    settings: Mapping[str, JsonValue],
    explicit: Explicit | None = None,
    candidates: Sequence[VariableCandidate] | None = None,
    set_variables: Mapping[str, JsonValue] | None = None,
) -> StepsResult:
    """Runs the steps that are on.

    settings: `DocumentState.steps` (step id -> switch and fields; see `step_settings`); unknown ids are passed over.
    explicit: the window's or command line's choice, which wins over every step.
    candidates: the template's variables, None on the chat path, where no variables are made.
    set_variables: the document's own variables. One that is set is a choice in the window, so no step overrides it;
    `explicit` does. Tags and words are read from the messages as they were before the locale enforcer.
    Raises ThinkpaneError (kind "json") where a setting has the wrong shape.
    """
    kept = {step.id: step_settings(step, settings.get(step.id)) for step in STEPS}
    chosen = explicit or Explicit()
    heard = _listen(conversation.messages, kept)
    outcome = decide(chosen, heard.tags, heard.keyword, heard.task)
    made, located = _locale(conversation, kept["locale"])
    decisions = [*located, *_step_decisions(heard, outcome, kept)]
    if outcome.sentence:
        decisions.append(Decision("thinking", outcome.sentence, True, _detail(outcome)))
    variables: dict[str, JsonValue] = {}
    if candidates is not None:
        variables, said = _carry(outcome, chosen, candidates, set_variables or {})
        decisions.extend(said)
    return StepsResult(made, variables, outcome.thinking, outcome.effort, tuple(decisions))


def _listen(messages: Sequence[Message], kept: Mapping[str, StepSettings]) -> _Heard:
    keywords, classifier = kept["keywords"], kept["classifier"]
    return _Heard(
        read_control_tags(messages) if kept["thinking_tags"].on else None,
        find_thinking_keyword(
            messages, cast("dict[str, str]", keywords.values["efforts"]), keywords.values["latest_only"] is True
        )
        if keywords.on
        else None,
        classify_task(
            messages,
            cast("list[str]", classifier.values["reasoning"]),
            cast("list[str]", classifier.values["execution"]),
            classifier.values["latest_only"] is True,
        )
        if classifier.on
        else None,
    )


def _locale(conversation: Conversation, kept: StepSettings) -> tuple[Conversation, list[Decision]]:
    if not kept.on:
        return conversation, []
    if conversation.raw_text is not None:
        return conversation, [Decision("locale", "The messages are one raw text, so no instruction is put in.")]
    result = enforce_locale(conversation.messages, cast("str", kept.values["instruction"]))
    made = replace(conversation, messages=result.messages)
    return made, [Decision("locale", result.reason, result.index is not None, {"message_index": result.index})]


def _step_decisions(heard: _Heard, outcome: Outcome, kept: Mapping[str, StepSettings]) -> list[Decision]:
    found = []
    if heard.tags is not None:
        found.append(Decision("thinking_tags", _tags_sentence(heard.tags), "thinking_tags" in outcome.winners))
    if kept["keywords"].on:
        word = heard.keyword
        text = "No user message holds a thinking keyword."
        if word is not None:
            text = f"“{word.keyword}” in message {word.index + 1} asks for thinking with effort {word.effort}."
        found.append(Decision("keywords", text, "keywords" in outcome.winners))
    if heard.task is not None:
        found.append(Decision("classifier", heard.task.reason, "classifier" in outcome.winners))
    return found


def _tags_sentence(tags: ControlTags) -> str:
    said = []
    if tags.thinking:
        said.append(f"“{tags.thinking.tag}” in message {tags.thinking.index + 1} turns thinking {tags.thinking.value}")
    if tags.effort:
        said.append(
            f"“{tags.effort.tag}” in message {tags.effort.index + 1} (deprecated) asks for effort {tags.effort.value}"
        )
    if not said:
        return "No user message holds a control tag."
    beaten = ", ".join(f"“{tag.tag}” in message {tag.index + 1}" for tag in tags.overridden[:2])
    if len(tags.overridden) > 2:
        beaten = f"{len(tags.overridden)} other tags"
    return f"{' and '.join(said)}{f', over {beaten}' if beaten else ''}; tags stay in the prompt."


def _carry(
    outcome: Outcome,
    explicit: Explicit,
    candidates: Sequence[VariableCandidate],
    set_variables: Mapping[str, JsonValue],
) -> tuple[dict[str, JsonValue], list[Decision]]:
    """The variables of the decision without those a person set in the document, and what is said about both."""
    wanted = thinking_variables(candidates, outcome.thinking, outcome.effort)
    forced = thinking_variables(candidates, explicit.thinking, explicit.effort)
    carried = {name: value for name, value in wanted.items() if name in forced or name not in set_variables}
    said = [
        Decision(
            "variables", f"{name} is set by hand, and that wins over the steps.", False, {name: set_variables[name]}
        )
        for name in wanted
        if name not in carried
    ]
    if carried:
        named = " and ".join(f"{name} = {_shown(value)}" for name, value in carried.items())
        said.insert(0, Decision("variables", f"The template gets {named}.", True, dict(carried)))
    lost = no_effect_sentences(wanted, outcome.thinking, outcome.effort)
    return carried, said + [Decision("variables", text) for text in lost]


def _detail(outcome: Outcome) -> dict[str, JsonValue]:
    return {"thinking": outcome.thinking, "effort": outcome.effort}


def _shown(value: JsonValue) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)

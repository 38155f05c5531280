"""The table of steps before rendering: what the window builds its switches from, and how a document keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.reasoning.classifier import EXECUTION_KEYWORDS, REASONING_KEYWORDS
from thinkpane.reasoning.keywords import THINKING_KEYWORDS
from thinkpane.reasoning.locale import INSTRUCTION


@dataclass(frozen=True, slots=True)
class StepField:
    """One editable setting of a step.

    kind: "text"; "words", a list of words or phrases; "efforts", an object word -> effort, highest first; "switch".
    """

    name: str
    title: str
    kind: str
    default: JsonValue

    def fits(self, value: JsonValue) -> bool:
        """True when `value` has the shape of the kind."""
        if self.kind == "switch":
            return isinstance(value, bool)
        if self.kind == "words":
            return isinstance(value, list) and all(isinstance(word, str) and word.strip() for word in value)
        if self.kind == "efforts":
            return isinstance(value, dict) and all(
                word.strip() and isinstance(effort, str) and effort for word, effort in value.items()
            )
        return isinstance(value, str)


@dataclass(frozen=True, slots=True)
class Step:
    """One step: id in the document, title and summary for the window, default: whether it is on unasked."""

    id: str
    title: str
    summary: str
    default: bool = False
    fields: tuple[StepField, ...] = ()


_LATEST = StepField("latest_only", "Only the last user message", "switch", False)

STEPS: tuple[Step, ...] = (
    Step(
        "locale",
        "Locale enforcer",
        "Puts an instruction to answer in English before the system message, else before the first user message.",
        fields=(StepField("instruction", "Instruction", "text", INSTRUCTION),),
    ),
    Step(
        "thinking_tags",
        "Control tags",
        "Obeys <Thinking:On|Off> and the deprecated <Effort:Low|Medium|High> in user messages; the last one wins.",
    ),
    Step(
        "keywords",
        "Thinking keywords",
        "“ultrathink”, “think harder”, “think hard” and “think” turn thinking on, with the effort beside them.",
        fields=(StepField("efforts", "Keywords and efforts", "efforts", dict(THINKING_KEYWORDS)), _LATEST),
    ),
    Step(
        "classifier",
        "Task classifier",
        "Turns thinking off where the words ask only for execution, and on otherwise.",
        fields=(
            StepField("reasoning", "Words that ask for reasoning", "words", list(REASONING_KEYWORDS)),
            StepField("execution", "Words that ask for execution", "words", list(EXECUTION_KEYWORDS)),
            _LATEST,
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class StepSettings:
    """One step's switch and the values of all its fields, defaults filled in."""

    on: bool
    values: Mapping[str, JsonValue]


def step_settings(step: Step, kept: JsonValue) -> StepSettings:
    """Reads what a document keeps for a step: nothing (None), true or false, or {"on": bool, field: value, …}.

    Raises ThinkpaneError (kind "json", field "steps.<id>…") where a value has the wrong shape.
    """
    if kept is None or isinstance(kept, bool):
        kept = {"on": step.default if kept is None else kept}
    if not isinstance(kept, dict):
        raise _wrong(step.id, "must be true, false or an object")
    on = kept.get("on", step.default)
    if not isinstance(on, bool):
        raise _wrong(f"{step.id}.on", "must be true or false")
    values = {field.name: kept.get(field.name, field.default) for field in step.fields}
    for field in step.fields:
        if not field.fits(values[field.name]):
            raise _wrong(f"{step.id}.{field.name}", f"must be {_SHAPES[field.kind]}")
    return StepSettings(on, MappingProxyType(values))


_SHAPES = {
    "text": "text",
    "switch": "true or false",
    "words": "a list of words",
    "efforts": "an object that gives each word its effort",
}


def _wrong(name: str, what: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("json", f"The setting “steps.{name}” {what}.", field=f"steps.{name}"))

"""A chat template as a value: its text, where it came from, and what its template.toml says about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.context_length import ContextLength

JINJA, GO = "jinja", "go"


@dataclass(frozen=True, slots=True)
class TierCandidate:
    """One reasoning tier a template is said to have. What it does always comes from rendering.

    variables: what choosing it sets. label: for the button ("L3 Artemis"); short: for narrow windows ("L3").
    tag: the control tag that asks for it in a message, "" where there is none.
    """

    label: str
    short: str
    variables: Mapping[str, JsonValue]
    tag: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True)
class VariableCandidate:
    """One variable a template is said to read.

    kind: bool, choice, number, text, list or object. values: the ones worth offering, in order; of a list its entries.
    fields: of an object or a list's entries, those that are read. line: where the template first reads it, 0 = not
    known.
    """

    name: str
    kind: str = "text"
    default: JsonValue = None
    values: tuple[JsonValue, ...] = ()
    summary: str = ""
    fields: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class TagCandidate:
    """One control tag that may stand in a message.

    insert: the text put at the cursor; `…` marks where it goes. place: where in a text the template looks for it:
    "in", "starts", "ends", or "is" for the whole text. values: what may stand at `…`. any_case: upper and lower case
    are one. declared: by template.toml; others were found in the template's text. line: where the template looks for
    it first, 0 = not known.
    """

    tag: str
    insert: str
    summary: str = ""
    where: str = "any message"
    place: str = "in"
    values: tuple[str, ...] = ()
    any_case: bool = False
    declared: bool = True
    line: int = 0


@dataclass(frozen=True, slots=True)
class FoundTemplate:
    """One template text among those that a model comes with.

    place: the file or key it stands in; name: "default", "tool_use", …; syntax: see Template.
    """

    place: str
    name: str
    source: str
    syntax: str = JINJA


@dataclass(frozen=True, slots=True)
class RuntimeChoice:
    """Which of the templates found one runtime takes when there are no tools.

    taken: None where it takes none, or refuses; sentence: the rule behind it, for a person.
    """

    runtime: str
    taken: FoundTemplate | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Template:
    """One chat template.

    id: built-in id or a path; source: the Jinja text, exactly. named: other templates of the same model by name.
    variables: special tokens and defaults that come with it (bos_token, eos_token, …).
    special_tokens: known special tokens; tokens_from: where those and the variables stand, for a sentence.
    roles: special token -> role ("user", …) where its text does not say.
    messages_as_text: variables under which `messages` is one text (MemReader's document mode), None = never.
    found: every template text the source holds; choices: which one each runtime takes; notes: warnings, sentences.
    context: how many tokens the model's context holds, where the source says it that gave the template.
    tokenizer_fault: why the model's tokenizer.json could not be read, a sentence; "" = it could, or there is none.
    syntax: "jinja", or "go" for Ollama's own, which is shown and never rendered.
    """

    id: str
    source: str
    title: str = ""
    origin: str = ""
    licence: str = ""
    uncertain: tuple[str, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    special_tokens: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    thinking: tuple[str, str] | None = None
    tiers: tuple[TierCandidate, ...] = ()
    candidates: tuple[VariableCandidate, ...] = ()
    tags: tuple[TagCandidate, ...] = ()
    messages_as_text: Mapping[str, JsonValue] | None = None
    built_in: bool = False
    found: tuple[FoundTemplate, ...] = ()
    choices: tuple[RuntimeChoice, ...] = ()
    notes: tuple[str, ...] = ()
    syntax: str = JINJA
    tokens_from: str = ""
    context: ContextLength | None = None
    tokenizer_fault: str = ""

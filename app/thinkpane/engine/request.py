"""What the engine is asked and what it answers, as values that cross the process boundary as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.tokens.changes import Change


@dataclass(frozen=True, slots=True)
class Ends:
    """What becomes of a rendered text's two ends; every runtime but transformers has a use for some of it.

    cut_start, cut_end: taken away where the text starts or ends with them, "" = nothing (llama.cpp adds BOS itself).
    suffix: put after the text: a reply that is to be continued, where the template does not render it. In pieces, each
    with where it came from in the messages ("messages[1].content"), "" = from nowhere.
    """

    cut_start: str = ""
    cut_end: str = ""
    suffix: tuple[tuple[str, str], ...] = ()

    @property
    def suffix_text(self) -> str:
        """The suffix as one text."""
        return "".join(text for text, _ in self.suffix)

    def as_json(self) -> JsonObject:
        """The ends as one JSON object."""
        pieces: list[JsonValue] = [[text, path] for text, path in self.suffix]
        return {"cut_start": self.cut_start, "cut_end": self.cut_end, "suffix": pieces}

    @classmethod
    def from_json(cls, found: JsonObject) -> "Ends":
        """The ends that `as_json` made `found` of."""
        pieces = cast("list[tuple[str, str]]", found["suffix"])
        return cls(str(found["cut_start"]), str(found["cut_end"]), tuple((text, path) for text, path in pieces))


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """One render.

    source: the template's text. messages, tools, documents: as the template gets them.
    variables: every template variable, bos_token and eos_token too.
    add_generation_prompt: None = true, unless a final message is continued (docs/architecture.md, Exact terms).
    continue_final_message: False, True (the content) or the name of a field of the last message.
    normalise: what transformers' apply_chat_template does to messages first (None-valued keys dropped, reasoning
    aliases); False for the profile "plain".
    now: ISO time for strftime_now, None = the clock.
    left_out: names among tools, documents and add_generation_prompt that the template gets no value for at all while
    there is none (None, false, an empty list); templates can tell the two apart.
    ends: what a runtime does to the rendered text.
    """

    source: str
    messages: JsonValue
    tools: list[JsonValue] | None = None
    documents: list[JsonValue] | None = None
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    add_generation_prompt: bool | None = None
    continue_final_message: bool | str = False
    normalise: bool = True
    now: str | None = None
    left_out: tuple[str, ...] = ()
    ends: Ends = Ends()

    def as_json(self) -> JsonObject:
        """The request as one JSON object."""
        return {
            "source": self.source,
            "messages": self.messages,
            "tools": self.tools,
            "documents": self.documents,
            "variables": dict(self.variables),
            "add_generation_prompt": self.add_generation_prompt,
            "continue_final_message": self.continue_final_message,
            "normalise": self.normalise,
            "now": self.now,
            "left_out": list(self.left_out),
            "ends": self.ends.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a render gave: text, or a problem. milliseconds: the render alone, compiling aside.

    earlier, change: the text that the same worker gave before, and what differs; None where that is not known.
    """

    text: str | None
    problem: Problem | None = None
    milliseconds: float = 0.0
    earlier: str = field(default="", compare=False, repr=False)
    change: Change | None = field(default=None, compare=False, repr=False)

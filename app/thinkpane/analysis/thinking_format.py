"""How a template writes thinking, found by rendering probes and comparing; and whether a prompt ends inside a block."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from thinkpane.analysis import thinking_probes as probes
from thinkpane.analysis.rendering import Analysis, Answered, RenderMany, analyse
from thinkpane.analysis.thinking_marks import (
    USUAL_TAGS,
    beyond,
    closing_mark,
    empty_pair,
    is_open_at_end,
    opening_mark,
    told_pair,
)
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.template import Template

__all__ = ["USUAL_TAGS", "ThinkingEnd", "ThinkingFormat", "opens_thinking", "thinking_format", "thinking_tags"]

History: TypeAlias = Literal["kept", "tool turns", "last turn", "dropped", "unread"]
"""What becomes of earlier thinking: kept in every turn; kept in earlier turns that call tools; kept only after the last
user message; cut out of the content; or no field of it is read, and what stands in the content stays there."""


@dataclass(frozen=True, slots=True)
class ThinkingFormat:
    """How a template writes thinking, for the variables of the request that it was found for.

    open, close: the marks without the blanks around them, None where rendering shows none.
    opened_by_prompt: the generation prompt leaves a block open.
    fields: which fields of an assistant's message it reads thinking from, `PART` for a part of the content.
    """

    open: str | None = None
    close: str | None = None
    opened_by_prompt: bool = False
    history: History = "unread"
    fields: tuple[str, ...] = ()

    @property
    def tags(self) -> tuple[str, str] | None:
        """Both marks, None unless both are known."""
        return (self.open, self.close) if self.open and self.close else None

    def as_json(self) -> JsonObject:
        """The object `thinking` of docs/cli.md's `controls`, with what is known besides."""
        return {
            "open": self.open,
            "close": self.close,
            "opened_by_prompt": self.opened_by_prompt,
            "history": self.history,
            "fields": list(self.fields),
        }


def thinking_format(render_many: RenderMany, request: RenderRequest) -> ThinkingFormat:
    """The thinking format of the request's template; see `thinking_format_analysis`."""
    return analyse(render_many, thinking_format_analysis(request))


_NONE: Mapping[str, JsonValue] = {}
_WAYS: Mapping[str, Mapping[str, JsonValue]] = {
    "given": _NONE,
    "on": probes.SWITCHED_ON,
    "off": probes.SWITCHED_OFF,
}
_NEW = {"newest": probes.newest, "calling": probes.calling, "citing": probes.citing}
_OLD = {"older": probes.older, "called": probes.called, "cited": probes.cited}
_PLACES = {**_NEW, **_OLD}
_FIELDS = (*probes.FIELDS, probes.PART)


def thinking_format_analysis(request: RenderRequest) -> Analysis[ThinkingFormat]:
    """Finds the format in one batch of renders.

    request: its template and variables count, its messages do not. A template that fails on a probe only shows less.
    """
    pairs = [pair for pair in USUAL_TAGS if pair[1] in request.source]
    answered = yield dict(_asked(request, pairs))
    return _Probed(answered, pairs).format()


def _asked(request: RenderRequest, pairs: list[tuple[str, str]]) -> Iterator[tuple[tuple[str, ...], RenderRequest]]:
    for way, variables in _WAYS.items():
        yield ("generate", way), probes.question(request, variables)
        for place, make in _PLACES.items():
            for field in ("", *_FIELDS):
                if way != "off" or not field:
                    yield (place, way, field), make(request, probes.reply(field), variables)
    for pair in pairs:
        yield ("inline", *pair), probes.older(request, probes.reply(probes.INLINE, pair), _NONE)


class _Probed:
    """The rendered probes, and what they say."""

    def __init__(self, answered: Answered, pairs: list[tuple[str, str]]) -> None:
        self._texts = {label: each.text for label, each in answered.items() if each.text is not None}
        self._pairs = pairs

    def format(self) -> ThinkingFormat:
        # A template whose thinking is off unless asked for shows its format only where it is on.
        way = next((each for each in ("given", "on") if self._fields(each)), "given")
        opening, closing = (
            self._written(way) or self._cut_out() or self._prompted() or self._empty() or self._told() or ("", "")
        )
        return ThinkingFormat(
            open=opening or None,
            close=closing or None,
            opened_by_prompt=is_open_at_end(self._tail("given"), opening, closing),
            history=self._history(way),
            fields=self._fields(way),
        )

    def _fields(self, way: str) -> tuple[str, ...]:
        return tuple(field for field in _FIELDS if any(self._shows(place, way, field) for place in _PLACES))

    def _shows(self, place: str, way: str, field: str) -> bool:
        before, found, after = self._texts.get((place, way, field), "").partition(probes.REASONING)
        # A part between quotation marks was printed as the value it is: such a template does not know its type.
        return bool(found) and not (after[:1] in ("'", '"') and before[-1:] == after[:1])

    def _history(self, way: str) -> History:
        if any(self._shows("older", way, field) for field in _FIELDS):
            return "kept"
        if any(self._shows(place, way, field) for place in _OLD for field in _FIELDS):
            return "tool turns"
        if self._fields(way):
            return "last turn"
        return "dropped" if self._cut_out() else "unread"

    def _written(self, way: str) -> tuple[str, str] | None:
        """The marks around reasoning that a template writes from a field: the first place and field that show it."""
        for place in _PLACES:
            for field in _FIELDS:
                if self._shows(place, way, field):
                    before, _, after = self._texts[place, way, field].partition(probes.REASONING)
                    before = _since(before, probes.QUESTION)
                    closing = closing_mark(_until(after, probes.ANSWER, probes.RESULT, probes.LATER), before)
                    return opening_mark(before, self._headers(), closing) or self._prompt_only(way), closing
        return None

    def _prompt_only(self, way: str) -> str:
        """What a generation prompt has beyond the start of a reply, for templates that write it nowhere else."""
        reply = self._texts.get(("newest", way, ""), "").partition(probes.ANSWER)[0]
        return beyond(self._tail(way), _since(reply, probes.QUESTION)) if reply else ""

    def _headers(self) -> list[str]:
        """What stands between question and answer without reasoning, and generation prompts."""
        replies = [self._texts.get((place, way, ""), "") for place in ("newest", "older") for way in _WAYS]
        found = [_since(text.partition(probes.ANSWER)[0], probes.QUESTION) for text in replies if probes.ANSWER in text]
        return [*(self._tail(way) for way in _WAYS if ("generate", way) in self._texts), *found]

    def _cut_out(self) -> tuple[str, str] | None:
        """The marks by which thinking is cut out of earlier content."""
        for pair in self._pairs:
            text = self._texts.get(("inline", *pair), "")
            if probes.ANSWER in text and probes.REASONING not in text:
                return pair
        return None

    def _prompted(self) -> tuple[str, str] | None:
        """The marks that a generation prompt ends with."""
        tails = [self._tail(way) for way in _WAYS]
        return next((pair for pair in USUAL_TAGS if any(tail.rstrip().endswith(pair) for tail in tails)), None)

    def _empty(self) -> tuple[str, str] | None:
        """The marks of an empty block in a reply that has no thinking."""
        text = self._texts.get(("newest", "given", ""), "").partition(probes.ANSWER)[0]
        return empty_pair(_since(text, probes.QUESTION))

    def _told(self) -> tuple[str, str] | None:
        """The marks that the prompt tells the model to use."""
        return told_pair([self._texts.get(("generate", way), "") for way in _WAYS])

    def _tail(self, way: str) -> str:
        return _since(self._texts.get(("generate", way), ""), probes.QUESTION)


def _since(text: str, word: str) -> str:
    return text.rpartition(word)[2]


def _until(text: str, *words: str) -> str:
    return text[: min((at for word in words if (at := text.find(word)) >= 0), default=len(text))]


# A turn that starts after the opening mark shows that the mark was somebody's text, not the reply's start.
_NEAR = 4_096
_TURN = re.compile(r"<\|[^|<>\n]{1,40}\|>|</?s>|\[/?INST\]|<(?:start|end)_of_turn>")


@dataclass(frozen=True, slots=True)
class ThinkingEnd:
    """How a prompt ends.

    open: inside a thinking block. closed_empty: right after an empty one, which is how templates turn thinking off.
    tag, close: the marks concerned, None where the prompt ends with neither.
    """

    open: bool = False
    tag: str | None = None
    close: str | None = None
    closed_empty: bool = False


def thinking_tags(template: Template | None) -> tuple[tuple[str, str], ...]:
    """The marks to look for: the template's own, else those of `USUAL_TAGS` that its text holds, else all of them."""
    if template is None:
        return USUAL_TAGS
    if template.thinking is not None:
        return (template.thinking,)
    return tuple(pair for pair in USUAL_TAGS if pair[0] in template.source or pair[1] in template.source) or USUAL_TAGS


def _end(text: str, end: int) -> int:
    """Where text[:end] ends without the blanks at its end; no copy is made of megabytes."""
    while end > 0 and text[end - 1].isspace():
        end -= 1
    return end


def _last_turn(text: str) -> int:
    """Where a mark of a turn begins near the end of what may be megabytes, the last one there; -1 where none is."""
    near = [each.start() for each in _TURN.finditer(text, max(0, len(text) - _NEAR))]
    return near[-1] if near else -1


def opens_thinking(prompt_text: str, template: Template | None = None) -> ThinkingEnd:
    """Reads the end of a prompt.

    Inside a block: the last opening mark has no closing mark and no turn mark after it; text may follow it (a reply
    that is continued in its thinking). So a mark that a person quotes in an earlier message opens nothing.
    """
    end, turn = _end(prompt_text, len(prompt_text)), _last_turn(prompt_text)
    for opening, closing in thinking_tags(template):
        if prompt_text.endswith(closing, 0, end) and prompt_text.endswith(
            opening, 0, _end(prompt_text, end - len(closing))
        ):
            return ThinkingEnd(False, opening, closing, closed_empty=True)
        # One that ends before that turn begins is followed by it.
        at = prompt_text.rfind(opening, max(0, turn - len(opening) + 1))
        if at < 0:
            continue
        rest = at + len(opening)
        if prompt_text.rfind(closing, rest) < 0 and not _TURN.search(prompt_text, rest):
            return ThinkingEnd(True, opening, closing)
    return ThinkingEnd()

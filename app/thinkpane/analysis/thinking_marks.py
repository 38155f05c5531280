"""Reads the marks of thinking out of rendered texts, from what stands around the probes' unlikely words."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

USUAL_TAGS: tuple[tuple[str, str], ...] = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<reasoning>", "</reasoning>"),
    ("<|channel>thought", "<channel|>"),
    ("Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]"),
)
"""Opening and closing marks of thinking that templates use: Qwen, DeepSeek and GLM; older tunes; Cohere; Magistral;
Seed-OSS; Granite-like tunes; Gemma 4; Apriel. Used where rendering does not show a template's own."""

_TOKEN = re.compile(r"<[^<>\n]{1,60}>|\[[^\[\]\n]{1,60}\]|[◁{][^◁▷{}\n]{1,60}[▷}]|\][^\[\]\n]{1,20}\[")
_NAMED = re.compile(rf"\w+(?:{_TOKEN.pattern})")
_ENDS = re.compile(r"\W*(?:/|end_)|.*[:_]end\W*$", re.IGNORECASE)
_BRACKETS = "<[◁{]"
_LONGEST = 80  # characters of a mark that is not in brackets; anything longer is somebody's prose


def opening_mark(before: str, others: Iterable[str], closing: str) -> str:
    """The mark at the end of `before`, the text from the question to the reasoning; "" where there is none.

    A token that the closing mark pairs with is it. Else what `before` has beyond one of `others`, which is what stands
    in that place without reasoning (the header of a reply, a generation prompt): the shortest that starts with a
    bracket, or the longest of those that do not.
    """
    tokens = list(_TOKEN.finditer(before.rstrip()))
    if tokens and tokens[-1].end() == len(before.rstrip()) and is_pair(tokens[-1].group(), closing):
        return tokens[-1].group()
    more = [(at, found) for each in others if (found := before[(at := _common(before, each)) :].strip())]
    short = [(at, found) for at, found in more if len(found) <= _LONGEST]
    bracketed = [found for _, found in short if found[0] in _BRACKETS]
    if bracketed or not short:
        return min(bracketed, key=len, default="")
    at, found = max(short, key=lambda each: len(each[1]))
    return _leading_token(before[:at], found, closing) + found


def closing_mark(after: str, before: str) -> str:
    """The mark at the start of `after`, the text from the reasoning to the answer; "" where there is none.

    before: what stands before the reasoning; a name between two tokens belongs to the mark where it stands there too
    (Kimi K3's <|close|>think<|sep|>).
    """
    text = after.strip()
    token = _TOKEN.match(text)
    if token:
        named = _NAMED.match(text, token.end())
        return text[: named.end()] if named and before.rstrip().endswith(named.group()) else token.group()
    line = text.partition("\n")[0].strip()
    return line if len(line) <= _LONGEST else ""


def empty_pair(text: str) -> tuple[str, str] | None:
    """The first two tokens of one name with nothing between them: what templates write where there is no thinking."""
    tokens = list(_TOKEN.finditer(text))
    for one, two in pairwise(tokens):
        if not text[one.end() : two.start()].strip() and is_pair(one.group(), two.group()):
            return one.group(), two.group()
    return None


def beyond(text: str, other: str) -> str:
    """What `text` goes on with after the beginning it shares with `other`, up to a whole token; no blanks around."""
    return text[_common(text, other) :].strip()


def is_pair(opening: str, closing: str) -> bool:
    """Whether the second closes what the first opens: <a> and </a>, <START_A> and <END_A>, <a:start> and <a:end>."""
    same = bool(opening) and _name(opening) == _name(closing)
    return same and not _ENDS.match(opening) and bool(_ENDS.match(closing))


def told_pair(texts: Sequence[str], pairs: Iterable[tuple[str, str]] = USUAL_TAGS) -> tuple[str, str] | None:
    """The first of `pairs` of which a text holds both marks: instructions that tell a model how to think."""
    return next((pair for pair in pairs for text in texts if pair[0] in text and pair[1] in text), None)


def is_open_at_end(tail: str, opening: str, closing: str) -> bool:
    """Whether a prompt's tail leaves a block open: the last opening mark has no closing one after it."""
    at = tail.rfind(opening) if opening else -1
    return at >= 0 and not (closing and closing in tail[at + len(opening) :])


def _common(text: str, other: str) -> int:
    """How many characters of `text` are those of `other`, up to a whole token."""
    size = next((at for at, (one, two) in enumerate(zip(text, other, strict=False)) if one != two), None)
    size = min(len(text), len(other)) if size is None else size
    inside = next((token for token in _TOKEN.finditer(text) if token.start() < size < token.end()), None)
    return inside.start() if inside else size


def _leading_token(text: str, rest: str, closing: str) -> str:
    """The token that `text` ends with, where `rest` is the name it starts and the closing mark is built alike."""
    tokens = list(_TOKEN.finditer(text))
    alike = closing.endswith(rest) and closing != rest
    return tokens[-1].group() if alike and tokens and tokens[-1].end() == len(text) else ""


def _name(mark: str) -> str:
    return re.sub(r"^(start|begin|end)_|[:_](start|begin|end)$", "", re.sub(r"[^\w:]", "", mark).lower())

"""Splits text with think tags into thinking and answer while it streams, never showing half a tag.

Newlines at the rim of a block (after its opening tag, before and after its closing one) are separators and dropped.
"""

import re
from typing import Literal, NamedTuple

from thinkpane.streaming.code_spans import CodeSpans
from thinkpane.streaming.tags import DEFAULT_TAGS, Marks

_NEWLINES = "\r\n"
_PATIENCE = 4096  # characters of blank text that may wait for what follows: a reply of blanks alone must show too
_BEFORE_A_MENTION = " \t\"'“‘(«„"


class Piece(NamedTuple):
    """One thing the splitter found.

    what: "thinking" and "answer" bring text; "opened" and "closed" a tag ("" where the prompt or a reasoning field did
    it); "reread": a closing tag without an opening one, so that the answer so far was thinking; "dropped": such a tag
    before any answer; "stray": a tag that stands outside code in the answer and does not count.
    """

    what: Literal["thinking", "answer", "opened", "closed", "reread", "dropped", "stray"]
    text: str


class ThinkSplitter:
    """Reads one reply's text.

    mode "leading": a block counts only while the answer is still blank; "anywhere": also later, outside code.
    A closing tag between backticks inside thinking is talk about the tag. A closing tag that nothing opened, outside
    code and not in the middle of a sentence, says that all text before it was thinking: templates that end the prompt
    in an opening tag, and servers that drop it, send just that.
    """

    def __init__(
        self,
        tags: tuple[tuple[str, str], ...] | None = None,
        mode: Literal["leading", "anywhere"] = "leading",
        *,
        prompt_opens_thinking: bool = False,
    ) -> None:
        """tags: pairs (open, close), None = DEFAULT_TAGS. prompt_opens_thinking: the text starts inside a block."""
        pairs = DEFAULT_TAGS if tags is None else tags
        self._closer = dict(pairs)
        self._opens = Marks(tuple(self._closer))
        self._closes = Marks(tuple(dict.fromkeys(self._closer.values())))
        self._both = Marks(self._opens.all + self._closes.all)
        self._telling = re.compile(f"[`~\\n{re.escape(self._both.firsts)}]")
        self._ends = self._closes
        self._anywhere = mode == "anywhere"
        self._code = CodeSpans()
        self._held = ""
        self._state: Literal["blank", "answer", "thinking"] = "thinking" if prompt_opens_thinking else "blank"
        self._seeded = prompt_opens_thinking
        self._at_rim = True
        self._last = ""
        self._answered = ""
        self._had_thinking = prompt_opens_thinking
        self._talked_of: set[str] = set()
        self._drop_newlines = False

    @property
    def is_thinking(self) -> bool:
        """True while a block is open."""
        return self._state == "thinking"

    def feed(self, text: str) -> list[Piece]:
        """What `text` makes certain."""
        return self._run(text, final=False)

    def close(self) -> list[Piece]:
        """What was held back; an open block stays open (`is_thinking`)."""
        return self._run("", final=True)

    def passes(self, text: str) -> bool:
        """True where `text`, never empty, is answer and nothing else; it needs no `feed` then, as most pieces."""
        if self._state != "answer" or self._held or self._telling.search(text):
            return False
        self._code.advance(text)
        self._answered = text[-1]
        return True

    def cancel_seed(self) -> list[Piece]:
        """A reasoning field arrived: the server splits by itself, so the prompt's open block is not in this text."""
        self._had_thinking = True
        if not (self._seeded and self._state == "thinking"):
            return []
        found = [] if self._at_rim else [Piece("thinking", self._held), Piece("closed", "")]
        if not self._at_rim:
            self._held = ""
        self._state, self._seeded = "blank", False
        return found

    def _run(self, text: str, *, final: bool) -> list[Piece]:
        self._held += text
        found: list[Piece] = []
        steps = {"blank": self._in_blank, "answer": self._in_answer, "thinking": self._in_thinking}
        while self._held and steps[self._state](found, final):
            pass
        return found

    # Each step takes from `_held` what is certain and says whether another step may follow.

    def _in_blank(self, found: list[Piece], final: bool) -> bool:
        body = self._held.lstrip()
        opening = self._opens.at_start(body)
        if opening:
            blank = self._held[: -len(body)]
            if self._answered and not self._drop_newlines:
                self._code.advance(blank)
                self._say(found, blank)
            self._open(found, opening, body[len(opening) :])
            return True
        closing = "" if self._answered else self._closes.at_start(body)
        if closing:
            self._held = body[len(closing) :]
            self._drop_newlines = True
            found.append(Piece("dropped", closing))
            return True
        if not final and len(self._held) < _PATIENCE and (not body or self._both.may_become(body)):
            return False
        if self._drop_newlines:
            self._held = self._held.lstrip(_NEWLINES)
        self._state = "answer"
        return True

    def _in_thinking(self, found: list[Piece], final: bool) -> bool:
        if self._at_rim and not self._past_rim(found, final):
            return False
        text = self._held
        start, end = self._closing_tag(text, final)
        if start >= 0:
            self._think(found, text[:start].rstrip(_NEWLINES))
            found.append(Piece("closed", text[start:end]))
            self._held = text[end:]
            self._state, self._seeded = "blank", False
            self._drop_newlines = not self._answered or self._answered in _NEWLINES
            return True
        keep = len(text) if final else min(self._ends.held_from(text), end)
        keep = keep if final else max(len(text[:keep].rstrip(_NEWLINES)), keep - _PATIENCE)
        self._think(found, text[:keep])
        self._held = text[keep:]
        return False

    def _past_rim(self, found: list[Piece], final: bool) -> bool:
        """Drops the newlines at a block's start, and an opening tag that repeats what the prompt had opened."""
        text = self._held.lstrip(_NEWLINES)
        if self._seeded:
            body = text.lstrip()
            opening = self._opens.at_start(body)
            if opening:
                text = body[len(opening) :].lstrip(_NEWLINES)
                self._ends, self._seeded = Marks((self._closer[opening],)), False
                found.append(Piece("opened", opening))
            elif not final and (not body or self._opens.may_become(body)):
                return False
        self._held = text
        if text:
            self._at_rim = False
        return bool(text)

    def _closing_tag(self, text: str, final: bool) -> tuple[int, int]:
        """Start and end of the tag that closes; (-1, n) where there is none and text from n on must wait."""
        for tag in self._ends.pattern.finditer(text):
            before = text[tag.start() - 1] if tag.start() else self._last
            if before != "`":
                return tag.span()
            if tag.end() == len(text) and not final:
                return -1, tag.start()
            if text[tag.end() : tag.end() + 1] != "`":
                return tag.span()
        return -1, len(text)

    def _in_answer(self, found: list[Piece], final: bool) -> bool:
        text = self._held
        seen = 0
        for tag in self._both.pattern.finditer(text):
            self._code.advance(text[seen : tag.start()])
            seen = tag.start()
            if self._code.inside:
                continue
            verdict = self._verdict(text, tag.group(), tag.start(), final)
            if verdict == "stray":
                self._talk_of(found, tag.group())
                continue
            self._say(found, text[:seen])
            self._held = text[seen:]
            if verdict == "wait":
                return False
            rest = text[tag.end() :]
            if verdict == "open":
                self._open(found, tag.group(), rest)
            else:
                self._reread(found, tag.group(), rest)
            return True
        keep = len(text) if final else max(seen, self._both.held_from(text))
        self._code.advance(text[seen:keep])
        self._say(found, text[:keep])
        self._held = text[keep:]
        return False

    def _verdict(self, text: str, tag: str, start: int, final: bool) -> Literal["open", "reread", "stray", "wait"]:
        if tag in self._closer:
            return "open" if self._anywhere else "stray"
        if self._had_thinking or tag in self._talked_of:
            return "stray"
        before = text[start - 1] if start else self._answered
        if before not in _BEFORE_A_MENTION:
            return "reread"
        after = text[start + len(tag) :].lstrip(" \t")
        if not after:
            return "reread" if final or len(text) > _PATIENCE else "wait"
        return "reread" if after[0] in _NEWLINES else "stray"

    def _talk_of(self, found: list[Piece], tag: str) -> None:
        self._talked_of.add(self._closer.get(tag, tag))
        found.append(Piece("stray", tag))

    def _open(self, found: list[Piece], tag: str, rest: str) -> None:
        found.append(Piece("opened", tag))
        self._ends = Marks((self._closer[tag],))
        self._state, self._at_rim, self._last = "thinking", True, ""
        self._had_thinking = True
        self._held = rest

    def _reread(self, found: list[Piece], tag: str, rest: str) -> None:
        found.append(Piece("reread", tag))
        self._state, self._had_thinking, self._drop_newlines = "blank", True, True
        self._answered = ""
        self._code = CodeSpans()
        self._held = rest

    def _think(self, found: list[Piece], text: str) -> None:
        if text:
            self._last = text[-1]
            found.append(Piece("thinking", text))

    def _say(self, found: list[Piece], text: str) -> None:
        if text:
            self._answered = text[-1]
            found.append(Piece("answer", text))

"""Reads gpt-oss channel tokens in text: which channel says what, never showing a token or half of one.

A message is `<|start|>role<|channel|>name to=recipient <|constrain|>type<|message|>body<|end|>`; the prompt has
usually said the start already. Source of the form: the harmony response format as OpenAI documents it.
"""

import re
from typing import Literal, NamedTuple

from thinkpane.streaming.tags import Marks

_TOKENS = Marks(tuple(f"<|{name}|>" for name in ("start", "channel", "constrain", "message", "end", "return", "call")))
_HEADER = ("<|start|>", "<|channel|>", "<|constrain|>")
_CHANNEL = re.compile(r"<\|channel\|>\s*([A-Za-z]+)")
_RECIPIENT = re.compile(r"\bto=([^\s<]+)")


class ChannelPiece(NamedTuple):
    """One thing the reader found: text of a channel, or the start of a message.

    what: "started" begins a message (text "" then); "thinking", "answer" and "arguments" bring its text.
    recipient: the function a message calls, "" where it calls none.
    """

    what: Literal["started", "thinking", "answer", "arguments"]
    text: str = ""
    recipient: str = ""


class HarmonyReader:
    """Reads one reply's text. Text before the first token is an answer: the server had parsed it already."""

    def __init__(self, *, in_analysis: bool = False) -> None:
        """in_analysis: the prompt ended inside a message of the analysis channel."""
        self._held = ""
        self._header: str | None = None
        self._what: Literal["thinking", "answer", "arguments"] = "thinking" if in_analysis else "answer"
        self._recipient = ""

    @property
    def is_thinking(self) -> bool:
        """True inside a message of the analysis channel."""
        return self._header is None and self._what == "thinking"

    def feed(self, text: str) -> list[ChannelPiece]:
        """What `text` makes certain."""
        text = self._held + text
        found: list[ChannelPiece] = []
        seen = 0
        for token in _TOKENS.pattern.finditer(text):
            self._take(found, text[seen : token.start()])
            self._turn(found, token.group())
            seen = token.end()
        keep = max(seen, _TOKENS.held_from(text))
        self._take(found, text[seen:keep])
        self._held = text[keep:]
        return found

    def close(self) -> list[ChannelPiece]:
        """What was held back. A header whose message never began is nobody's text; words without one are answer."""
        found: list[ChannelPiece] = []
        self._take(found, self._held)
        self._held = ""
        words = (self._header or "").partition("<|")[0]
        if words.strip():
            found.append(ChannelPiece("answer", words))
        return found

    def _take(self, found: list[ChannelPiece], text: str) -> None:
        if self._header is not None:
            self._header += text
        elif text:
            found.append(ChannelPiece(self._what, text, self._recipient))

    def _turn(self, found: list[ChannelPiece], token: str) -> None:
        if token in _HEADER:
            self._header = (self._header or "") + token
        elif token == "<|message|>":
            self._begin(found, self._header or "")
        else:
            self._header = ""

    def _begin(self, found: list[ChannelPiece], header: str) -> None:
        channel = _CHANNEL.search(header)
        name = channel.group(1) if channel else "final"
        recipient = _RECIPIENT.search(header)
        self._recipient = recipient.group(1).removeprefix("functions.") if recipient else ""
        if self._recipient and self._recipient != "user":
            self._what = "arguments"
        else:
            self._recipient = ""
            self._what = "thinking" if name == "analysis" else "answer"
        self._header = None
        found.append(ChannelPiece("started", "", self._recipient))

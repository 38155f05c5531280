"""Cuts Jinja source into tokens for an editor: without Jinja, without running anything, without a fault for any text.

What a token is follows Jinja's lexer (3.1), with two mercies for a text that is being typed: a tag that nothing closes
ends where the next `{%` or `{#` begins, and brackets that do not match swallow nothing but the tag they stand in.
A text may be cut line by line: `scan` takes up where the state of the line before left off.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal[
    "data", "raw", "comment", "begin", "end", "word", "number", "string", "operator", "open", "close", "odd"
]
"""data: text that is printed; raw: the same inside a raw block; begin, end: a tag's delimiters with their signs;
open, close: brackets; odd: a character that means nothing there. Whitespace inside tags is no token."""

Mode: TypeAlias = Literal["data", "statement", "output", "comment", "raw"]
_MODES: tuple[Mode, ...] = ("data", "statement", "output", "comment", "raw")
_QUOTES = ("", "'", '"')
_FIRST = ("", "raw", "other")
_DEEPEST = 2**20


class Token(NamedTuple):
    """One token. start, end: code points of the text that was scanned."""

    kind: Kind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class State:
    """Where a scan stopped. mode: in what; quote: the string literal that is open; braces: open ones in the tag.

    first: what the statement began with: "" nothing yet, "raw" that word alone, "other".
    """

    mode: Mode = "data"
    quote: str = ""
    braces: int = 0
    first: str = ""

    def number(self) -> int:
        """The state as a number of 0 or more, for highlighters that keep one a line."""
        packed = _MODES.index(self.mode) + 8 * _QUOTES.index(self.quote) + 32 * _FIRST.index(self.first)
        return packed + 128 * min(self.braces, _DEEPEST)


START = State()


def state_of(number: int) -> State:
    """The state that `State.number` gave; for a negative number the start."""
    if number < 0:
        return START
    braces, packed = divmod(number, 128)
    return State(_MODES[packed % 8], _QUOTES[packed // 8 % 4], braces, _FIRST[packed // 32])


_BEGIN = re.compile(r"\{([%{#])[-+]?")
_AFTER_BEGIN: dict[str, Mode] = {"%": "statement", "{": "output", "#": "comment"}
_COMMENT_END = re.compile(r"[-+]?#\}")
_RAW_END = re.compile(r"\{%[-+]?(?=[ \t]*endraw[ \t]*[-+]?%\})")
_REST_OF_STRING = {quote: re.compile(rf"[^{quote}\\]*(?:\\.?[^{quote}\\]*)*({quote}?)", re.DOTALL) for quote in "'\""}
_INSIDE = {
    mode: re.compile(
        rf"(?P<space>\s+)|(?P<end>{end})|(?P<restart>\{{[%#])|(?P<string>['\"])|(?P<word>[^\W\d]\w*)"
        r"|(?P<number>0[xXoObB]\w+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d[\d_]*)?)"
        r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<operator>//|\*\*|==|!=|<=|>=|[-+/*%~<>=.:|,;])|(?P<odd>.)",
        re.DOTALL,
    )
    for mode, end in (("statement", r"[-+]?%\}"), ("output", r"-?\}\}"))
}


def scan(text: str, state: State = START) -> tuple[list[Token], State]:
    """The tokens of `text`, in order and none overlapping, and the state at its end. Takes time in proportion to it."""
    found: list[Token] = []
    at = 0
    while at < len(text):
        if state.mode in ("data", "raw"):
            at, state = _text(text, at, state, found)
        elif state.mode == "comment":
            at, state = _comment(text, at, at, found)
        else:
            at, state = _inside(text, at, state, found)
    return found, state


def line_starts(text: str) -> list[int]:
    """Where each line begins as Jinja counts them: CR, LF and CRLF all end one. The first begins at 0."""
    return [0, *(each.end() for each in _LINE_END.finditer(text))]


_LINE_END = re.compile(r"\r\n|\r|\n")


def _text(text: str, at: int, state: State, found: list[Token]) -> tuple[int, State]:
    """Text up to the next tag; in a raw block only `endraw` is one."""
    is_raw = state.mode == "raw"
    tag = (_RAW_END if is_raw else _BEGIN).search(text, at)
    stop = tag.start() if tag else len(text)
    if stop > at:
        found.append(Token("raw" if is_raw else "data", at, stop))
    if tag is None:
        return stop, state
    mode: Mode = "statement" if is_raw else _AFTER_BEGIN[tag[1]]
    if mode == "comment":
        return _comment(text, tag.start(), tag.end(), found)
    found.append(Token("begin", tag.start(), tag.end()))
    return tag.end(), State(mode)


def _comment(text: str, start: int, at: int, found: list[Token]) -> tuple[int, State]:
    end = _COMMENT_END.search(text, at)
    stop = end.end() if end else len(text)
    found.append(Token("comment", start, stop))
    return stop, START if end else State("comment")


def _inside(text: str, at: int, state: State, found: list[Token]) -> tuple[int, State]:
    """The tokens of a tag from `at` on, up to its end, the end of the text, or where another tag begins."""
    if state.quote:
        at, state = _string(text, at, at, state, found)
    pattern = _INSIDE[state.mode]
    while at < len(text):
        match = pattern.match(text, at)
        kind = match.lastgroup if match else None
        if match is None or kind is None:
            raise AssertionError("the last alternative takes any character")
        if kind == "end" and state.mode == "output" and state.braces:
            # Two braces that close dictionaries: the first is read alone, a minus before them too.
            kind, stop = ("operator", at + 1) if text[at] == "-" else ("close", at + 1)
        else:
            stop = match.end()
        if kind == "restart":
            return at, START
        if kind == "string":
            at, state = _string(text, at, at + 1, _after_word(state, "other"), found)
            continue
        if kind != "space":
            found.append(Token(kind, at, stop))  # type: ignore[arg-type]  # the group's names are the kinds
        if kind == "end":
            return stop, State("raw") if state.first == "raw" else START
        state = _after(state, kind, text[at:stop])
        at = stop
    return at, state


def _after(state: State, kind: str, text: str) -> State:
    if kind == "space":
        return state
    state = _after_word(state, text if kind == "word" else "other")
    if text == "{":
        return State(state.mode, "", state.braces + 1, state.first)
    if text == "}":
        return State(state.mode, "", max(0, state.braces - 1), state.first)
    return state


def _after_word(state: State, word: str) -> State:
    first = "raw" if not state.first and word == "raw" and state.mode == "statement" else "other"
    return state if state.first == first else State(state.mode, "", state.braces, first)


def _string(text: str, start: int, at: int, state: State, found: list[Token]) -> tuple[int, State]:
    """A string literal whose opening quote, if it is in this text, stands at `start`; `at` is behind it."""
    quote = state.quote or text[start]
    match = _REST_OF_STRING[quote].match(text, at)
    stop = match.end() if match else len(text)
    if stop > start:
        found.append(Token("string", start, stop))
    is_open = not (match and match[1])
    return stop, State(state.mode, quote if is_open else "", state.braces, state.first)


def inner(tokens: list[Token]) -> Iterator[list[Token]]:
    """The tokens of each statement and output, its delimiters included; of an unclosed one up to the next tag."""
    tag: list[Token] = []
    for token in tokens:
        if token.kind in ("begin", "data", "raw", "comment"):
            if tag:
                yield tag
            tag = []
        if token.kind not in ("data", "raw", "comment"):
            tag.append(token)
            if token.kind == "end":
                yield tag
                tag = []
    if tag:
        yield tag

"""One thinking text out of several places that may carry the same.

Servers send thinking in one field, in two at once, or in a field and in tags too; they send pieces, or each time all
there is so far. Nothing of it may show twice and nothing may be lost.
"""

from io import StringIO

from thinkpane.streaming.tags import Marks

_NEWLINES = "\r\n"
_SURE = 4
"""Fewer characters than this may repeat by chance, so they do not prove that a server sends snapshots."""


class ThinkingSources:
    """Merges the places. A place that only repeats what another one has shown adds nothing.

    When a repetition turns out to be none, what was withheld of it is given out.
    """

    def __init__(self) -> None:
        self._shown = StringIO()
        self._size = 0
        self._at: dict[str, int] = {}
        self._since: dict[str, int] = {}

    def add(self, place: str, text: str) -> str:
        """What of `text`, coming from `place`, is new."""
        at = self._at.get(place, 0)
        if at == self._size:
            return self._append(place, text)
        self._since.setdefault(place, at)
        compared = self._aligned(at, text)
        if compared is None:
            return ""
        at, text = compared
        known = self._read(at, len(text))
        if text.startswith(known):
            self._at[place] = at + len(known)
            rest = text[len(known) :]
            return self._append(place, rest) if rest else self._caught_up(place)
        since = self._since.pop(place)
        return self._append(place, self._read(since, at - since) + text)

    def _aligned(self, at: int, text: str) -> tuple[int, str] | None:
        """Both sides without the newlines that only one of them has: they are separators around tags."""
        ahead = self._read(at, 1)
        if ahead in _NEWLINES and text[0] not in _NEWLINES:
            while at < self._size and self._read(at, 1) in _NEWLINES:
                at += 1
        elif text[0] in _NEWLINES and ahead not in _NEWLINES:
            text = text.lstrip(_NEWLINES)
        return (at, text) if text else None

    def _caught_up(self, place: str) -> str:
        if self._at[place] == self._size:
            self._since.pop(place, None)
        return ""

    def _append(self, place: str, text: str) -> str:
        self._since.pop(place, None)
        self._shown.seek(self._size)
        self._shown.write(text)
        self._size += len(text)
        self._at[place] = self._size
        return text

    def _read(self, at: int, size: int) -> str:
        self._shown.seek(at)
        return self._shown.read(size)


class Snapshots:
    """Turns a place that sends all its text so far, each time, into pieces; leaves pieces as they are.

    Source of the rule: measured MiniMax streams do either, and nothing in them says which.
    """

    def __init__(self, sure: int = _SURE) -> None:
        """sure: how many characters it takes to prove it; 1 where another place of the reply has proven it."""
        self.found = False
        self._sure = sure
        self._pieces: list[str] = []
        self._size = 0

    def piece(self, text: str) -> str:
        """What of `text` is new."""
        if self._size >= self._sure and len(text) >= self._size and (self.found or len(text) > self._size):
            so_far = "".join(self._pieces)
            self._pieces = [so_far]
            if text.startswith(so_far) and so_far.strip():
                self.found = True
                text = text[self._size :]
        self._pieces.append(text)
        self._size += len(text)
        return text


class FieldTags:
    """Takes off a think tag that stands exactly at either end of a thinking field; tags elsewhere are text."""

    def __init__(self, tags: tuple[tuple[str, str], ...]) -> None:
        """tags: pairs (open, close)."""
        self._opens = Marks(tuple(opening for opening, _ in tags))
        self._closes = Marks(tuple(dict.fromkeys(closing for _, closing in tags)))
        self._held = ""
        self._at_start = True
        self._after_tag = False
        self.removed = False

    def feed(self, text: str) -> str:
        """What of the field's text is certain to be thinking."""
        text = self._held + text
        self._held = ""
        if self._after_tag:
            text = text.lstrip(_NEWLINES)
            self._after_tag = not text
        if self._at_start:
            body = text.lstrip(_NEWLINES)
            opening = self._opens.at_start(body)
            if opening:
                self.removed = True
                text = body[len(opening) :].lstrip(_NEWLINES)
                self._after_tag = not text
            elif not body or self._opens.may_become(body):
                self._held = text
                return ""
            self._at_start = False
        keep = self._end(text)
        self._held = text[keep:]
        return text[:keep]

    def end(self) -> str:
        """What was held back, when the field's block ends; the next text starts a new one."""
        held, self._held = self._held, ""
        self._at_start, self._after_tag = True, False
        body = held.rstrip(_NEWLINES)
        closing = self._closes.at_start(body)
        if closing and closing == body:
            self.removed = True
            return ""
        return held

    def _end(self, text: str) -> int:
        body = text.rstrip(_NEWLINES)
        for closing in self._closes.all:
            if body.endswith(closing):
                return len(body) - len(closing)
        return self._closes.held_from(text)

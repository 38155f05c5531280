"""Cuts prompt after prompt at their special tokens, each from where it differs from the one before."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thinkpane.tokens.changes import Blocks, Change
from thinkpane.tokens.segments import Cutter, Segments


@dataclass(frozen=True, slots=True)
class Cut:
    """One text cut. earlier: the text before it, "" for none; change: what differs between the two, None for none."""

    text: str
    segments: Segments
    earlier: str = ""
    change: Change | None = None


class TextCutter:
    """Remembers the last text; may be used from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: tuple[object, ...] = ()
        self._cutter: Cutter | None = None
        self._last = Cut("", Segments())
        self._blocks = Blocks("")

    def cut(
        self,
        text: str,
        tokens: Sequence[str],
        roles: Mapping[str, str],
        thinking: Sequence[str],
        known: tuple[str, Change | None] = ("", None),
    ) -> Cut:
        """`text`, which may be the very string of an equal one before it, and its segments (segments.cut). known: a
        text before it, and what differs, where somebody knows."""
        asked = tuple(tokens), tuple(sorted(roles.items())), tuple(thinking)
        with self._lock:
            last = self._last
            change = known[1] if known[0] is last.text else None
            if change is None and last.text:
                change = self._blocks.change_to(text)
            if change is not None and len(text) == len(last.text) == change.before:
                text = last.text
            if self._cutter is None or asked != self._asked:
                self._asked, self._cutter = asked, Cutter(tokens, roles, thinking)
                segments = self._cutter.cut(text)
            elif change is None:
                segments = self._cutter.cut(text)
            else:
                segments = self._cutter.cut_again(text, last.segments, change)
            self._blocks = Blocks(text) if change is None else self._blocks.changed(change, text)
            self._last = Cut(text, segments, last.text, change)
            return self._last

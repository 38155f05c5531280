"""The way back in a text that no document has steps of: what each edit replaced, not the whole text before it."""

from thinkpane.ui.models.shown_text import Splice, difference

MOST_STEPS = 500
MOST_CHARACTERS = 4 * 2**20
"""Of all the texts that edits replaced; the oldest go first."""


class TextSteps:
    """Steps of one text that is `text` now."""

    def __init__(self, text: str = "") -> None:
        self._text = text
        self._back: list[Splice] = []
        self._size = 0

    def __bool__(self) -> bool:
        return bool(self._back)

    @property
    def size(self) -> int:
        """Characters that are kept, at most `MOST_CHARACTERS`."""
        return self._size

    def start(self, text: str) -> None:
        """Begins anew with `text`, without a way back."""
        self._text, self._back, self._size = text, [], 0

    def add(self, text: str) -> None:
        """The text was edited, and is `text` now."""
        step = difference(text, self._text)
        self._text = text
        self._back.append(step)
        self._size += len(step.text)
        while len(self._back) > MOST_STEPS or self._size > MOST_CHARACTERS:
            self._size -= len(self._back.pop(0).text)

    def back(self) -> str:
        """The text before the last edit, which is taken back. Raises IndexError where there is none."""
        step = self._back.pop()
        self._size -= len(step.text)
        self._text = step.apply(self._text)
        return self._text

"""The times of one run: when the first byte, thinking and answer came, and how fast the answer comes."""

from collections.abc import Callable

from thinkpane.streaming.events import (
    AnswerDelta,
    AnswerWasThinking,
    Event,
    ThinkingDelta,
    ThinkingOpaque,
    ToolDelta,
)


class RunClock:
    """Seconds since the run began, by a clock that only goes forward; None = not yet. Frozen by `freeze`.

    One thread owns it: the one that drains the run.
    """

    def __init__(self, time: Callable[[], float]) -> None:
        """time: seconds from any start."""
        self._time = time
        self._began = time()
        self._latest = 0.0
        self._end: float | None = None
        self._thinking_since: float | None = None
        self._thought = 0.0
        self._answer_latest = 0.0
        self._characters = 0
        self.to_first_byte: float | None = None
        self.to_first_thinking: float | None = None
        self.to_first_answer: float | None = None

    @property
    def elapsed(self) -> float:
        """How long the run has been going; once it is over, how long it took."""
        return max(self._time() - self._began, self._latest) if self._end is None else self._end

    @property
    def thinking_seconds(self) -> float:
        """How long it has thought, all its blocks together, each up to what followed it."""
        open_block = 0.0 if self._thinking_since is None else self.elapsed - self._thinking_since
        return self._thought + open_block

    @property
    def answer_rate(self) -> float | None:
        """Characters of answer a second, from its first to its latest piece; None before the second piece."""
        if self.to_first_answer is None or self._answer_latest <= self.to_first_answer:
            return None
        return self._characters / (self._answer_latest - self.to_first_answer)

    def saw_byte(self, at: float) -> None:
        """Bytes of the body came. at: seconds since the run began, here and below."""
        self._latest = max(self._latest, at)
        if self.to_first_byte is None:
            self.to_first_byte = at

    def saw(self, event: Event, at: float) -> None:
        """An event came."""
        self._latest = max(self._latest, at)
        match event:
            case ThinkingDelta() | ThinkingOpaque():
                if self.to_first_thinking is None:
                    self.to_first_thinking = at
                if self._thinking_since is None:
                    self._thinking_since = at
            case AnswerDelta():
                self._end_thinking(at)
                if self.to_first_answer is None:
                    self.to_first_answer = at
                self._answer_latest = at
                self._characters += len(event.text)
            case ToolDelta():
                self._end_thinking(at)
            case AnswerWasThinking():
                self._reread(at)

    def freeze(self, at: float) -> None:
        """The run is over."""
        if self._end is None:
            self._end = max(self._latest, at)
            self._end_thinking(self._end)

    def _reread(self, at: float) -> None:
        """What counted as answer was thinking, so its times are those of thinking."""
        if self.to_first_answer is not None:
            self._thought += at - self.to_first_answer
            if self.to_first_thinking is None:
                self.to_first_thinking = self.to_first_answer
        self.to_first_answer, self._characters = None, 0

    def _end_thinking(self, at: float) -> None:
        if self._thinking_since is not None:
            self._thought += at - self._thinking_since
            self._thinking_since = None

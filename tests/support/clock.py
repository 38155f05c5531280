"""A clock that goes only when told."""


class Clock:
    """Call it for the time; set `now` to move it. Seconds."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

"""What a bench gives: two times of one run, and their ratio."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One comparison; ours, theirs: milliseconds, medians of interleaved rounds."""

    name: str
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        """How many times as long the other side takes."""
        return self.theirs / self.ours

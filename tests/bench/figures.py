"""What a bench gives: two times (or two sizes) of one run, their ratio, and the ratio that it must hold."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from thinkpane.formats.json_values import JsonObject

Bound: TypeAlias = Literal["at least", "at most", ""]


@dataclass(frozen=True, slots=True)
class Figure:
    """One comparison; ours, theirs: medians of interleaved rounds, in `unit`.

    goal: what the ratio must keep, by `bound`; "" = it is told only.
    """

    name: str
    ours: float
    theirs: float
    unit: str = "ms"
    bound: Bound = ""
    goal: float = 0.0

    @property
    def ratio(self) -> float:
        """How many times as much the other side takes."""
        return self.theirs / self.ours if self.ours else 0.0

    @property
    def compared(self) -> float:
        """What is held against the goal: theirs over ours where ours must be quicker, ours over theirs where it must
        not be slower than that."""
        return self.ours / self.theirs if self.bound == "at most" and self.theirs else self.ratio

    @property
    def met(self) -> bool:
        """True where there is no goal, or it is kept."""
        if not self.bound:
            return True
        return self.compared <= self.goal if self.bound == "at most" else self.compared >= self.goal

    def as_json(self) -> JsonObject:
        """For build/bench.json."""
        return {
            "name": self.name,
            "ours": self.ours,
            "theirs": self.theirs,
            "unit": self.unit,
            "ratio": self.ratio,
            "bound": self.bound,
            "goal": self.goal,
            "met": self.met,
        }


def told(figure: Figure, width: int) -> str:
    """One line of the table."""
    shown = f"{figure.name:{width}}  {figure.ours:9.2f}  {figure.theirs:9.2f} {figure.unit:3} {figure.ratio:7.2f}x"
    if not figure.bound:
        return shown
    verdict = "" if figure.met else "   MISSED"
    return f"{shown}   {figure.bound} {figure.goal:g}x: {figure.compared:.2f}x{verdict}"

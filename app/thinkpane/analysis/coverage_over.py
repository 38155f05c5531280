"""Which lines of one template several conversations executed: lines that all ran, that only some ran, and dead ones."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from thinkpane.analysis.coverage import Coverage, dead_branches

_NAMED = 6
"""Conversations that a sentence names; it counts the rest."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What one conversation executed. name: what a person knows it by.

    lines: of the template, from 1, ascending; None where nothing could be rendered. problem: why that is so, or why the
    render ended after those lines; "" where it went through.
    """

    name: str
    lines: tuple[int, ...] | None
    problem: str = ""


@dataclass(frozen=True)
class CoverageOver:
    """The coverage of one template over conversations. executable: lines that could run, ascending.

    ran: the conversations in order, those that could not be rendered among them; these count for nothing.
    """

    executable: tuple[int, ...]
    ran: tuple[Ran, ...]

    @cached_property
    def counted(self) -> tuple[Ran, ...]:
        """The conversations that executed something."""
        return tuple(each for each in self.ran if each.lines is not None)

    @cached_property
    def runners(self) -> dict[int, tuple[str, ...]]:
        """The names of the conversations that executed a line, by line, in order."""
        found: dict[int, list[str]] = {line: [] for line in self.executable}
        for each in self.counted:
            for line in each.lines or ():
                found.setdefault(line, []).append(each.name)
        return {line: tuple(names) for line, names in found.items()}

    @cached_property
    def never(self) -> frozenset[int]:
        """Lines that no conversation executed; none where no conversation counts."""
        return frozenset(line for line, names in self.runners.items() if not names) if self.counted else frozenset()

    @cached_property
    def some(self) -> frozenset[int]:
        """Lines that at least one conversation executed, and at least one did not."""
        whole = len(self.counted)
        return frozenset(line for line, names in self.runners.items() if 0 < len(names) < whole)

    @cached_property
    def always(self) -> frozenset[int]:
        """Lines that every conversation executed."""
        return frozenset(line for line, names in self.runners.items() if names and len(names) == len(self.counted))

    @cached_property
    def dead(self) -> tuple[tuple[int, int], ...]:
        """Dead branches: runs of executable lines that no conversation executed, as (first, last) line."""
        if not self.counted:
            return ()
        ran = tuple(line for line, names in self.runners.items() if names)
        return dead_branches([Coverage(tuple(sorted(self.runners)), tuple(sorted(ran)))])

    @property
    def words(self) -> str:
        """“12 of 96 lines never ran, over 4 conversations”; "" where nothing is known."""
        if not self.counted or not self.runners:
            return ""
        lines, talks = len(self.runners), _number(len(self.counted), "conversation")
        if not self.never:
            return f"all {_number(lines, 'line')} ran, over {talks}" if lines > 1 else f"the one line ran, over {talks}"
        return f"{len(self.never):,} of {_number(lines, 'line')} never ran, over {talks}"

    def words_for(self, line: int) -> str:
        """Who executed a line, in a sentence; "" for a line that cannot run, or where nothing is known."""
        names, whole = self.runners.get(line), len(self.counted)
        if names is None or not whole:
            return ""
        if whole == 1:
            return f"Line {line} {'ran' if names else 'did not run'} for “{self.counted[0].name}”."
        if not names:
            return f"Line {line} never ran in any of the {whole} open conversations."
        if len(names) == whole:
            return f"Line {line} ran in all {whole} open conversations."
        return f"Line {line} ran in {len(names)} of {whole} open conversations: {_listed(names)}."

    def only(self, name: str) -> int:
        """How many lines no other conversation than `name` executed."""
        return sum(names == (name,) for names in self.runners.values()) if len(self.counted) > 1 else 0

    def dead_after(self, line: int) -> tuple[int, int] | None:
        """The first dead branch that begins behind a line, round to the first of all; None where there is none."""
        return next((each for each in self.dead if each[0] > line), self.dead[0] if self.dead else None)

    def dead_before(self, line: int) -> tuple[int, int] | None:
        """The last dead branch that begins before a line, round to the last of all; None where there is none."""
        return next((each for each in reversed(self.dead) if each[0] < line), self.dead[-1] if self.dead else None)


def coverage_over(executable: Iterable[int], ran: Sequence[Ran]) -> CoverageOver:
    """The coverage of a template over conversations. executable: what the template's facts tell.

    Conversations of the same name get numbers, so that they can be told apart.
    """
    names = named_apart([(each.name, "") for each in ran])
    named = (replace(each, name=name) for each, name in zip(ran, names, strict=True))
    return CoverageOver(tuple(sorted(set(executable))), tuple(named))


def named_apart(titles: Sequence[tuple[str, str]]) -> list[str]:
    """Names of which no two are the same, of titles and the folders they are in ("" = none).

    A title that stands there once is its name; others have their folder, or where that is the same too, a number.
    """
    titled = Counter(title for title, _ in titles)
    found: list[str] = []
    for title, folder in titles:
        named = f"{title} ({folder})" if titled[title] > 1 and folder else title
        name, number = named, 1
        while name in found:
            number += 1
            name = f"{named} ({number})"
        found.append(name)
    return found


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _listed(names: Sequence[str]) -> str:
    shown = [f"“{name}”" for name in names[:_NAMED]]
    if len(names) > _NAMED:
        shown.append(f"{len(names) - _NAMED} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"

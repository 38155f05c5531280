"""Which lines of a template a render executed, and which ones no conversation so far ever reached."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Coverage:
    """Lines of the template, counted from 1, ascending.

    executable: those on which a statement starts or something is printed; comments and blank lines are not.
    executed: those of them that ran. A line with several statements ran when one of them did.
    """

    executable: tuple[int, ...] = ()
    executed: tuple[int, ...] = ()

    @property
    def missed(self) -> tuple[int, ...]:
        """The executable lines that did not run."""
        ran = frozenset(self.executed)
        return tuple(line for line in self.executable if line not in ran)

    @property
    def words(self) -> str:
        """“182 of 240 lines executed”."""
        count = len(self.executable)
        return f"{len(self.executed)} of {count} line{'s' if count != 1 else ''} executed"


def coverage(executable: Sequence[int], ran: Sequence[int]) -> Coverage:
    """The coverage of one render. executable: what the template's facts tell; ran: the trace's `lines`."""
    return Coverage(tuple(sorted({*executable, *ran})), tuple(sorted(set(ran))))


def united(coverages: Iterable[Coverage]) -> Coverage:
    """The coverage of several renders of one template: what ran in any of them."""
    each = tuple(coverages)
    executable = {line for one in each for line in one.executable}
    executed = {line for one in each for line in one.executed}
    return Coverage(tuple(sorted(executable)), tuple(sorted(executed)))


def dead_branches(coverages: Iterable[Coverage]) -> tuple[tuple[int, int], ...]:
    """Runs of executable lines that no render executed, as (first, last) line; lines that are not executable do not
    end a run."""
    whole = united(coverages)
    ran = frozenset(whole.executed)
    found: list[tuple[int, int]] = []
    open_run = False
    for line in whole.executable:
        if line in ran:
            open_run = False
        elif open_run:
            found[-1] = (found[-1][0], line)
        else:
            found.append((line, line))
            open_run = True
    return tuple(found)

"""Work that a person asked for and that may fail in one clear sentence."""

from collections.abc import Callable

from thinkpane.errors import Problem, ThinkpaneError


def done(work: Callable[[], object], tell: Callable[[Problem], object]) -> bool:
    """Whether `work` was done; where it raises ThinkpaneError, `tell` gets the problem."""
    try:
        work()
    except ThinkpaneError as error:
        tell(error.problem)
        return False
    return True

"""A comparison in words, for the window."""

from thinkpane.prompt.comparison import Comparison


def count_words(comparison: Comparison) -> str:
    """How much went and came; "" where nothing was compared."""
    found = comparison.found
    if found is None:
        return ""
    if not found.changes:
        return "The prompts are the same."
    what = "token" if found.exact else "character"
    by = f" ({comparison.tokenizer})" if comparison.tokenizer else ""
    words = f"{_counted(found.removed, what)} only in A, {found.added:,} only in B{by}"
    if comparison.untold:
        words += f" · compared by words: {comparison.untold}"
    return f"{words} · parts were too much to be compared closely" if found.is_coarse else words


def owner_words(comparison: Comparison) -> str:
    """How much went and came by owner; "" where that is not known."""
    if not comparison.owners:
        return ""
    return f"By owner: {' · '.join(map(str, comparison.owners))}"


def place_words(number: int, count: int) -> str:
    """Which difference is at hand."""
    if not count:
        return ""
    if number < 0:
        return _counted(count, "difference")
    return f"{number + 1:,} of {count:,}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"

"""Python's search for lost objects, kept out of the way while a reply comes.

A reply of 128k tokens is some hundred thousand objects, and looking through all of them stops the window for a quarter
of a second on a busy machine, several times a reply. Nothing that comes with a reply is lost in circles.
"""

import gc

_YOUNG, _MIDDLE, _NEVER = 2_000, 20, 1_000_000


class Collecting:
    """Puts the search through old objects off, and back on."""

    def __init__(self) -> None:
        self._usual: tuple[int, int, int] | None = None

    def put_off(self) -> None:
        """Until `resume`, only young objects are looked through."""
        if self._usual is None:
            self._usual = gc.get_threshold()
            gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)

    def resume(self) -> None:
        """As before; does nothing where it was not put off."""
        if self._usual is not None:
            gc.set_threshold(*self._usual)
            self._usual = None

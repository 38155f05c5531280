"""The services of a test: the real ones, with an engine that may take its time on a busy machine."""

from functools import cached_property

from support.patience import PATIENCE
from thinkpane.compose import Services
from thinkpane.engine.host import Engine


class PatientServices(Services):
    """As compose.py makes them; close them after use, which leaves an engine that was handed in alone."""

    def __init__(self, engine: Engine | None = None) -> None:
        """engine: one that is shared, None = one of its own."""
        self._shared = engine

    @cached_property
    def engine(self) -> Engine:
        """The engine that renders."""
        return self._shared or Engine(deadline=PATIENCE)

    def close(self) -> None:
        """Ends what was started here."""
        if self._shared is not None:
            self.__dict__.pop("engine", None)
        super().close()

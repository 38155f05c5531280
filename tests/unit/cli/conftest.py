"""The services that commands are handed."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from thinkpane.engine.host import Engine


@dataclass
class Started:
    """Services with an engine that may take its time on a busy machine."""

    engine: Engine


@pytest.fixture(scope="session")
def running() -> Iterator[Started]:
    """One engine for the whole room."""
    engine = Engine(deadline=20.0)
    yield Started(engine)
    engine.close()

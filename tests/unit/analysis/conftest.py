"""One engine for all tests of this room: its workers are real child processes, so they start once."""

from collections.abc import Iterator

import pytest

from support.patience import PATIENCE
from thinkpane.engine.host import Engine


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    # A busy machine may take its time; the deadline itself is the engine's own tests' business.
    engine = Engine(deadline=PATIENCE)
    yield engine
    engine.close()

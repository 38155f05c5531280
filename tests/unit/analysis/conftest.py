"""One engine for all tests of this room: its workers are real child processes, so they start once."""

from collections.abc import Iterator

import pytest

from thinkpane.engine.host import Engine


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    # A busy machine may take its time; the deadline itself is the engine's own tests' business.
    engine = Engine(deadline=30)
    yield engine
    engine.close()

"""One engine for the whole room: starting workers is the dear part."""

from collections.abc import Iterator

import pytest

from support.patience import PATIENCE
from thinkpane.engine.host import Engine


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """An engine with a deadline that a busy machine keeps."""
    made = Engine(deadline=PATIENCE)
    yield made
    made.close()

"""The services that commands are handed."""

from collections.abc import Iterator

import pytest

from support.services import PatientServices


@pytest.fixture(scope="session")
def running() -> Iterator[PatientServices]:
    """One for the whole room; what depends on a test's own settings makes one of its own with this one's engine."""
    services = PatientServices()
    yield services
    services.close()

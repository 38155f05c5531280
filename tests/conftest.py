"""What holds for every test: no real screen, no real settings, no real keyring, and no limit on a busy machine."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from pytestqt.qtbot import QtBot

from support.patient_bot import PatientBot

E2E = Path(__file__).parent / "e2e"


def pytest_configure(config: pytest.Config) -> None:
    """Qt chooses its platform when the first application is made, so this comes before any test."""
    asked = [Path(str(each).split("::")[0]).absolute() for each in config.args]
    if not all(each.is_relative_to(E2E) for each in asked):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    # How long an example takes, or its making, says what else the machine does, not whether the code is right; and what
    # was right an hour ago must not be refused for an example that nobody changed. `make nightly` looks for new ones.
    settings.register_profile(
        "unhurried",
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        derandomize="THINKPANE_EXAMPLES" not in os.environ,
    )
    settings.load_profile("unhurried")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With THINKPANE_EXAMPLES every property is tried on so many examples, whatever its own file says."""
    if "THINKPANE_EXAMPLES" not in os.environ:
        return
    for test in {getattr(each, "obj", None) for each in items}:
        # Decorating again is refused, so this is where hypothesis itself keeps what a test is decorated with.
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        if own is not None:
            more = settings(own, max_examples=int(os.environ["THINKPANE_EXAMPLES"]))
            setattr(test, "_hypothesis_internal_use_settings", more)  # noqa: B010 - no type knows of it


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> QtBot:
    """Waits as long as a busy machine needs."""
    return PatientBot(request)


@pytest.fixture(autouse=True)
def thinkpane_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that holds this test's settings, state and cache; it is made by whoever writes first."""
    home = tmp_path / "thinkpane-home"
    monkeypatch.setenv("THINKPANE_HOME", str(home))
    return home

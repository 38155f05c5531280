"""The services as the program joins them."""

from pathlib import Path

import pytest

from thinkpane.compose import Services


@pytest.fixture
def services() -> Services:
    return Services()


def test_nothing_is_made_before_it_is_asked_for(services: Services, thinkpane_home: Path) -> None:
    services.close()
    assert services.__dict__ == {}
    assert not thinkpane_home.exists()


def test_the_time_for_a_template_is_a_setting_and_in_force_at_once(services: Services) -> None:
    try:
        assert services.engine.deadline == services.settings.number("deadlines.render_seconds")
        services.settings.set("deadlines.render_seconds", 7.5)
        assert services.engine.deadline == 7.5
        services.settings.set("deadlines.connect_seconds", 3.0)
        assert services.engine.deadline == 7.5
    finally:
        services.close()


def test_everything_lies_below_the_home(services: Services, thinkpane_home: Path) -> None:
    services.settings.set("zoom", 1.5)
    services.recent.add(thinkpane_home / "a.thinkpane.json")
    assert {each.name for each in thinkpane_home.rglob("*.json")} == {"settings.json", "recent.json"}

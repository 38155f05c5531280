"""The option that names a frozen build."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """--frozen FOLDER: where PyInstaller put the program (`make freeze`)."""
    parser.addoption("--frozen", help="the folder of a frozen build, to be tried instead of skipped")

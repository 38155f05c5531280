"""Recorded inputs and outcomes in tests/data."""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"


def records(folder: str) -> list[dict[str, Any]]:
    """The JSON objects of a folder, one a file, by file name."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((DATA / folder).glob("*.json"))]
    assert found, f"no records in {folder}"
    return found


def render_cases() -> list[dict[str, Any]]:
    """The public cases of kind "render"."""
    return [case for case in records("cases") if case["kind"] == "render"]


def lint_cases() -> list[dict[str, Any]]:
    """The public cases of kind "lint"."""
    return [case for case in records("cases") if case["kind"] == "lint"]


def golden_records() -> list[dict[str, Any]]:
    """What transformers rendered of the seed templates."""
    found: list[dict[str, Any]] = json.loads((DATA / "golden" / "seed-renders.json").read_text(encoding="utf-8"))
    return found

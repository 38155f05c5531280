"""The one way to the files in `resources/`, whether run from a checkout, a wheel, a zip or a frozen build."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def root() -> Traversable:
    """The folder `resources/`: packaged as `thinkpane/_resources`, else the checkout's own (docs/adr/0001)."""
    packaged = files("thinkpane") / "_resources"
    if packaged.is_dir():
        return packaged
    return Path(__file__).parents[2] / "resources"


def entry(path: str) -> Traversable:
    """The file or folder at `path` below `resources/`, e.g. "templates/chatml/template.jinja".

    Raises ValueError for an absolute path or one that leaves the folder.
    """
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or "" in parts:
        raise ValueError(f"not a path inside resources: {path!r}")
    place = root()
    for part in parts:
        place = place / part
    return place


def read_text(path: str) -> str:
    """The text of the file at `path`, its line ends untouched. Raises FileNotFoundError."""
    return entry(path).read_bytes().decode("utf-8")


def read_bytes(path: str) -> bytes:
    """The bytes of the file at `path`. Raises FileNotFoundError."""
    return entry(path).read_bytes()

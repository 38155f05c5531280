"""The command line's first word: none or a file opens the window, `worker`, `tokenizer`, `finder` and `analyst` are
children of it, all others are headless."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thinkpane.compose import Services


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the program with `argv` (None = the process's own arguments) and gives its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words == ["worker"]:
        from thinkpane.compose import worker_jobs
        from thinkpane.engine.worker import run

        return run(worker_jobs)
    if words[:1] == ["tokenizer"] and len(words) == 2:
        from thinkpane.compose import serve_tokenizer

        return serve_tokenizer(words[1])
    if words == ["finder"]:
        from thinkpane.engine.finder import finder_jobs
        from thinkpane.engine.worker import run

        return run(finder_jobs)
    if words == ["analyst"]:
        from thinkpane.compose import serve_analyst

        return serve_analyst()
    from thinkpane.compose import Services

    services = Services()
    try:
        return _chosen(words, services)
    finally:
        services.close()


def _chosen(words: list[str], services: "Services") -> int:
    if words[:1] == ["shot"]:
        from thinkpane.ui.shot import main as take_picture

        return take_picture(words[1:], services)
    if words == ["tour"]:
        from thinkpane.ui.tour import main as take_tour

        return take_tour(services)
    if _opens_window(words):
        from thinkpane.ui.application import main as open_window

        return open_window(words, services)
    from thinkpane.cli.program import run

    return run(words, services)


def _opens_window(words: list[str]) -> bool:
    """No word, an option that is none of the command line's own, or a file (also one that is not there yet)."""
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help", "--version")):
        return True
    from thinkpane.cli._registry import command_names

    # An empty word, as an unset variable of a shell gives one, names no file: Path("") would be this folder.
    if not words[0] or words[0] in command_names():
        return False
    return Path(words[0]).exists() or words[0].endswith((".json", ".thinkpane"))


if __name__ == "__main__":
    sys.exit(main())

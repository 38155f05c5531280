"""The command line's first word: none or a file opens the window, `worker` serves jobs, the rest is headless."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the program with `argv` (None = the process's own arguments) and gives its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words == ["worker"]:
        from thinkpane.compose import worker_jobs
        from thinkpane.engine.worker import run

        return run(worker_jobs)
    return 2


if __name__ == "__main__":
    sys.exit(main())

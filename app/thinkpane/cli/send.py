"""`thinkpane send`: sends, and prints the reply as it comes."""

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path

from thinkpane.cli._api import Command, Services
from thinkpane.cli.endpoint_options import BOTH, add_endpoint_options, read_target
from thinkpane.cli.input_files import Inputs
from thinkpane.cli.options import add_file, add_render_options, read_asked
from thinkpane.cli.output import told, write_error, write_json
from thinkpane.cli.reply_printer import ReplyPrinter
from thinkpane.cli.send_both import send_both
from thinkpane.cli.starting import started
from thinkpane.errors import ThinkpaneError
from thinkpane.runs.run import Run
from thinkpane.workspace.atomic_file import file_error

_INTERRUPTED = 130
_PATIENCE = 5.0
"""Seconds that a stopped run may take to end."""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_render_options(parser)
    add_endpoint_options(parser, both=True)
    parser.add_argument("--json", action="store_true", help="print the whole reply as one JSON object at its end")
    parser.add_argument("--record", metavar="FILE", help="keep the reply's bytes with their times in FILE")


def _run(arguments: argparse.Namespace, services: Services) -> int:
    try:
        asked = read_asked(arguments, Inputs(), services.reach)
        if arguments.path == BOTH:
            return send_both(arguments, asked, services)
        target = read_target(arguments, asked, services.endpoints)
        with _recording(arguments.record) as file:
            run = started(target, services, None if file is None else file.write)
            return _followed(run, as_json=arguments.json)
    except ThinkpaneError as error:
        if not arguments.json:
            raise
        write_json({"error": error.problem.as_json()})
        return 1


def _followed(run: Run, *, as_json: bool) -> int:
    """Prints the run until it ends and gives the exit status; Ctrl+C stops it and keeps what came."""
    printer = None if as_json else ReplyPrinter()
    if run.label and not as_json:
        write_error(run.label)
    interrupted = False
    try:
        try:
            _follow(run, printer, None)
        except KeyboardInterrupt:
            interrupted = True
            run.stop("Stopped by Ctrl+C.")
            _follow(run, printer, _PATIENCE)
    finally:
        # Whoever writes a recording must be done before its file is closed.
        run.stop()
        run.wait(_PATIENCE)
    if printer is not None:
        printer.end()
        _tell(run)
    else:
        write_json({"label": run.label, **run.transcript.as_json()} if run.label else run.transcript.as_json())
    return _INTERRUPTED if interrupted else int(run.problem is not None)


def _follow(run: Run, printer: ReplyPrinter | None, patience: float | None) -> None:
    """Drains the run until it is over. patience: seconds without news after which it is left; None = without end."""
    while not run.is_over:
        # A wait without a bound could not be interrupted on every system.
        if not run.wait_for_news(patience or 1.0) and patience is not None:
            return
        events = run.drain()
        if printer is not None:
            printer.take(events)


def _tell(run: Run) -> None:
    """Tool calls, warnings and the fault, one line each, to standard error."""
    for call in run.transcript.tool_calls:
        write_error(f"tool call: {call.name} {call.arguments}")
    for warned in run.transcript.warnings:
        write_error(f"warning: {warned.message}")
    if run.problem is not None:
        write_error(f"thinkpane: {told(run.problem)}")


class _Recording:
    """The file of --record; what it held before goes only when the first line is there."""

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        self._file = path.open("ab", buffering=0)
        self._is_new = True

    def write(self, line: bytes) -> None:
        """Appends one line. Raises OSError."""
        if self._is_new:
            self._file.truncate(0)
            self._is_new = False
        left = memoryview(line)
        while left:
            left = left[self._file.write(left) or 0 :]

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


@contextlib.contextmanager
def _recording(name: str | None) -> Iterator[_Recording | None]:
    """The file to record to, None where none is asked for. Raises ThinkpaneError (kind "file")."""
    if name is None:
        yield None
        return
    path = Path(name)
    try:
        file = _Recording(path)
    except OSError as fault:
        raise file_error(path, "written", fault) from None
    try:
        yield file
    finally:
        file.close()


COMMAND = Command("send", "sends the prompt or the messages and prints the reply", _add_arguments, _run)

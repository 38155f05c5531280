"""The headless half of the command line: chooses the command, runs it, turns faults into one line and a status."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from thinkpane import __version__
from thinkpane.cli._api import Command, CommandLineError, Services
from thinkpane.cli._registry import command, command_names
from thinkpane.cli.output import told, write_error, write_line
from thinkpane.errors import ThinkpaneError

INPUT_AT_FAULT = 1
COMMAND_LINE_AT_FAULT = 2


class _Parser(argparse.ArgumentParser):
    """argparse that tells a fault in one line."""

    def error(self, message: str) -> NoReturn:
        raise CommandLineError(f"{self.prog}: {message} (see {self.prog} --help)")


def run(argv: Sequence[str], services: Services) -> int:
    """Runs the command that `argv` begins with (or --help, --version) and gives the exit status."""
    try:
        return _run(argv, services)
    except CommandLineError as error:
        write_error(str(error))
        return COMMAND_LINE_AT_FAULT
    except ThinkpaneError as error:
        write_error(f"thinkpane: {told(error.problem)}")
        return INPUT_AT_FAULT
    except BrokenPipeError:
        # Whoever read our output has gone; Python must not complain about it again while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INPUT_AT_FAULT
    except KeyboardInterrupt:
        return 130


def _run(argv: Sequence[str], services: Services) -> int:
    word = argv[0]
    if word == "--version":
        write_line(f"thinkpane {__version__}")
        return 0
    if word in ("--help", "-h", "help"):
        write_line(overview())
        return 0
    if word not in command_names():
        raise CommandLineError(f"thinkpane: there is no command or file “{word}” (see thinkpane --help)")
    chosen = command(word)
    parser = _parser(chosen)
    arguments = parser.parse_args(list(argv[1:]))
    return chosen.run(arguments, services)


def overview() -> str:
    """What `thinkpane --help` prints."""
    commands = [command(name) for name in command_names()]
    width = max(len(each.name) for each in commands) + 2
    lines = [
        "thinkpane [FILE]           opens the window",
        "thinkpane COMMAND …        does one thing without it",
        "",
        *(f"  {each.name:<{width}}{each.help}" for each in commands),
        f"  {'shot':<{width}}writes the window as a picture",
        "",
        "thinkpane COMMAND --help   says more; --version says which one this is",
    ]
    return "\n".join(lines)


def _parser(chosen: Command) -> argparse.ArgumentParser:
    parser = _Parser(prog=f"thinkpane {chosen.name}", description=chosen.help, allow_abbrev=False)
    chosen.add_arguments(parser)
    return parser

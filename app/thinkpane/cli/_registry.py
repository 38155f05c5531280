"""Finds the commands: one module in this folder each, with one public constant `COMMAND`."""

from functools import cache
from importlib import import_module
from keyword import iskeyword

from thinkpane import cli
from thinkpane.cli._api import Command
from thinkpane.registry import names_in

# What commands share has no command of its own.
SHARED = (
    "diff_text",
    "endpoint_options",
    "input_files",
    "job_lines",
    "jsonl",
    "options",
    "output",
    "program",
    "reply_printer",
    "request_forms",
    "request_lines",
    "send_both",
    "set_notes",
    "starting",
)


@cache
def command_names() -> tuple[str, ...]:
    """Every command's word, in alphabetical order; nothing is imported."""
    # import_.py holds “import”, which no module of Python can be called.
    return tuple(name.rstrip("_") for name in names_in(cli, SHARED))


def command(name: str) -> Command:
    """The command called `name`, which must be one of `command_names`."""
    module = f"{name}_" if iskeyword(name) else name
    found: Command = import_module(f"{cli.__name__}.{module}").COMMAND
    return found

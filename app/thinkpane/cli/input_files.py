"""What commands read: files, and standard input once a command line."""

import sys
from pathlib import Path

from thinkpane.cli._api import CommandLineError
from thinkpane.workspace.atomic_file import read_file

STANDARD_INPUT = "-"


class Inputs:
    """The inputs of one command line; `-` is standard input and may be named once."""

    def __init__(self) -> None:
        self._taken = False

    def read(self, name: str) -> bytes:
        """The bytes of the file `name`, or of standard input for `-`.

        Raises ThinkpaneError (kind "file"), CommandLineError where `-` is named twice.
        """
        if name != STANDARD_INPUT:
            return read_file(Path(name))
        if self._taken:
            raise CommandLineError("thinkpane: “-” is standard input and can be read only once")
        self._taken = True
        return sys.stdin.buffer.read()

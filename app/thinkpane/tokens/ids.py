"""Token ids and other lists of whole numbers, held as arrays and sent as bytes.

Across the pipe they go as base64 of their bytes (native order: both ends are one machine), never number by number.
"""

import sys
from array import array
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Final, TypeAlias, cast

from thinkpane.formats.json_values import JsonValue

Ids: TypeAlias = "array[int]"
"""Numbers of 4 bytes each (typecode "I"); a million of them are never a million objects."""


# One call on megabytes would hold the interpreter's lock, and the window's thread, for as long. 16 letters stand for 12
# bytes, which is three numbers.
_STEP: Final = 16 * 2**16
_BOUND: Final = 2**32


def ids_of(numbers: Sequence[JsonValue]) -> "Ids | None":
    """The ids in a list that a server wrote; None where one of them is no number of 4 bytes."""
    found = [each for each in numbers if isinstance(each, int) and not isinstance(each, bool) and 0 <= each < _BOUND]
    return array("I", found) if len(found) == len(numbers) else None


def packed(numbers: Ids) -> str:
    """Numbers as they cross the pipe."""
    return b64encode(numbers.tobytes()).decode("ascii")


def unpacked(text: JsonValue) -> Ids:
    """What `packed` was given."""
    found: Ids = array("I")
    packed_text = cast("str", text)
    for at in range(0, len(packed_text), _STEP):
        found.frombytes(b64decode(packed_text[at : at + _STEP]))
    return found


def moved(numbers: Ids, by: int) -> Ids:
    """The numbers, each so much larger, added up as one long number: none of them may leave its 32 bits."""
    if not by or not numbers:
        return numbers
    size = len(numbers) * numbers.itemsize
    added = int.from_bytes(array("I", [abs(by)]).tobytes() * len(numbers), sys.byteorder)
    whole = int.from_bytes(numbers.tobytes(), sys.byteorder)
    return array("I", (whole + added if by > 0 else whole - added).to_bytes(size, sys.byteorder))

"""Prompts of a million tokens, one after the other, are made in the same memory."""

import ctypes
import subprocess
import sys

import pytest

from support.patience import PATIENCE
from thinkpane.engine.freed_memory import keep_freed_memory

KNOWS = sys.platform == "linux" and hasattr(ctypes.CDLL(None), "mallopt")
COUNT = """
import resource
from thinkpane.engine.freed_memory import keep_freed_memory

assert keep_freed_memory()
most = 0
prompt = ""
for number in range(16):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    pieces = ["\\U0001f642" * (1_700 + number + each % 7) for each in range(2_000)]
    prompt = "".join(pieces)
    del pieces
    if number >= 8:
        most = max(most, resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
print(most)
"""


@pytest.mark.skipif(not KNOWS, reason="Only glibc can be told")
def test_later_prompts_take_hardly_a_fresh_page() -> None:
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, timeout=PATIENCE, check=True)
    # Given back, each of them would take 3,300.
    assert int(done.stdout) < 300


@pytest.mark.skipif(KNOWS, reason="It can be told here")
def test_elsewhere_nothing_is_done() -> None:
    assert not keep_freed_memory()

"""Every network fault in every dialect: the state it ends in, what it costs, and how many are right (`make faults`)."""

import argparse
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.faulty_runs import met, wrong
from support.network_faults import PAIRS

MOST_MEGABYTES = 48.0
"""What one fault may add to the process at its peak."""


def megabytes(name: str) -> float:
    """A figure of this process (VmRSS, VmHWM) in MB; 0 where the system does not tell."""
    try:
        found = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1000 if found else 0.0


def peak_from_now() -> float:
    """Lets the system count the peak anew, and gives what the process has now."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return megabytes("VmHWM")
    return megabytes("VmRSS")


def main() -> int:
    """Prints a line for each, then n of n; status 1 where one is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="only those whose dialect and name hold all these words")
    words = parser.parse_args().words
    pairs = [(api, fault) for api, fault in PAIRS if all(word in f"{api} {fault.name}" for word in words)]
    good, most, silent = 0, 0.0, 0
    for number, (api, fault) in enumerate(pairs, 1):
        before, began = peak_from_now(), time.monotonic()
        run, requests = met(api, fault)
        seconds, grown = time.monotonic() - began, megabytes("VmHWM") - before
        amiss = wrong(run, requests, fault)
        if not amiss and grown > MOST_MEGABYTES:
            amiss = f"it took {grown:.0f} MB"
        good += not amiss
        most = max(most, grown)
        silent += amiss.startswith("a cut reply counts")
        problem = run.problem
        state = f"{problem.kind} {problem.detail.get('class', '')}".strip() if problem else "whole"
        line = f"{number:>3} of {len(pairs)}  {api:<19} {fault.name:<33} {state:<24} {seconds:6.2f} s {grown:6.1f} MB"
        sys.stdout.write(f"{line}{'  WRONG: ' + amiss if amiss else ''}\n")
        sys.stdout.flush()
    sys.stdout.write(
        f"{good} of {len(pairs)} network faults end in their own state with the text that had come; "
        f"{silent} silent truncations; at most {most:.1f} MB more\n"
    )
    return int(good != len(pairs))


if __name__ == "__main__":
    sys.exit(main())

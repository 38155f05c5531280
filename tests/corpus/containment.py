"""`make contained`: hostile templates given to every job of a worker as it is set up in the program; prints the worst.

For each: how long until the job was over and its worker, where it was lost, gone; what the main process grew by while
it lasted; and whether the next ordinary render was right, and how long that took.
"""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.hostile import Hostile, hostile
from thinkpane.compose import worker_jobs
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue

GONE, GROWTH, NEXT = 2.25, 64.0, 50.0
"""Seconds, MiB and milliseconds that are promised."""

MESSAGES: JsonValue = [{"role": "user", "content": "hi"}]
TOOLS: list[JsonValue] = [{"type": "function", "function": {"name": "f"}}]
ORDINARY = RenderRequest("{{ messages[0].content }}", MESSAGES)


def most() -> float:
    """MiB that this process has held at most; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0.0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def one(engine: Engine, each: Hostile, job: str) -> tuple[float, float, float, str]:
    """Seconds until it was over, MiB by which the most ever held grew, milliseconds of the next render, and what is
    wrong, if anything."""
    payload = RenderRequest(each.source, MESSAGES, TOOLS).as_json()
    payload |= {"requests": [dict(payload)], "other": "x"}
    before, told = most(), ""
    started = time.monotonic()
    try:
        engine.job(job, payload)
    except ThinkpaneError as error:
        told = error.problem.message if error.problem.kind in ("worker", "crash") else ""
    seconds, grown = time.monotonic() - started, most() - before
    started = time.monotonic()
    text = engine.render(ORDINARY).text
    following = (time.monotonic() - started) * 1000
    return seconds, grown, following, told or ("" if text == "hi" else "the next render is wrong")


def measure(engine: Engine, templates: Sequence[Hostile], jobs: Sequence[str]) -> int:
    """Prints the worst of each figure over these templates and jobs; gives how many were not contained."""
    found = {(each.name, job): one(engine, each, job) for each in templates for job in jobs}
    bad = {key for key, (seconds, grown, _, told) in found.items() if told or seconds > GONE or grown > GROWTH}
    for key in sorted(bad):
        print(f"  {key}: {found[key]}")
    print(f"Contained: {len(found) - len(bad)} of {len(found)} ({len(templates)} templates, {len(jobs)} jobs)")
    print(f"  over, and the worker gone, after at most {max(each[0] for each in found.values()):.2f} s")
    print(
        f"  the most that the main process ever held grew by {sum(each[1] for each in found.values()):.1f} MiB in all"
    )
    times = sorted(each[2] for each in found.values())
    print(f"  the next render: right, {times[len(times) // 2]:.1f} ms in the middle, {times[-1]:.0f} ms at most")
    prompt = sum(each <= NEXT for each in times)
    print(f"  {prompt} of {len(found)} within {NEXT:g} ms, on a machine with a load of {os.getloadavg()[0]:.1f}")
    return len(bad)


def main() -> int:
    """Exit status 1 where one was not contained."""
    engine = Engine()
    engine.warm()
    engine.render(ORDINARY)
    known = [each for each in hostile() if not each.name.startswith("own")]
    own = [each for each in hostile() if each.name.startswith("own")]
    bad = measure(engine, known, [*worker_jobs()]) + measure(engine, own, ["render", "trace"])
    engine.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

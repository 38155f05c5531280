"""`make contained`: hostile templates given to every job of a worker as it is set up in the program; prints the worst.

For each: how long until the job was over, once a worker was ready for it, and until that worker, where it was lost,
had gone; what the main process grew by while it lasted; and whether the next ordinary render was right, and how long
that took.
"""

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.hostile import Hostile, hostile
from thinkpane.compose import worker_jobs
from thinkpane.engine.host import Engine
from thinkpane.engine.pool import WorkerPool
from thinkpane.engine.process import WorkerProcess, worker_command
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue

OVER, GROWTH, NEXT = 2.25, 64.0, 50.0
"""Seconds, MiB and milliseconds that are promised."""

MESSAGES: JsonValue = [{"role": "user", "content": "hi"}]
TOOLS: list[JsonValue] = [{"type": "function", "function": {"name": "f"}}]
ORDINARY = RenderRequest("{{ messages[0].content }}", MESSAGES)


class Watched(WorkerPool):
    """As the engine has it; knows who did the last job, and how many seconds jobs have waited for a ready worker."""

    last: WorkerProcess | None = None
    waited = 0.0

    def take(self, of_many: bool = False) -> WorkerProcess:
        """Waits for the worker, too."""
        started = time.monotonic()
        self.last = super().take(of_many)
        self.last.wait_ready()
        self.waited += time.monotonic() - started
        return self.last

    def gone(self) -> None:
        """Waits until the worker of the last job has gone, where it was ended."""
        if self.last is not None and not self.last.alive:
            self.last.reaped()


@dataclass(frozen=True, slots=True)
class Found:
    """over, waited, gone: seconds. grown: MiB by which the most ever held grew. following: milliseconds of the next
    render. wrong: what is, "" where nothing is."""

    over: float
    waited: float
    gone: float
    grown: float
    following: float
    wrong: str

    @property
    def is_contained(self) -> bool:
        """Whether it is as promised."""
        return not self.wrong and self.over <= OVER and self.grown <= GROWTH


def most() -> float:
    """MiB that this process has held at most; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0.0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def one(engine: Engine, pool: Watched, each: Hostile, job: str) -> Found:
    """One template given to one job."""
    payload = RenderRequest(each.source, MESSAGES, TOOLS).as_json()
    payload |= {"requests": [dict(payload)], "other": "x"}
    before, told, pool.waited = most(), "", 0.0
    started = time.monotonic()
    try:
        engine.job(job, payload)
    except ThinkpaneError as error:
        told = error.problem.message if error.problem.kind in ("worker", "crash") else ""
    seconds, waited, grown = time.monotonic() - started, pool.waited, most() - before
    pool.gone()
    gone = time.monotonic() - started - seconds
    started = time.monotonic()
    text = engine.render(ORDINARY).text
    following = (time.monotonic() - started) * 1000
    told = told or ("" if text == "hi" else "the next render is wrong")
    return Found(seconds - waited, waited, gone, grown, following, told)


def measure(engine: Engine, pool: Watched, templates: Sequence[Hostile], jobs: Sequence[str]) -> int:
    """Prints the worst of each figure over these templates and jobs; gives how many were not contained."""
    found = {(each.name, job): one(engine, pool, each, job) for each in templates for job in jobs}
    bad = sorted(key for key, each in found.items() if not each.is_contained)
    for key in bad:
        print(f"  {key}: {found[key]}")
    print(f"Contained: {len(found) - len(bad)} of {len(found)} ({len(templates)} templates, {len(jobs)} jobs)")
    print(f"  over after at most {max(each.over for each in found.values()):.2f} s", end="")
    print(f", and a lost worker gone {max(each.gone for each in found.values()):.2f} s later")
    print(f"  before that a worker was waited for, at most {max(each.waited for each in found.values()):.2f} s")
    grown = sum(each.grown for each in found.values())
    print(f"  the most that the main process ever held grew by {grown:.1f} MiB in all")
    times = sorted(each.following for each in found.values())
    print(f"  the next render: right, {times[len(times) // 2]:.1f} ms in the middle, {times[-1]:.0f} ms at most")
    prompt = sum(each <= NEXT for each in times)
    print(f"  {prompt} of {len(found)} within {NEXT:g} ms, on a machine with a load of {os.getloadavg()[0]:.1f}")
    return len(bad)


def main() -> int:
    """Exit status 1 where one was not contained."""
    engine = Engine()
    engine._pool = pool = Watched(worker_command(), 2)
    engine.warm()
    engine.render(ORDINARY)
    known = [each for each in hostile() if not each.name.startswith("own")]
    own = [each for each in hostile() if each.name.startswith("own")]
    bad = measure(engine, pool, known, [*worker_jobs()]) + measure(engine, pool, own, ["render", "trace"])
    engine.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

"""The worker process: runs jobs from the table it is given, one at a time, until its input ends.

Requests and replies are frames (frames.py) on the pipes that stand in place of standard input and output:
    ready   {"ready": true} once, or {"ready": false, "error": text}
    in      {"job": name, "payload": {…}, "deadline": seconds, "mark": text}; of many messages the new ones (kept.py)
    out     {"result": {…}} or {"problem": {…}}, the same "mark", and "spent": true where the worker should be replaced
"""

import gc
import os
from collections.abc import Callable, Mapping
from typing import BinaryIO, TypeAlias, cast

from thinkpane.engine.confine import MEMORY_CAP, allow_processor, confine
from thinkpane.engine.frames import REPLY, FrameTooLong, encoded, read_frame
from thinkpane.engine.freed_memory import keep_freed_memory
from thinkpane.engine.kept import Kept, Said
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

JobTable: TypeAlias = Mapping[str, Callable[[JsonObject], JsonObject]]
"""What a worker can do: a name, and what makes a result of a payload. A result's key `spent` is the worker's own."""


def run(load: Callable[[], JobTable], memory_cap: int = MEMORY_CAP, starts_threads: bool = False) -> int:
    """Serves jobs until the input ends; `load` imports all that they need. Gives the exit status.

    memory_cap, starts_threads: see `confine`.
    """
    requests, replies = pipes()
    try:
        jobs = load()
        keep_freed_memory()
        confine(memory_cap, starts_threads)
    except Exception as error:  # noqa: BLE001 - the parent must hear of it, whatever it is
        _send(replies, {"ready": False, "error": f"{type(error).__name__}: {error}"})
        return 1
    gc.collect()
    gc.freeze()
    _send(replies, {"ready": True})
    kept, said = Kept(), Said()
    while (request := read_frame(requests)) is not None:
        allow_processor(float(cast("float", request["deadline"])))
        payload = kept.whole(cast("JsonObject", request["payload"]))
        _answer(replies, said, _done(jobs, cast("str", request["job"]), payload), request["mark"])
    # Leaving the ordinary way would run exit hooks, which the audit hook would refuse one by one.
    os._exit(0)


def pipes() -> tuple[BinaryIO, BinaryIO]:
    """The real input and output; what anything prints from now on goes nowhere."""
    requests, replies = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return os.fdopen(requests, "rb"), os.fdopen(replies, "wb")


def _done(jobs: JobTable, name: str, payload: JsonObject) -> JsonObject:
    try:
        result = jobs[name](payload)
    except ThinkpaneError as error:
        return _failed(error.problem)
    except RecursionError:
        problem = Problem("recursion", "The template nests too deeply.")
    except MemoryError:
        problem = Problem("memory", "The template needs more memory than a worker may have.")
    except Exception as error:  # noqa: BLE001 - a job works on foreign text and may end in anything
        problem = Problem("worker", f"The job failed: {type(error).__name__}: {str(error)[:1000]}")
    else:
        spent = bool(result.pop("spent", False))
        return {"result": result, "spent": spent}
    return _failed(problem)


def _failed(problem: Problem) -> JsonObject:
    spent = problem.kind in ("memory", "recursion")
    return {"problem": cast("JsonObject", problem.as_json()), "spent": spent}


def _answer(replies: BinaryIO, said: Said, reply: JsonObject, mark: JsonValue) -> None:
    try:
        frame = encoded(said.shortened(reply) | {"mark": mark}, REPLY)
    except FrameTooLong:
        problem = Problem("output", "The result is larger than a worker may give.")
    except (MemoryError, RecursionError):
        problem = Problem("memory", "The result needs more memory than a worker may have.")
    else:
        replies.write(frame)
        replies.flush()
        return
    reply.clear()
    said.forget()
    _send(replies, _failed(problem) | {"mark": mark})


def _send(replies: BinaryIO, message: JsonObject) -> None:
    replies.write(encoded(message))
    replies.flush()

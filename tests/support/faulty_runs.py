"""A run that meets a network fault, seen to its end; used by a test, and by the table that `make faults` prints."""

from support.faulty_ways import reached
from support.network_fault import RAW, SAID, THOUGHT, NetworkFault, bytes_of
from support.patience import PATIENCE
from thinkpane.endpoints.client import Client
from thinkpane.endpoints.dialects._api import Call
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.profile import Endpoint
from thinkpane.runs.run import Run
from thinkpane.runs.runner import Runner


def met(api: str, fault: NetworkFault) -> tuple[Run, int]:
    """The run, over and drained, and how many requests the server got."""
    runner = Runner(Client)
    dialect = dialect_named(api)
    call = Call(
        dialect.path, "m", messages=[{"role": "user", "content": "Hello?"}], prompt="Hello?" if api in RAW else None
    )
    try:
        with reached(fault, bytes_of(api).script(fault.script)) as server:
            endpoint = Endpoint("here", api, server.url, connection=server.connection)
            run = runner.start(endpoint, dialect, call, deadlines=fault.deadlines)
            run.wait(PATIENCE)
            run.drain()
            return run, server.requests()
    finally:
        runner.close()


def wrong(run: Run, requests: int, fault: NetworkFault) -> str:
    """What is not as it must be, "" where all is."""
    problem = run.problem
    kind, name = (problem.kind, str(problem.detail.get("class", ""))) if problem else ("", "")
    found = run.transcript
    if not run.is_over:
        return "it did not end"
    if kind != fault.kind or (fault.class_ and name != fault.class_):
        return f"it ended in {kind or 'success'} {name}, not in {fault.kind or 'success'} {fault.class_}"
    if found.is_clean != (fault.kind == ""):
        return "a cut reply counts as whole" if found.is_clean else "a whole reply counts as cut"
    if fault.keeps and (found.thinking.strip("\n"), found.answer.strip("\n")) != (THOUGHT, SAID):
        return f"text was lost: {found.thinking!r}, {found.answer!r}"
    if requests > fault.requests:
        return f"{requests} requests went out"
    if problem is not None and ("\n" in problem.message or len(problem.message) > 900):
        return "its sentence is none"
    return ""

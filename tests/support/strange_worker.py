"""A worker whose jobs do what no template may: started by the engine's tests as a child process."""

import os
import socket
import subprocess
import sys
from pathlib import Path

from thinkpane.engine.worker import run
from thinkpane.formats.json_values import JsonObject, JsonValue


def _tried(what: str) -> None:
    if what == "read":
        Path("/etc/hostname").read_text()
    elif what == "write":
        Path("written").write_text("x")
    elif what == "connect":
        socket.create_connection(("127.0.0.1", 9), timeout=1)
    elif what == "start":
        subprocess.run(["true"], check=False)
    elif what == "system":
        os.system("true")
    elif what == "kill":
        os.kill(os.getppid(), 0)
    elif what == "import":
        __import__("sqlite3")


def _try(payload: JsonObject) -> JsonObject:
    try:
        _tried(str(payload["what"]))
    except PermissionError as error:
        return {"refused": str(error)}
    return {"refused": None}


def _environment(_payload: JsonObject) -> JsonObject:
    return {"names": list[JsonValue](sorted(os.environ))}


def _print(_payload: JsonObject) -> JsonObject:
    sys.__stdout__.write("garbage\n" * 1000)  # type: ignore[union-attr]
    sys.__stdout__.flush()  # type: ignore[union-attr]
    os.write(1, b"more garbage")
    return {"read": os.read(0, 100).decode()}


def _die(payload: JsonObject) -> JsonObject:
    os._exit(int(str(payload["status"])))


def _pid(_payload: JsonObject) -> JsonObject:
    return {"pid": os.getpid()}


def _spent(_payload: JsonObject) -> JsonObject:
    return {"pid": os.getpid(), "spent": True}


def _fail(_payload: JsonObject) -> JsonObject:
    raise LookupError("what was asked for")


def _spin(_payload: JsonObject) -> JsonObject:
    while True:
        pass


def _garble(_payload: JsonObject) -> JsonObject:
    for descriptor in range(3, 16):
        try:
            os.write(descriptor, b"\0\0\0\3{x}")
        except OSError:
            continue
    return {}


if __name__ == "__main__":
    sys.exit(
        run(
            lambda: {
                "try": _try,
                "environment": _environment,
                "print": _print,
                "die": _die,
                "pid": _pid,
                "spent": _spent,
                "fail": _fail,
                "spin": _spin,
                "garble": _garble,
            }
        )
    )

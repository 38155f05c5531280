"""A request elsewhere takes the endpoint's way to its server."""

import ast
import os
import shlex
import subprocess
import sys

import pytest

from support.patience import PATIENCE
from support.proxy_server import ProxyServer
from support.server import Server, answer
from thinkpane.cli.request_forms import as_curl, as_python
from thinkpane.endpoints.connection import Connection
from thinkpane.endpoints.dialects._api import HttpRequest


def request(connection: Connection, url: str = "http://h/v1") -> HttpRequest:
    return HttpRequest("POST", url, (("X-A", "b"),), {"q": 1}, connection=connection)


@pytest.mark.parametrize(
    ("connection", "words"),
    [
        (Connection(), []),
        (Connection(http2=True), ["--http2"]),
        (Connection(proxy="none"), ["--noproxy", "*"]),
        (Connection(proxy="http://p:1"), ["--proxy", "http://p:1"]),
        (Connection(proxy="env:CORP"), ["--proxy", "$CORP"]),
        (Connection(ca_file="/my files/ca.pem"), ["--cacert", "/my files/ca.pem"]),
    ],
)
def test_curl(connection: Connection, words: list[str]) -> None:
    found = shlex.split(as_curl(request(connection), has_key=False).replace("\\\n", " "))
    assert found[5 : 5 + len(words)] == words
    assert found[5 + len(words)] == "-H"


@pytest.mark.parametrize(
    "connection", [Connection(), Connection(proxy="none"), Connection(proxy="env:CORP", ca_file="ca.pem")]
)
def test_python_can_be_read(connection: Connection) -> None:
    for has_key in (False, True):
        program = as_python(request(connection), has_key=has_key, key_env="KEY")
        ast.parse(program)
        lines = program.partition("\n\n")[0].split("\n")
        assert lines == sorted(set(lines))
        assert ("import ssl" in lines) is bool(connection.ca_file)
        assert ("import os" in lines) is (has_key or connection.proxy == "env:CORP")


@pytest.mark.parametrize("proxy", ["address", "env:THINKPANE_TEST_PROXY", "none"])
def test_python_takes_the_proxy_when_it_runs(proxy: str) -> None:
    with Server([answer(b"direct")]) as server, ProxyServer(answer=answer(b"by proxy")) as way:
        program = as_python(
            request(Connection(proxy=way.url if proxy == "address" else proxy), server.url), has_key=False
        )
        environment = {**os.environ, "THINKPANE_TEST_PROXY": way.url}
        words = [sys.executable, "-c", program]
        told = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=PATIENCE, check=False)
    assert told.stdout.strip() == ("direct" if proxy == "none" else "by proxy"), told.stderr

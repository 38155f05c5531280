"""A request as people take it elsewhere: a JSON object, a curl line, a piece of Python. The key never stands in it."""

import pprint
import shlex

from thinkpane.endpoints.connection import NO_PROXY, VARIABLE, Connection
from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.strict_json import dump

MASK = "***"


def as_json(request: HttpRequest, *, has_key: bool) -> JsonObject:
    """{url, method, headers, body, warnings, notes}; warnings are ids (`id:message`), notes their sentences."""
    warnings: list[JsonValue] = [_id(warning) for warning in request.warnings]
    notes: list[JsonValue] = [warning.message for warning in request.warnings]
    return {
        "url": request.url,
        "method": request.method,
        "headers": _headers(request, MASK if has_key else ""),
        "body": request.body,
        "warnings": warnings,
        "notes": notes,
    }


def as_curl(request: HttpRequest, *, has_key: bool, key_env: str = "") -> str:
    """A curl command; the key is the shell's variable `key_env`, else the mask."""
    parts = ["curl", "--no-buffer", "-X", request.method, shlex.quote(request.url)]
    lines = [" ".join([*parts, *_curl_way(request.connection)])]
    for name, value in _headers(request, "").items():
        lines.append(f"-H {shlex.quote(f'{name}: {value}')}")
    if has_key:
        secret = f"{request.secret.name}: {request.secret.prefix}"
        lines.append(f'-H "{secret}${{{key_env}}}"' if key_env else f"-H {shlex.quote(secret + MASK)}")
    lines.append(f"--data-raw {shlex.quote(dump(request.body, indent=None))}")
    return " \\\n  ".join(lines)


def as_python(request: HttpRequest, *, has_key: bool, key_env: str = "") -> str:
    """A Python program that needs nothing installed; the key comes from the environment, else stands as the mask."""
    key = f"os.environ[{key_env!r}]" if key_env else repr(MASK)
    headers = "\n".join(f"    {name!r}: {value!r}," for name, value in _headers(request, "").items())
    if has_key:
        headers += f"\n    {request.secret.name!r}: {request.secret.prefix!r} + {key},"
    imports = ["import json", *(["import os"] if has_key and key_env else []), "import urllib.request"]
    opening, way = _python_way(request.connection)
    imports += ["import ssl"] if "ssl." in "".join(way) else []
    imports += ["import os"] if "os." in "".join(way) and "import os" not in imports else []
    return "\n".join(
        [
            *sorted(imports),
            "",
            f"body = {pprint.pformat(request.body, width=100, sort_dicts=False)}",
            f"headers = {{\n{headers}\n}}",
            "request = urllib.request.Request(",
            f"    {request.url!r}, json.dumps(body).encode(), headers, method={request.method!r}",
            ")",
            *way,
            f"with {opening}(request) as reply:",
            "    for line in reply:",
            '        print(line.decode(), end="")',
        ]
    )


def _curl_way(connection: Connection) -> list[str]:
    """The endpoint's way to its server; what the environment says curl reads by itself."""
    words = ["--http2"] if connection.http2 else []
    proxy = connection.proxy
    if proxy == NO_PROXY:
        words += ["--noproxy", "'*'"]
    elif proxy.startswith(VARIABLE):
        words += ["--proxy", f'"${proxy.removeprefix(VARIABLE)}"']
    elif proxy:
        words += ["--proxy", shlex.quote(proxy)]
    return words + (["--cacert", shlex.quote(connection.ca_file)] if connection.ca_file else [])


def _python_way(connection: Connection) -> tuple[str, list[str]]:
    """What opens the request, and the lines before it. HTTP/2 is left out: urllib has none."""
    proxy, handlers = connection.proxy, []
    if proxy == NO_PROXY:
        handlers.append("urllib.request.ProxyHandler({})")
    elif proxy:
        address = f"os.environ[{proxy.removeprefix(VARIABLE)!r}]" if proxy.startswith(VARIABLE) else repr(proxy)
        handlers.append(f"urllib.request.ProxyHandler({{'http': {address}, 'https': {address}}})")
    lines = []
    if connection.ca_file:
        lines += ["trusted = ssl.create_default_context()", f"trusted.load_verify_locations({connection.ca_file!r})"]
        handlers.append("urllib.request.HTTPSHandler(context=trusted)")
    if not handlers:
        return "urllib.request.urlopen", []
    return "opener.open", [*lines, f"opener = urllib.request.build_opener({', '.join(handlers)})"]


def _headers(request: HttpRequest, mask: str) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = dict(request.headers)
    if mask:
        found[request.secret.name] = request.secret.prefix + mask
    return found


def _id(warning: Problem) -> str:
    return warning.kind if warning.message_index is None else f"{warning.kind}:{warning.message_index}"

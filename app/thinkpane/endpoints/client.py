"""The only place that speaks HTTP: one asyncio loop in one thread, which reads raw bytes and hands them to a sink.

Nothing is retried here, no redirect is followed, no cookie is kept, and a key goes to its own origin only.
"""

import asyncio
import contextlib
import http.cookiejar
import logging
import ssl
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urljoin

import httpx

from thinkpane.endpoints import client_errors
from thinkpane.endpoints.authorities import trusted, version_of
from thinkpane.endpoints.connection import USUAL, Connection, Via
from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import BEARER, HttpRequest, SecretHeader
from thinkpane.endpoints.dialects._errors import http_problem, not_a_stream
from thinkpane.endpoints.inflate import Inflater
from thinkpane.endpoints.outgoing import checked_origin, outgoing_body, outgoing_headers
from thinkpane.endpoints.profile import origin_of
from thinkpane.endpoints.proxies import Proxy, proxy_for
from thinkpane.endpoints.redact import Hidden, StreamRedactor, redact, redacted_headers
from thinkpane.endpoints.secret import Secret
from thinkpane.endpoints.sink import Sink
from thinkpane.endpoints.whole_answer import WholeAnswer
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonValue

ERROR_BODY = 256 * 1024
"""Bytes that are read of an HTTP error's body."""

_CLOSING_SECONDS = 5.0
_T = TypeVar("_T")

# They would write whole URLs and, when debugging, headers into whatever log there is.
for _name in ("httpx", "httpcore", "h2", "hpack", "hyperframe"):
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)


class Client:
    """Sends requests. Thread-safe; `close` ends the thread and all that is under way."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: seconds, for the milliseconds that sinks get."""
        self._clock = clock
        self._loop = asyncio.new_event_loop()
        self._http: dict[tuple[bool, str, str, float], httpx.AsyncClient] = {}
        self._tasks: set[asyncio.Task[Problem | None]] = set()
        self._closed = False
        self._thread = threading.Thread(target=self._run_loop, name="thinkpane-client", daemon=True)
        self._thread.start()

    def send(
        self,
        request: HttpRequest,
        key: Secret | None,
        sink: Sink,
        deadlines: Deadlines,
        on_sent: Callable[[float], None] | None = None,
    ) -> "Transfer":
        """Sends `request` and returns at once; what comes goes to `sink`, on the client's thread.

        on_sent: called there with the milliseconds when the whole request is out. Faults, those of the request
        itself too, end in `sink.over`. Raises RuntimeError after `close`.
        """
        if self._closed:
            raise RuntimeError("the client is closed")
        transfer = Transfer(self, request, key, sink, deadlines, on_sent)
        self.call_soon(transfer.begin)
        return transfer

    def get_json(
        self,
        url: str,
        key: Secret | None,
        deadline: float,
        cap: int,
        *,
        secret: SecretHeader = BEARER,
        headers: tuple[tuple[str, str], ...] = (),
        connection: Connection = USUAL,
    ) -> JsonValue:
        """The JSON at `url`; blocks for at most `deadline` seconds. cap: the most bytes it may have.

        Raises ThinkpaneError where there is none, and RuntimeError on the client's own thread, which would wait for
        itself.
        """
        if threading.current_thread() is self._thread:
            raise RuntimeError("get_json would block the client's own thread")
        accept = ("Accept", "application/json")
        request = HttpRequest("GET", url, (accept, *headers), {}, secret, connection=connection)
        answer = WholeAnswer(cap, "The server's answer")
        self.send(request, key, answer, Deadlines(deadline, deadline, deadline, deadline))
        return _json_of(answer)

    def close(self) -> None:
        """Stops all that is under way and ends the thread. From any other thread, as often as one likes."""
        if self._closed:
            return
        self._closed = True
        ending = asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        with contextlib.suppress(TimeoutError):
            ending.result(_CLOSING_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_CLOSING_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    def now(self) -> float:
        """Seconds by the client's clock."""
        return self._clock()

    def call_soon(self, act: Callable[[], None]) -> None:
        """Has the client's thread call `act`. Raises RuntimeError once the thread has ended."""
        self._loop.call_soon_threadsafe(act)

    # On the client's thread.

    def start(self, work: Coroutine[Any, Any, Problem | None]) -> "asyncio.Task[Problem | None]":
        """Starts `work` and holds on to it until it is done; at once cancelled where the client is closing."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self._closed:
            task.cancel()
        return task

    def http(self, connection: Connection, proxy: Proxy | None) -> httpx.AsyncClient:
        """The HTTP client for that way; made on first use, since reading the certificates takes a while.

        Raises ThinkpaneError (kind "proxy", "tls").
        """
        way = (connection.http2, proxy.url if proxy else "", connection.ca_file, version_of(connection.ca_file))
        if way not in self._http:
            authorities = trusted(connection.ca_file)
            try:
                self._http[way] = httpx.AsyncClient(
                    headers={"User-Agent": "Thinkpane"},
                    cookies=http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(allowed_domains=[])),
                    follow_redirects=False,
                    # What the environment says of proxies and authorities is read by us.
                    trust_env=False,
                    proxy=_for_httpx(proxy, authorities),
                    verify=authorities,
                    http2=connection.http2,
                    # A kept connection may be dead, which only a request that is lost shows.
                    limits=httpx.Limits(max_connections=None, max_keepalive_connections=0),
                )
            except (ImportError, ValueError, httpx.InvalidURL):
                # The fault's own words may hold the proxy's password.
                what = f"The proxy that the {proxy.named_by} names" if proxy else "HTTP/2"
                raise ThinkpaneError(Problem("proxy", f"{what} cannot be used.")) from None
        return self._http[way]

    def _run_loop(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    async def _end(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for client in self._http.values():
            await client.aclose()
        await self._loop.shutdown_asyncgens()


class Transfer:
    """One request and its reply; the Handle that `Client.send` returns."""

    def __init__(
        self,
        client: Client,
        request: HttpRequest,
        key: Secret | None,
        sink: Sink,
        deadlines: Deadlines,
        on_sent: Callable[[float], None] | None,
    ) -> None:
        self._client = client
        self._request = request
        self._key = key
        self._secrets: tuple[Hidden, ...] = () if key is None else (key,)
        self._proxy: Proxy | None = None
        self._sink = sink
        self._deadlines = deadlines
        self._on_sent = on_sent
        self._redactor = StreamRedactor(self._secrets)
        self._origin = ""
        self._began = client.now()
        self._task: asyncio.Task[Problem | None] | None = None

    def stop(self) -> None:
        """Ends it soon; the sink's `over` follows with a problem of kind "stopped"."""
        # A closed client has ended it already.
        with contextlib.suppress(RuntimeError):
            self._client.call_soon(self._cancel)

    def begin(self) -> None:
        """Starts the work; on the client's thread."""
        self._task = self._client.start(self._work())
        self._task.add_done_callback(self._on_task_done)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _on_task_done(self, task: "asyncio.Task[Problem | None]") -> None:
        """Ends the sink; being the task's callback, it is called once however the task ends."""
        if task.cancelled():
            problem: Problem | None = Problem("stopped", "Stopped.")
        elif (fault := task.exception()) is not None:
            problem = Problem("internal", f"Reading the reply failed: {type(fault).__name__}: {fault}.")
        else:
            problem = task.result()
        if problem is not None:
            problem = replace(problem, message=redact(problem.message, self._secrets, "error"))
        self._sink.over(problem, self._ms())

    async def _work(self) -> Problem | None:
        total = self._deadlines.total
        try:
            await self._within("total", total, self._exchange())
        except ThinkpaneError as error:
            return error.problem
        return None

    async def _exchange(self) -> None:
        self._origin = checked_origin(self._request.url)
        self._take_way()
        http_client = self._client.http(self._request.connection, self._proxy)
        request = self._built(http_client)
        response = await self._within("headers", self._deadlines.headers, self._answered(http_client, request))
        self._redactor = StreamRedactor(self._secrets, "error" if response.status_code >= 400 else "reply")
        try:
            via = Via(response.http_version, self._through)
            self._sink.head(response.status_code, self._headers(response), self._ms(), via)
            self._refuse_redirect(response)
            try:
                await self._read(response)
            finally:
                self._give(self._redactor.close())
        finally:
            await response.aclose()

    @property
    def _through(self) -> str:
        """The origin of the proxy on the way, "" where there is none."""
        return self._proxy.origin if self._proxy else ""

    def _take_way(self) -> None:
        """Finds the proxy; its password is masked from here on."""
        self._proxy = proxy_for(self._request.url, self._request.connection)
        if self._proxy is not None:
            self._secrets += self._proxy.passwords

    def _built(self, http_client: httpx.AsyncClient) -> httpx.Request:
        """The request for httpx, its host read by httpx itself the same as by us."""
        asked = self._request
        headers = outgoing_headers(asked, self._key)
        limits = httpx.Timeout(None, connect=self._deadlines.connect)
        extensions: dict[str, Any] = {"timeout": limits.as_dict(), "trace": self._on_trace}
        try:
            url = httpx.URL(asked.url)
        except httpx.InvalidURL:
            raise ThinkpaneError(Problem("url", "The address cannot be read as a web address.")) from None
        port = url.port or (443 if url.scheme == "https" else 80)
        if f"{url.scheme}://{url.host}:{port}" != self._origin:
            raise ThinkpaneError(Problem("url", "The address can be read as two different hosts; nothing was sent."))
        return http_client.build_request(
            asked.method, url, content=outgoing_body(asked), headers=headers, extensions=extensions
        )

    async def _answered(self, http_client: httpx.AsyncClient, request: httpx.Request) -> httpx.Response:
        through = self._through
        try:
            return await http_client.send(request, stream=True)
        except httpx.ConnectTimeout:
            problem = client_errors.timeout_problem("connect", self._deadlines.connect, self._origin)
        except httpx.ConnectError as fault:
            problem = client_errors.connect_problem(fault, self._origin, through)
        except httpx.ProxyError as fault:
            problem = client_errors.proxy_problem(fault, self._origin, through)
        except httpx.TransportError as fault:
            problem = client_errors.head_problem(fault, self._origin, through)
        raise ThinkpaneError(problem)

    async def _read(self, response: httpx.Response) -> None:
        """Hands on the body, of an error answer only the beginning."""
        inflater = Inflater(response.headers.get("content-encoding", ""))
        left = ERROR_BODY if response.status_code >= 400 else None
        pieces = response.aiter_raw()
        while True:
            try:
                data = await self._within("idle", self._deadlines.idle, anext(pieces, None))
            except httpx.TransportError as fault:
                raise ThinkpaneError(client_errors.body_problem(fault, self._origin, self._through)) from None
            if data is None:
                return
            for piece in inflater.feed(data):
                self._give(self._redactor.feed(piece if left is None else piece[:left]))
                if left is not None:
                    left -= min(left, len(piece))
                    if not left:
                        return

    async def _within(self, what: str, seconds: float | None, work: Awaitable[_T]) -> _T:
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError:
            raise ThinkpaneError(client_errors.timeout_problem(what, seconds, self._origin)) from None

    def _refuse_redirect(self, response: httpx.Response) -> None:
        if 300 <= response.status_code < 400:
            target = origin_of(urljoin(self._request.url, response.headers.get("location", "")))
            raise ThinkpaneError(client_errors.redirect_problem(response.status_code, target, self._origin))

    def _headers(self, response: httpx.Response) -> Mapping[str, str]:
        return redacted_headers(dict(response.headers.items()), self._secrets)

    def _give(self, data: bytes) -> None:
        if data:
            self._sink.data(data, self._ms())

    async def _on_trace(self, name: str, info: Mapping[str, Any]) -> None:
        if self._on_sent is not None and name.endswith("send_request_body.complete"):
            self._on_sent(self._ms())

    def _ms(self) -> float:
        return (self._client.now() - self._began) * 1000


def _for_httpx(proxy: Proxy | None, authorities: ssl.SSLContext) -> httpx.Proxy | None:
    if proxy is None:
        return None
    return httpx.Proxy(proxy.url, ssl_context=authorities if proxy.origin.startswith("https:") else None)


def _json_of(answer: WholeAnswer) -> JsonValue:
    """Waits for the answer and reads it as JSON; raises ThinkpaneError where it is none."""
    answer.wait()
    if answer.problem is not None:
        raise ThinkpaneError(answer.problem)
    if answer.status >= 400:
        raise ThinkpaneError(http_problem(answer.status, answer.headers, bytes(answer.body)))
    try:
        return strict_json.parse_bytes(bytes(answer.body))
    except ThinkpaneError:
        raise ThinkpaneError(not_a_stream(bytes(answer.body))) from None

"""Fetching files in ranges, so that a download goes on where it was broken off and a large file's head is enough."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urljoin, urlsplit

from thinkpane.errors import ThinkpaneError
from thinkpane.templates.files import file_problem, source_problem
from thinkpane.templates.reach import OFFLINE, Reach, Reply, refused

PIECE: Final = 4 * 2**20
"""Bytes of one range."""
REDIRECTS: Final = 5
HEAD_LIMIT: Final = 64 * 2**20
"""Bytes of a remote GGUF file that are fetched at most; the largest vocabularies need about 20 MB."""
_WORDS: Final = 64 * 2**10

_RANGE = re.compile(r"bytes (?P<start>\d+)-\d+/(?P<total>\d+)")


def fetched(reach: Reach, url: str, headers: Mapping[str, str], limit: int) -> Reply:
    """The answer for `url`, redirects followed as the Hub needs them: never to plain HTTP, each asked for anew.

    Raises ThinkpaneError (kind "template_source") for more than `REDIRECTS` or a redirect to elsewhere than the web.
    """
    at = url
    for _ in range(REDIRECTS + 1):
        reply = reach.ask(at, {"Accept-Encoding": "identity", **headers}, limit=limit)
        if reply.status not in (301, 302, 303, 307, 308):
            return reply
        target = urljoin(at, reply.headers.get("location", ""))
        if urlsplit(target).scheme not in ("https", urlsplit(at).scheme):
            raise source_problem(f"“{url}” leads to “{target[:100]}”, which is not followed.")
        at = target
    raise source_problem(f"“{url}” leads on and on: more than {REDIRECTS} redirects are not followed.")


@contextmanager
def told_disk_faults() -> Iterator[None]:
    """Tells a fault of the cache's disk as ThinkpaneError (kind "file")."""
    try:
        yield
    except OSError as fault:
        raise file_problem(f"The cache cannot be used: {fault.strerror or fault} ({fault.filename}).") from None


@told_disk_faults()
def download(reach: Reach, url: str, target: Path, limit: int) -> bool:
    """Brings the file at `url` to `target`, going on from the part that is there; False where there is no such file.

    limit: bytes it may have. Raises ThinkpaneError where it is longer, refused, or the network fails: what was
    fetched is kept beside `target` and used the next time.
    """
    part = target.with_name(target.name + ".part")
    target.parent.mkdir(parents=True, exist_ok=True)
    while True:
        have = part.stat().st_size if part.exists() else 0
        reply = fetched(reach, url, {"Range": f"bytes={have}-{have + PIECE - 1}"}, limit)
        if reply.status == 404:
            return False
        if reply.status == 206:
            total = _append(part, have, reply, url)
            if total > limit:
                part.unlink()
                raise source_problem(f"“{url}” has more than the {limit // 2**20} MiB such a file may have.")
            if have + len(reply.body) < total:
                continue
        elif reply.status == 416 and have:
            # The part is longer than the file is now: begin anew.
            part.unlink()
            continue
        elif reply.status in (200, 416):
            part.write_bytes(reply.body if reply.status == 200 else b"")
        else:
            raise refused(url, reply)
        part.replace(target)
        return True


def _append(part: Path, have: int, reply: Reply, url: str) -> int:
    start, total = _range_of(reply, url)
    if start != have or not reply.body:
        raise source_problem(f"“{url}” answers with another range than was asked for.")
    with part.open("ab") as opened:
        opened.write(reply.body)
    return total


def _range_of(reply: Reply, url: str) -> tuple[int, int]:
    found = _RANGE.fullmatch(reply.headers.get("content-range", ""))
    if found is None:
        raise source_problem(f"“{url}” does not say which range it answers with.")
    return int(found["start"]), int(found["total"])


class KeptHead:
    """The beginning of a remote file, kept in the cache and extended by ranges; its `read` is a gguf.ReadBytes.

    Where the network fails, what is kept is read. `offline` says so.
    """

    @told_disk_faults()
    def __init__(self, reach: Reach, url: str) -> None:
        """Asks for the file's first bytes, and drops what is kept of another version of it.

        Raises ThinkpaneError where the file cannot be had and nothing of it is kept.
        """
        self._reach = reach
        self._url = url
        folder = reach.cache / "heads"
        key = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:40]
        self._file, self._mark = folder / f"{key}.head", folder / f"{key}.version"
        folder.mkdir(parents=True, exist_ok=True)
        self.offline = False
        try:
            self._total, version = self._first()
        except ThinkpaneError as fault:
            kept = self._kept_version().partition("\n")[0]
            if fault.problem.kind not in OFFLINE or not kept.isdecimal():
                raise
            self.offline = True
            self._total = int(kept)
            return
        if self._kept_version() != version:
            self._file.write_bytes(b"")
            self._mark.write_text(version, encoding="utf-8")

    @told_disk_faults()
    def read(self, offset: int, length: int) -> bytes:
        """The bytes from `offset`, at most `length`. Raises ThinkpaneError."""
        end = min(offset + length, self._total)
        have = self._file.stat().st_size
        while have < end:
            reply = self._range(have, min(end, have + PIECE))
            start, _ = _range_of(reply, self._url)
            if start != have or not reply.body:
                raise source_problem(f"“{self._url}” answers with another range than was asked for.")
            with self._file.open("ab") as opened:
                opened.write(reply.body)
            have += len(reply.body)
        with self._file.open("rb") as opened:
            opened.seek(offset)
            return opened.read(max(0, end - offset))

    @property
    def file(self) -> Path:
        """Where what was read so far is kept, from the file's first byte on."""
        return self._file

    def _kept_version(self) -> str:
        return (
            self._mark.read_text(encoding="utf-8", errors="replace")
            if self._file.exists() and self._mark.exists()
            else ""
        )

    def _first(self) -> tuple[int, str]:
        reply = self._range(0, 4)
        _, total = _range_of(reply, self._url)
        mark = reply.headers.get("etag") or reply.headers.get("last-modified", "")
        return total, f"{total}\n{mark}"

    def _range(self, start: int, end: int) -> Reply:
        # Room for the words of a refusal, which are longer than the first range.
        limit = max(end - start, _WORDS)
        try:
            reply = fetched(self._reach, self._url, {"Range": f"bytes={start}-{end - 1}"}, limit)
        except ThinkpaneError as fault:
            if fault.problem.kind != "limit":
                raise
            raise self._only_whole() from None
        if reply.status == 200:
            raise self._only_whole()
        if reply.status != 206:
            raise refused(self._url, reply)
        return reply

    def _only_whole(self) -> ThinkpaneError:
        return source_problem(f"“{self._url}” is sent only as a whole; its head cannot be read.")

"""What a worker process does to itself before it runs foreign code: limits, an empty environment, no way out.

The limits and the filter of system calls (seccomp.py) are the wall on Linux; elsewhere the parent watches the memory
(memory.py). The audit hook is a wall everywhere: it stops what would have to open, import, connect or start something.
"""

import importlib
import os
import sys
from pathlib import Path

from thinkpane.engine.seccomp import restrict

MEMORY_CAP = 512 * 1024 * 1024
"""Bytes of address space of a worker (docs/architecture.md, Caps)."""

MEMORY_LEFT = 384 * 1024 * 1024
"""Bytes a render gets at least, where the interpreter itself is large (frozen builds)."""

CPU_SLACK = 3
"""Seconds of processor time past the deadline: it only has to end a worker whose parent is gone."""

# Imported lazily by Jinja or by string methods: a template that is allowed to use them could not once the hook stands.
_WARM = (
    "jinja2.constants",
    "jinja2.debug",
    "html",
    "encodings.unicode_escape",
    "encodings.raw_unicode_escape",
    "pprint",
    "textwrap",
    "encodings.ascii",
    "encodings.latin_1",
    "encodings.utf_16",
    "encodings.utf_32",
    "encodings.utf_8_sig",
    "encodings.idna",
    "encodings.punycode",
    "encodings.cp1252",
)

_ALLOWED_EVENTS = frozenset(
    {
        "array.__new__",  # how a tokenizer's ids are held
        "builtins.id",
        "code.__new__",
        "compile",
        "exec",
        "object.__getattr__",
        "resource.setrlimit",
        "sys._getframe",
        "sys.unraisablehook",
    }
)


def confine(memory_cap: int = MEMORY_CAP, starts_threads: bool = False) -> None:
    """Limits this process for good; everything it will need must be imported already.

    memory_cap: bytes of address space. starts_threads: whether a library of its own does, which the filter of system
    calls would refuse; such a process goes without the filter, so that it must run no foreign code.
    """
    for name in _WARM:
        importlib.import_module(name)
    os.environ.clear()
    _limit(memory_cap)
    if not starts_threads:
        restrict()
    _stand_guard()


def allow_processor(seconds: float) -> None:
    """Lets this process work `seconds` more (and a little), then the system ends it; does nothing on Windows."""
    if sys.platform == "win32":
        return
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(usage.ru_utime + usage.ru_stime + seconds) + CPU_SLACK
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))


def _limit(memory_cap: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    for limit, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 16),
    ):
        resource.setrlimit(limit, (most, most))
    if sys.platform == "linux":
        cap = max(memory_cap, _address_space() + MEMORY_LEFT)
        resource.setrlimit(resource.RLIMIT_AS, (cap, cap))


def _address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _stand_guard() -> None:
    # Nothing that code could get hold of may change the hook: it is kept nowhere, and looks nothing up by name.
    def refuse(
        event: str,
        _arguments: tuple[object, ...],
        allowed: frozenset[str] = _ALLOWED_EVENTS,
        error: type[Exception] = PermissionError,
    ) -> None:
        if event not in allowed:
            raise error(f"a template may not do this: {event}")

    sys.addaudithook(refuse)

"""What a worker process does to itself before it runs foreign code: limits, an empty environment, no way out.

The limits are the wall on Linux; elsewhere the parent watches the memory (memory.py). The audit hook is a second
wall only: such hooks are no sandbox, but they stop what would have to open, connect or start something
(reference/security.md, section 2).
"""

import importlib
import os
import sys
from pathlib import Path

MEMORY_CAP = 512 * 1024 * 1024
"""Bytes of address space of a worker (DESIGN.md, Caps)."""

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
        "import",  # finding a module that is not loaded ends in "open", which is refused
        "object.__delattr__",
        "object.__getattr__",
        "object.__setattr__",
        "resource.setrlimit",
        "sys._getframe",
        "sys.unraisablehook",
    }
)


def confine(memory_cap: int = MEMORY_CAP) -> None:
    """Limits this process for good; everything it will need must be imported already.

    memory_cap: bytes of address space.
    """
    for name in _WARM:
        importlib.import_module(name)
    os.environ.clear()
    _limit(memory_cap)
    sys.addaudithook(_refuse)


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


def _refuse(event: str, _arguments: tuple[object, ...]) -> None:
    if event not in _ALLOWED_EVENTS:
        raise PermissionError(f"a template may not do this: {event}")

"""Takes from this process every system call that running a template does not need (Linux's seccomp, in filter mode).

It holds where nothing else would: for code that has left the sandbox and gone round Python's audit events. What is
refused fails with EPERM, so that Python says so and goes on. Source: the kernel's documentation of seccomp filters
and of classic BPF; call numbers are those of asm/unistd.h (x86-64) and asm-generic/unistd.h (64-bit ARM).
"""

import ctypes
import os
import struct
import sys

# Name -> its number on x86-64 and on 64-bit ARM: memory, time, the two pipes, signals' return, the end.
_CALLS = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "fstat": (5, 80),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "getpid": (39, 172),
    "exit": (60, 93),
    "gettimeofday": (96, 169),
    "getrusage": (98, 165),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "futex": (202, 98),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "exit_group": (231, 94),
    "getrandom": (318, 278),
    "rseq": (334, 293),
}
_PRLIMIT = (302, 261)
# Machine -> the column above, and the kernel's name of the architecture (linux/audit.h).
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06  # BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_RET|BPF_K
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | 1  # the last: errno EPERM
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2  # of prctl


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def restrict() -> bool:
    """Restricts this process for good; False where the system is another one or does not let it."""
    machine = os.uname().machine if sys.platform == "linux" and sys.maxsize > 2**32 else ""
    if machine not in _MACHINES:
        return False
    program = _program(*_MACHINES[machine])
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return False
    return not prctl(_SET_SECCOMP, _FILTER_MODE, ctypes.byref(_Program(len(program) // 8, program)), 0, 0)


def _program(column: int, architecture: int) -> bytes:
    """The filter: the right architecture; of prlimit only this process' own processor time; then the table."""
    steps = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, architecture, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
        _step(_EQUAL, _PRLIMIT[column], 0, 6),
        _step(_LOAD, _ARGUMENTS),
        _step(_EQUAL, 0, 0, 3),
        _step(_LOAD, _ARGUMENTS + 8),
        _step(_EQUAL, 0, 0, 1),
        _step(_RETURN, _ALLOW),
        _step(_RETURN, _REFUSE),
    ]
    for numbers in _CALLS.values():
        steps += [_step(_EQUAL, numbers[column], 0, 1), _step(_RETURN, _ALLOW)]
    return b"".join([*steps, _step(_RETURN, _REFUSE)])


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)

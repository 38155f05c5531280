"""How much memory another process holds, where the system does not cap it for us (macOS, Windows)."""

import subprocess
import sys

POLLED = sys.platform != "linux"
"""True where a worker's memory must be watched from outside: RLIMIT_AS only works on Linux."""

if sys.platform == "win32":

    def _bytes(pid: int) -> int | None:
        import ctypes
        from ctypes import wintypes

        class Counters(ctypes.Structure):
            """PROCESS_MEMORY_COUNTERS of psapi.h."""

            _fields_ = [("cb", wintypes.DWORD), ("PageFaultCount", wintypes.DWORD)] + [
                (name, ctypes.c_size_t)
                for name in (
                    "PeakWorkingSetSize",
                    "WorkingSetSize",
                    "QuotaPeakPagedPoolUsage",
                    "QuotaPagedPoolUsage",
                    "QuotaPeakNonPagedPoolUsage",
                    "QuotaNonPagedPoolUsage",
                    "PagefileUsage",
                    "PeakPagefileUsage",
                )
            ]

        kernel = ctypes.windll.kernel32
        query_limited_information = 0x1000
        handle = kernel.OpenProcess(query_limited_information, False, pid)
        if not handle:
            return None
        counters = Counters()
        counters.cb = ctypes.sizeof(counters)
        told = kernel.K32GetProcessMemoryInfo(handle, ctypes.byref(counters), counters.cb)
        kernel.CloseHandle(handle)
        return int(counters.PagefileUsage) if told else None

else:

    def _bytes(pid: int) -> int | None:
        done = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, timeout=5, check=False
        )
        return int(done.stdout) * 1024 if done.stdout.strip().isdigit() else None


def resident_bytes(pid: int) -> int | None:
    """Resident bytes of process `pid`, None where that cannot be told."""
    try:
        return _bytes(pid)
    except (OSError, subprocess.SubprocessError):
        return None  # who watches memory watches a deadline too, and has to go on

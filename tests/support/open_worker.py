"""A worker whose templates run in no sandbox and have Python's own tools at hand: what holds here is the confinement.

Started by tests as a child process. Its templates can reach everything that Python has loaded.
"""

import builtins
import gc
import os
import signal
import sys

import jinja2.sandbox
from jinja2 import Environment


class NoSandbox(Environment):
    """The environment that templates would have without a sandbox: nothing is unsafe, no format is wrapped."""

    def is_safe_attribute(self, _obj: object, _attr: str, _value: object) -> bool:
        """Nothing is refused."""
        return True

    def is_safe_callable(self, _obj: object) -> bool:
        """Nothing is refused."""
        return True

    def wrap_str_format(self, _value: object) -> None:
        """Nothing is watched."""


if __name__ == "__main__":  # whoever imports this keeps the sandbox
    jinja2.sandbox.ImmutableSandboxedEnvironment = NoSandbox  # type: ignore[assignment, misc]
    jinja2.sandbox.SandboxedEnvironment = NoSandbox  # type: ignore[assignment, misc]

from thinkpane.compose import worker_jobs  # noqa: E402 - the engine must find no sandbox
from thinkpane.engine import environment  # noqa: E402
from thinkpane.engine.worker import JobTable, run  # noqa: E402


def jobs() -> JobTable:
    """The program's jobs, whose templates also get what an escape would lead to."""
    build = environment.build_environment

    def opened(*args: object, **kwargs: object) -> Environment:
        made: Environment = build(*args, **kwargs)  # type: ignore[arg-type]
        made.globals.update(python=builtins, os=os, sys=sys, gc=gc, signal=signal)
        return made

    environment.build_environment = opened  # type: ignore[assignment]
    return worker_jobs()


if __name__ == "__main__":
    sys.exit(run(jobs))

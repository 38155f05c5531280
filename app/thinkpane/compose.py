"""The only place that joins rooms: builds the services, each when it is first asked for, and the worker's job table."""

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thinkpane.engine.host import Engine
    from thinkpane.engine.worker import JobTable


def worker_jobs() -> "JobTable":
    """What a worker process can do. Imported only there: these modules run foreign templates."""
    from thinkpane.engine.facts import constants_job
    from thinkpane.engine.rendering import render_job, render_many_job
    from thinkpane.engine.tracing import trace_job

    return {"render": render_job, "render_many": render_many_job, "constants": constants_job, "trace": trace_job}


class Services:
    """What the window and the commands work with. Nothing is imported or started before it is used."""

    @cached_property
    def engine(self) -> "Engine":
        """The one engine of this process; its workers start with the first job or with `warm`."""
        from thinkpane.engine.host import Engine

        return Engine()

    def close(self) -> None:
        """Ends what was started."""
        if "engine" in self.__dict__:
            self.engine.close()

"""The only place that joins rooms: builds the services, each when it is first asked for, and the worker's job table."""

import threading
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from thinkpane.analysis.analyst import Analyst
    from thinkpane.endpoints.asking import Answer
    from thinkpane.endpoints.client import Client
    from thinkpane.endpoints.recorded import Demo
    from thinkpane.engine.host import Engine
    from thinkpane.engine.worker import JobTable
    from thinkpane.folders import Folders
    from thinkpane.formats.json_values import JsonObject
    from thinkpane.runs.runner import Runner
    from thinkpane.templates.reach import Reach
    from thinkpane.workspace.endpoint_store import EndpointStore
    from thinkpane.workspace.keys import Keys
    from thinkpane.workspace.recent import Recent, RecentTemplates
    from thinkpane.workspace.settings import Settings

RENDER_SECONDS = "deadlines.render_seconds"

_making_client = threading.Lock()


def worker_jobs() -> "JobTable":
    """What a worker process can do. Imported only there: these modules run foreign templates."""
    from thinkpane.engine.facts import constants_job, facts_job
    from thinkpane.engine.lines_job import lines_job
    from thinkpane.engine.lint_facts import lint_facts_job
    from thinkpane.engine.lint_run import lint_run_job
    from thinkpane.engine.llamacpp_caps import llamacpp_caps_job
    from thinkpane.engine.owners_job import owners_job
    from thinkpane.engine.rendering import render_job, render_many_job
    from thinkpane.engine.runtime_facts import runtime_facts_job
    from thinkpane.engine.same_template import same_template_job
    from thinkpane.engine.text_jobs import damage_job, format_job, repair_job
    from thinkpane.engine.tracing import trace_job

    return {
        "render": render_job,
        "render_many": render_many_job,
        "constants": constants_job,
        "facts": facts_job,
        "trace": trace_job,
        "owners": owners_job,
        "lines": lines_job,
        "lint_facts": lint_facts_job,
        "lint_run": lint_run_job,
        "runtime_facts": runtime_facts_job,
        "llamacpp_caps": llamacpp_caps_job,
        "same_template": same_template_job,
        "format": format_job,
        "damage": damage_job,
        "repair": repair_job,
    }


def serve_tokenizer(path: str) -> int:
    """Makes this process the child that encodes with the tokenizer at `path`; gives its exit status."""
    from thinkpane.engine.worker import run
    from thinkpane.prompt.tokenizer import MEMORY_CAP
    from thinkpane.tokens.token_jobs import tokenizer_jobs

    return run(lambda: tokenizer_jobs(path), MEMORY_CAP, starts_threads=True)


def serve_analyst() -> int:
    """Makes this process the child that analyses large prompts; gives its exit status."""
    import os

    from thinkpane.analysis.analyst import serve
    from thinkpane.analysis.analyst_jobs import analyst_jobs
    from thinkpane.engine.worker import pipes

    serve(analyst_jobs, *pipes())
    # Its threads may be in the middle of something that nobody waits for any more.
    os._exit(0)


class Services:
    """What the window and the commands work with. Nothing is imported or started before it is used."""

    @cached_property
    def engine(self) -> "Engine":
        """The one engine of this process; its workers start with the first job or with `warm`."""
        from thinkpane.engine.host import Engine

        # A command has one thing to render at a time; a window asks for more.
        engine = Engine(deadline=self.settings.number(RENDER_SECONDS), spare=0)

        def on_settings_changed(name: str) -> None:
            if name == RENDER_SECONDS:
                engine.deadline = self.settings.number(name)

        self.settings.listen(on_settings_changed)
        return engine

    @cached_property
    def analyst(self) -> "Analyst":
        """What analyses large prompts; its process starts with the first of them."""
        from thinkpane.analysis.analyst import Analyst

        return Analyst()

    @cached_property
    def folders(self) -> "Folders":
        """Where settings, state and cache lie."""
        from thinkpane.folders import folders

        return folders()

    @cached_property
    def settings(self) -> "Settings":
        """The settings in force."""
        from thinkpane.workspace.settings import Settings

        return Settings(self.folders.settings_file)

    @cached_property
    def recent(self) -> "Recent":
        """The documents that were open last."""
        from thinkpane.workspace.recent import Recent

        return Recent(self.folders.recent_file)

    @cached_property
    def recent_templates(self) -> "RecentTemplates":
        """The templates that were open last."""
        from thinkpane.workspace.recent import RecentTemplates

        return RecentTemplates(self.folders.recent_templates_file)

    @cached_property
    def endpoints(self) -> "EndpointStore":
        """The endpoints that a person set up."""
        from thinkpane.workspace.endpoint_store import EndpointStore

        return EndpointStore(self.folders.endpoints_file)

    @cached_property
    def keys(self) -> "Keys":
        """Where keys are found."""
        from thinkpane.workspace.keys import Keys

        return Keys()

    @cached_property
    def client(self) -> "Client":
        """What talks HTTP; its imports are dear, so nobody asks for it before something is to be sent."""
        from thinkpane.endpoints.client import Client

        # Threads ask, too, and cached_property lets two of them in since Python 3.12.
        with _making_client:
            if "client" not in self.__dict__:
                self.__dict__["client"] = Client()
            made: Client = self.__dict__["client"]
        return made

    @cached_property
    def reach(self) -> "Reach":
        """How template sources ask the network; the client is made with the first question."""
        from thinkpane.templates.reach import Reach

        def ask(url: str, headers: "Mapping[str, str]", *, limit: int, body: "JsonObject | None" = None) -> "Answer":
            from thinkpane.endpoints.asking import Asking

            return Asking(self.client)(url, headers, limit=limit, body=body)

        return Reach(ask, self.folders.cache / "templates")

    @cached_property
    def demo(self) -> "Demo":
        """What replays recorded replies."""
        from thinkpane.endpoints.recorded import Demo

        return Demo()

    @cached_property
    def runner(self) -> "Runner":
        """What starts runs."""
        from thinkpane.runs.journal import Journal
        from thinkpane.runs.runner import Runner

        return Runner(lambda: self.client, Journal(self.folders.journals))

    def close(self) -> None:
        """Ends what was started."""
        if "client" in self.__dict__:
            self.client.close()
        if "analyst" in self.__dict__:
            self.analyst.close()
        if "engine" in self.__dict__:
            self.engine.close()

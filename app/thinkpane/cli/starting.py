"""How the commands that send start a run: the prompt is rendered, the call made, the settings' bounds put on it."""

from collections.abc import Callable
from typing import cast

from thinkpane.analysis.thinking_format import thinking_format
from thinkpane.cli._api import Services
from thinkpane.cli.endpoint_options import Target
from thinkpane.endpoints.dialects._api import Call, DecodeOptions
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.job import Prepared, prepare
from thinkpane.runs.calls import chat_call, raw_call
from thinkpane.runs.pair import PairPlace
from thinkpane.runs.reading import ThinkMode, decode_options
from thinkpane.runs.run import Run
from thinkpane.workspace.run_bounds import deadlines, limits, loop_guard, retries, think_mode


def started(
    target: Target,
    services: Services,
    record: Callable[[bytes], object] | None = None,
    place: PairPlace | None = None,
) -> Run:
    """Starts the run. record: takes the lines of a recording. place: the run's in a pair.

    Raises ThinkpaneError where the prompt fails, the key is missing or the call cannot be made."""
    prepared = prepare(target.job, services.engine)
    call, options = _asked(target, prepared, services.engine, think_mode(services.settings))
    guard = loop_guard(services.settings)
    if guard is not None:
        guard.seed(prepared.request.messages)
    is_demo = target.dialect is None
    return services.runner.start(
        target.endpoint,
        target.dialect,
        call,
        key=None if is_demo else services.keys.key(target.endpoint),
        options=options,
        limits=limits(services.settings),
        deadlines=deadlines(services.settings),
        retries=retries(services.settings),
        guard=guard,
        record=record,
        label=place.label if place is not None else "",
        pair=place.id if place is not None else "",
        demo=services.demo if is_demo else None,
        speed=services.settings.number("demo.speed"),
    )


def _asked(target: Target, prepared: Prepared, engine: Engine, mode: ThinkMode) -> tuple[Call, DecodeOptions]:
    if target.path == "chat":
        call = chat_call(prepared, model=target.model, variables=target.job.variables, params=target.params)
        return call, DecodeOptions(think_mode=mode)
    rendered = engine.render(prepared.request)
    if rendered.problem is not None:
        raise ThinkpaneError(rendered.problem)
    prompt = cast("str", rendered.text)
    source = prepared.request.source
    found = thinking_format(engine.render_many, RenderRequest(source, [], variables=target.job.template.variables))
    options = decode_options("raw", prompt, target.job.template, source, found, mode)
    return raw_call(prompt, model=target.model, params=target.params), options

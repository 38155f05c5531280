"""The first job of a new user without a display: render the sample, send it to the Demo, write two pictures."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from thinkpane.cli.output import told, write_error
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.making import PromptMaker
from thinkpane.streaming.events import AnswerDelta, ThinkingDelta, ToolDelta
from thinkpane.ui.screen import missing_libraries

if TYPE_CHECKING:
    from thinkpane.runs.run import Run
    from thinkpane.streaming.events import Event
    from thinkpane.ui.services import Services

FOLDER = Path("build") / "tour"
_DIM, _PLAIN = "\x1b[2m", "\x1b[0m"


def main(services: "Services", reason: str = "") -> int:
    """Takes the tour and gives the exit status. reason: why there is no window, "" where nobody wanted one."""
    if reason:
        write_error(f"{reason} Taking the tour without a window instead.")
    try:
        _take_run(services)
        lacking = missing_libraries(window=False)
        if lacking:
            raise ThinkpaneError(Problem("libraries", f"No pictures were written. {lacking}"))
        _take_pictures(services)
    except ThinkpaneError as error:
        write_error(f"thinkpane: {told(error.problem)}")
        return 1
    return 0


def _take_run(services: "Services") -> None:
    from thinkpane.prompt.job import PromptJob
    from thinkpane.runs.calls import raw_call
    from thinkpane.runs.reading import decode_options
    from thinkpane.templates.library import load
    from thinkpane.ui.document_files import first_document

    state = first_document()
    template = load(state.template)
    job = PromptJob(template, state.conversation, variables=state.variables, steps=state.steps, profile=state.profile)
    prompt = PromptMaker(services.engine).make(job)
    if prompt.problem is not None:
        raise ThinkpaneError(prompt.problem)
    write_error(f"The sample document as a prompt ({template.title}, {len(prompt.text):,} characters):")
    _say(prompt.text + "\n")
    write_error("The Demo endpoint's recorded reply to it, thinking dim:")
    run = services.runner.start(
        services.endpoints.named("demo"),
        None,
        raw_call(prompt.text, model="", params={}),
        options=decode_options("raw", prompt.text, template, template.source),
        demo=services.demo,
        speed=services.settings.number("demo.speed"),
    )
    _stream(run)


def _stream(run: "Run") -> None:
    """Prints thinking dim, the answer plain, tool calls as a line, as they come."""
    dim = False
    while not run.is_over:
        run.wait_for_news(1.0)
        for event in run.drain():
            thinking = isinstance(event, ThinkingDelta)
            if thinking != dim and isinstance(event, ThinkingDelta | AnswerDelta | ToolDelta):
                _say(_dress(_DIM) if thinking else f"{_dress(_PLAIN)}\n\n")
                dim = thinking
            _say(_text(event))
    _say(f"{_dress(_PLAIN)}\n")
    if run.problem is not None:
        raise ThinkpaneError(run.problem)


def _dress(code: str) -> str:
    """A terminal's code; nothing where the output goes to a file."""
    return code if sys.stdout.isatty() else ""


def _text(event: "Event") -> str:
    if isinstance(event, ThinkingDelta | AnswerDelta):
        return event.text
    if isinstance(event, ToolDelta):
        return (f"\n{event.name} " if event.name else "") + event.arguments
    return ""


def _take_pictures(services: "Services") -> None:
    from thinkpane.ui.document_files import first_document
    from thinkpane.ui.shot import Picture, Studio

    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise ThinkpaneError(Problem("file", f"“{FOLDER}” cannot be made: {fault.strerror}.")) from None
    for theme in ("dark", "light"):
        output = FOLDER / f"window-{theme}.png"
        with Studio(services) as studio:
            studio.show(first_document())
            problem = studio.take(Picture(theme=theme, run="demo", pane="thinking"), output)
        if problem is not None:
            raise ThinkpaneError(problem)
        write_error(f"The window: {output}")


def _say(text: str) -> None:
    """Writes to the terminal at once; what it cannot show becomes an escape."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()

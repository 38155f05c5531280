"""`thinkpane shot`: the window with a document loaded, as a picture, without a display."""

import argparse
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from thinkpane.cli._api import CommandLineError
from thinkpane.cli.input_files import STANDARD_INPUT, Inputs
from thinkpane.cli.options import add_file, add_render_options, read_asked
from thinkpane.cli.output import told, write_error
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.job import prepare
from thinkpane.templates.edited import EditedTemplate
from thinkpane.ui.screen import missing_libraries

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from thinkpane.prompt.job import PromptJob
    from thinkpane.ui.services import Services
    from thinkpane.workspace.state import DocumentState

BOTH = "both"
"""Chat and raw beside each other, which there is only after a run on both paths."""

PANES = (
    "messages",
    "tools",
    "documents",
    "json",
    "template",
    "controls",
    "sampling",
    "prompt",
    "diff",
    "problems",
    "thinking",
    "answer",
    "calls",
    "wire",
    BOTH,
)
SETTLE_SECONDS = 20.0
"""At most for prompt and effects; a template that never ends is stopped long before."""

RUN_SECONDS = 150.0
_LEAST = (800, 560)  # main_window.SMALLEST_SIZE, known without Qt
_LARGEST = 16_384


@dataclass(frozen=True, slots=True)
class Picture:
    """What is to be in the picture. run: an endpoint that is asked first, "" = none. select: text to mark."""

    theme: str = "dark"
    width: int = 1440
    height: int = 900
    pane: str = ""
    run: str = ""
    select: str = ""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CommandLineError(f"{self.prog}: {message} (see {self.prog} --help)")


def main(argv: Sequence[str], services: "Services") -> int:
    """Takes the picture that `argv` describes and gives the exit status."""
    try:
        arguments = _parser().parse_args(list(argv))
        asked = read_asked(arguments, Inputs(), services.reach)
        width, height = (max(asked_for, least) for asked_for, least in zip(arguments.size, _LEAST, strict=True))
        if (width, height) != arguments.size:
            write_error(f"The window is at least {_LEAST[0]}x{_LEAST[1]}; the picture is {width}x{height}.")
        if arguments.pane == BOTH and not arguments.run:
            raise CommandLineError("thinkpane shot: --pane both needs --run E: it shows what came of a run")
        picture = Picture(arguments.theme, width, height, arguments.pane, arguments.run, arguments.select)
        output = Path(arguments.output)
        if output.suffix.lower() != ".png":
            raise CommandLineError(f"thinkpane shot: the picture is a PNG; name it OUT.png, not “{output}”")
        if not output.parent.is_dir():
            sentence = f"The picture cannot be written to “{output}”: its folder “{output.parent}” is not there."
            raise ThinkpaneError(Problem("file", sentence))
        lacking = missing_libraries(window=False)
        if lacking:
            raise ThinkpaneError(Problem("libraries", lacking))
        with Studio(services) as studio:
            if arguments.template:
                studio.window.prompts.templates.choose(arguments.template)
            studio.show(replace(asked.state, endpoint=picture.run or asked.state.endpoint), asked.job)
            problem = studio.take(picture, output)
    except CommandLineError as error:
        write_error(str(error))
        return 2
    except ThinkpaneError as error:
        write_error(f"thinkpane: {told(error.problem)}")
        return 1
    if problem is not None:
        write_error(f"thinkpane: {told(problem)}")
    return 0 if problem is None else 1


class Studio:
    """A window that nobody sees, for pictures. A context manager: its threads end with it."""

    def __init__(self, services: "Services") -> None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        from thinkpane.ui.application import make_application

        self._application: QApplication = make_application()
        from thinkpane.ui.main_window import MainWindow

        self._engine = services.engine
        self.window: MainWindow = MainWindow(services)
        self.window.templates.stop_remembering()

    def __enter__(self) -> "Studio":
        return self

    def __exit__(self, *_: object) -> None:
        self.window.close_down()
        self.window.deleteLater()
        self._application.processEvents()

    def show(self, state: "DocumentState", job: "PromptJob | None" = None) -> None:
        """Loads a document. job: carries render options that a document does not hold."""
        if job is not None:
            state = replace(state, variables=job.variables)
            if state.template == STANDARD_INPUT:
                # What was read there is read once.
                state = replace(state, template="", edited=EditedTemplate(job.template.source))
            self.window.prompts.use_options(
                generation_prompt=job.add_generation_prompt,
                continue_final=job.continue_final_message,
                now=job.now,
            )
        self.window.document.new(state)

    def take(self, picture: Picture, output: Path) -> Problem | None:
        """Writes the picture; gives the problem that it shows, if any.

        Raises ThinkpaneError (kind "file") where it cannot be written.
        """
        from thinkpane.ui import theme

        theme.use(self._application, "light" if picture.theme == "light" else "dark")
        self.window.resize(picture.width, picture.height)
        self.window.show()
        self._wait(self._is_settled, SETTLE_SECONDS)
        problem = self.window.prompts.prompt.problem
        if picture.run:
            problem = self._run(both=picture.pane == BOTH) or problem
        self._arrange(picture)
        self._paint()
        if not self.window.grab().save(str(output), "PNG"):
            raise ThinkpaneError(Problem("file", f"The picture could not be written to {output}."))
        return problem

    def _is_settled(self) -> bool:
        """Whether the prompt is the document's as it stands, and its owners, tokens, problems and effects are known."""
        prompts = self.window.prompts
        prompt, effects = prompts.prompt, self.window.effects.effects
        try:
            wanted = prepare(prompts.job(), self._engine).request
        except ThinkpaneError:
            return prompt.problem is not None
        if prompt.request != wanted or not self.window.problems.is_settled or self.window.tokens.busy:
            return False
        traced = prompt.owners is not None or bool(prompt.untraced)
        return prompt.problem is not None or (traced and effects is not None and effects.serial == prompt.serial)

    def _run(self, *, both: bool) -> Problem | None:
        """Runs to the end; gives what went wrong. both: on both paths, and until it is known how they compare."""
        from thinkpane.ui.widgets.answer_text import AnswerText

        window = self.window
        refused: list[Problem] = []
        window.session.refused.connect(refused.append)
        if both:
            window.session.run_both()
        else:
            window.session.run(demo_speed=0)
        self._wait(lambda: not window.session.is_live, RUN_SECONDS)
        found = window.session.both.found
        if both and found is not None:
            self._wait(lambda: window.session.both.is_told, SETTLE_SECONDS)
        texts = window.findChildren(AnswerText)
        # Answers are rendered a slice at a time, some milliseconds after they came.
        self._wait(lambda: all(each.is_rendered for each in texts), SETTLE_SECONDS)
        self._paint()
        if both and found is not None:
            return window.session.both.problem
        run = window.runs.run
        return refused[0] if refused else run.problem if run is not None else None

    def _arrange(self, picture: Picture) -> None:
        layout = self.window.layout_
        self.window.view.focus_messages()
        if picture.pane and picture.pane != BOTH:
            layout.show_pane(picture.pane)
        if picture.select:
            text = self.window.prompts.prompt.text
            at = text.find(picture.select)
            if at < 0:
                sentence = f"The prompt does not hold “{picture.select}”, so nothing could be marked."
                raise ThinkpaneError(Problem("select", sentence))
            layout.select_in_prompt(at, at + len(picture.select))

    def _wait(self, done: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while not done() and time.monotonic() < end:
            self._application.processEvents()
            time.sleep(0.005)

    def _paint(self) -> None:
        """Lets layouts that follow each other come to rest."""
        for _ in range(8):
            self._application.processEvents()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="thinkpane shot", description="writes the window as a picture", allow_abbrev=False)
    add_file(parser)
    add_render_options(parser)
    parser.add_argument("-o", "--output", required=True, metavar="OUT.png", help="where the picture goes")
    parser.add_argument("--theme", choices=("dark", "light"), default="dark")
    parser.add_argument("--size", type=_size, default=(1440, 900), metavar="WxH", help="pixels, 1440x900 unless said")
    parser.add_argument(
        "--pane",
        choices=PANES,
        default="",
        metavar="NAME",
        help=f"in front: {', '.join(PANES)}",
    )
    parser.add_argument("--run", default="", metavar="E", help="an endpoint that is asked first, such as demo")
    parser.add_argument("--select", default="", metavar="TEXT", help="marks this text in the prompt")
    return parser


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 0 < int(width) <= _LARGEST and 0 < int(height) <= _LARGEST):
        raise argparse.ArgumentTypeError(f"“{text}” is no size such as 1440x900")
    return int(width), int(height)

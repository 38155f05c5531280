"""The whole prompt on the clipboard, and what has to be said of it."""

from thinkpane.errors import Problem
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.widgets.text_view import put_on_clipboard


def copy_prompt(prompt: Prompt) -> Problem | None:
    """Copies the prompt exactly; gives what a person must know where it is not what would be sent.

    While the template fails, that is the last good prompt, which the pane shows, too; where there never was one,
    nothing is copied.
    """
    if prompt.problem is None:
        put_on_clipboard(prompt.text)
        return None
    why = prompt.problem
    if not prompt.text:
        return Problem(why.kind, f"Nothing was copied, because there is no prompt: {why.message}")
    put_on_clipboard(prompt.text)
    return Problem(why.kind, f"Copied the last good prompt, which is not what the document makes now: {why.message}")

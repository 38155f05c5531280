"""The offer of what crashed instances left behind."""

from collections.abc import Callable, Sequence
from functools import partial

from thinkpane.ui.document_files import DocumentFiles
from thinkpane.ui.models.leftover_words import leftover_words
from thinkpane.ui.widgets.banner import Banner
from thinkpane.workspace.autosave import Leftover


def offer(
    banner: Banner, files: DocumentFiles, leftovers: Sequence[Leftover], done: Callable[[], object] = lambda: None
) -> None:
    """Asks about one leftover after another; about the same one again where its restoring was called off.

    done: called once all were answered.
    """
    first, rest = leftovers[0], leftovers[1:]

    def then(act: Callable[[Leftover], object]) -> None:
        left = leftovers if act(first) is False else rest
        if left:
            offer(banner, files, left, done)
        else:
            done()

    banner.tell(
        leftover_words(first) + (f" {len(rest)} more after it." if rest else ""),
        "warning",
        [
            ("Restore", partial(then, files.restore)),
            ("Later", partial(then, Leftover.keep)),
            ("Discard", partial(then, files.discard)),
        ],
    )

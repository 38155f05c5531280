"""What tells one piece of unsaved work from another."""

from thinkpane.workspace.autosave import Leftover

_LONGEST = 40


def leftover_words(leftover: Leftover) -> str:
    """When it was kept, which file it belongs to, how it begins, what it holds and how large it is."""
    when = f" of {leftover.saved_at.astimezone():%d %B, %H:%M:%S}" if leftover.saved_at else ""
    name = leftover.path.name if leftover.path else "a document without a file"
    return f"Unsaved work{when} was found: {', '.join([name, *_facts(leftover), _size(leftover.size)])}."


def _facts(leftover: Leftover) -> list[str]:
    state = leftover.state
    if state is None:
        return ["cannot be read"]
    talk = state.conversation
    texts = [talk.raw_text or "", *(each.text for each in talk.messages if each.role == "user")]
    first = next((" ".join(text.split()) for text in texts if text.strip()), "")
    words = [f"“{first[:_LONGEST]}{'…' if len(first) > _LONGEST else ''}”"] if first else []
    count = len(talk.messages)
    words.append(f"{count} message{'' if count == 1 else 's'}")
    words.append(f"template {state.template}" if state.template else "its own template")
    return [*words, "text that is not applied"] if state.drafts else words


def _size(size: int) -> str:
    return f"{size:,} bytes" if size < 1024 else f"{size / 1024:,.1f} KiB"

"""What there is to say about where a template comes from: its texts, its tokens, what each runtime takes of them."""

from pathlib import Path

from thinkpane.templates import built_in
from thinkpane.templates.files import is_folder, is_there, local_path
from thinkpane.templates.template import GO, FoundTemplate, Template
from thinkpane.templates.tokenizer_config import DEFAULT

_LONGEST = 24
_SHOWN = ("bos_token", "eos_token")


def tokens_line(template: Template) -> str:
    """bos and eos, how many special tokens there are, and where they were read."""
    told = [
        f"{name} {_quoted(value)}"
        for name in _SHOWN
        if isinstance(value := template.variables.get(name), str) and value
    ]
    count = len(template.special_tokens)
    if count:
        told.append(f"{count:,} special token{'' if count == 1 else 's'}")
    if not told:
        return "no special tokens come with it"
    return ", ".join(told) + (f", from {template.tokens_from}" if template.tokens_from else "")


def warning(template: Template) -> str:
    """The notes in two or three words, "" where there is none."""
    if template.syntax == GO:
        return "not rendered"
    if len({each.taken.source for each in template.choices if each.taken is not None}) > 1:
        return "runtimes differ"
    count = len(template.notes)
    return f"{count} note{'' if count == 1 else 's'}" if count else ""


def takers(template: Template, text: FoundTemplate) -> tuple[str, ...]:
    """The runtimes that take this text."""
    return tuple(each.runtime for each in template.choices if each.taken == text)


def runtime_lines(template: Template) -> tuple[tuple[str, str, str], ...]:
    """(runtime, what it takes, why) each."""
    return tuple(
        (each.runtime, label(each.taken) if each.taken is not None else "none", each.sentence)
        for each in template.choices
    )


def label(text: FoundTemplate) -> str:
    """A text by its name and place."""
    place = Path(text.place).name if is_there(Path(text.place)) else text.place
    kind = " (Go)" if text.syntax == GO else ""
    return f"{place}{kind}" if text.name == DEFAULT else f"{text.name} · {place}{kind}"


def title_of(ref: str) -> str:
    """What a template is called before it is read: a built-in one by its title, others by `short_name`."""
    if not ref:
        return "Own text"
    return built_in.load(ref).title if ref in built_in.ids() else short_name(ref)


def short_name(ref: str) -> str:
    """What a REF is called where there is little room: a file by its name, a model by owner and name, a server."""
    path = local_path(ref)
    if path is None:
        return ref.partition("://")[2] or ref.removeprefix("hf:").removeprefix("ollama:") or ref
    generic = path.name in ("chat_template.jinja", "tokenizer_config.json", "chat_template.json")
    return f"{path.parent.name}/{path.name}" if generic and path.parent.name else path.name or ref


def ref_for(template: Template, text: FoundTemplate) -> str:
    """The REF under which that text is the template itself, "" where there is none.

    A text that another place of a model's folder holds is opened by its file.
    """
    folder = local_path(template.id)
    if folder is None or not is_folder(folder) or text.syntax == GO:
        return ""
    file = folder / text.place
    return str(file) if is_there(file) else ""


def is_named(template: Template, text: FoundTemplate) -> bool:
    """Whether the text can be chosen by its name."""
    return template.named.get(text.name) == text.source


def default_name(template: Template, has_tools: bool) -> str:
    """The name that is taken where none is chosen, as transformers does; "" where there is none."""
    if has_tools and "tool_use" in template.named:
        return "tool_use"
    return DEFAULT if DEFAULT in template.named else ""


def _quoted(text: str) -> str:
    return f"“{text if len(text) <= _LONGEST else text[:_LONGEST] + '…'}”"

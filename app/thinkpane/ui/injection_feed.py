"""The special tokens of the newest prompt that came from input, looked for beside the window; and them sanitised."""

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.analysis.injection import Injection, injections
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates import own
from thinkpane.templates.files import near_path, read_object
from thinkpane.templates.model_files import CONFIG_FILE
from thinkpane.templates.tokenizer_config import listed_control_tokens
from thinkpane.tokens.segments import rows_of
from thinkpane.ui.models.ruler_marks import RulerMark
from thinkpane.ui.newest import Newest, let_it_end
from thinkpane.ui.widgets.text_lit import Lit, lit

if TYPE_CHECKING:
    from thinkpane.analysis.sanitized_prompt import SanitizedPrompt
    from thinkpane.prompt.tokenizer import Description
    from thinkpane.templates.template import Template
    from thinkpane.ui.bridge import PromptFeed
    from thinkpane.ui.token_feed import TokenFeed


@dataclass(frozen=True, slots=True)
class Injected:
    """The prompt and what was found in it, in order; a role's name that becomes part of a token is not among them.

    tokens, lit, marks, words: what is shown of them all, made beside the window too: there may be a hundred thousand.
    """

    prompt: Prompt
    found: tuple[Injection, ...] = ()
    tokens: tuple[str, ...] = ()
    lit: Lit = field(default_factory=Lit)
    marks: tuple[RulerMark, ...] = ()
    words: str = ""


class InjectionFeed(QObject):
    """Looks anew for each prompt that is traced, and once its tokenizer is known.

    Signals:
        changed(object): the Injected of the newest prompt.
        sanitized(object): the SanitizedPrompt that was asked for.
    """

    changed = Signal(object)
    sanitized = Signal(object)
    _found = Signal(object)
    _made = Signal(object)

    def __init__(self, prompts: "PromptFeed", tokens: "TokenFeed") -> None:
        super().__init__()
        self._prompts = prompts
        self._tokens = tokens
        self._found.connect(self._on_newest_found, Qt.ConnectionType.QueuedConnection)
        self._made.connect(self._on_sanitizing_made, Qt.ConnectionType.QueuedConnection)
        self._newest = Newest[tuple[Prompt, "Description | None"], Injected](
            "injections", _injected, self._found.emit, let_it_end, 0.0
        )
        self._sanitizing = Newest[tuple[Prompt, "Template", "Description | None"], "SanitizedPrompt"](
            "sanitizing", self._sanitized, self._made.emit, prompts.engine.overtake, 0.0
        )
        prompts.changed.connect(self._on_prompts_changed)
        tokens.encoded.connect(self._on_tokens_encoded)

    def ask_sanitized(self) -> None:
        """Asks what the newest prompt would be with sanitised input; `sanitized` follows, unless it has changed."""
        prompt = self._prompts.prompt
        if prompt.request is not None and not prompt.stale:
            self._sanitizing.ask((prompt, self._prompts.template, self._known))

    def close(self) -> None:
        """Ends the threads; nothing is told any more."""
        self._newest.close()
        self._sanitizing.close()

    @property
    def _known(self) -> "Description | None":
        return self._tokens.current.known if self._tokens.current is not None else None

    @Slot(object)
    def _on_prompts_changed(self, prompt: Prompt) -> None:
        if prompt.owners is not None:
            self._newest.ask((prompt, self._known))
        elif prompt.untraced or not prompt.text:
            self._newest.drop()
            self.changed.emit(Injected(prompt))

    @Slot(object)
    def _on_tokens_encoded(self, _encoded: object) -> None:
        if self._prompts.prompt.owners is not None:
            self._newest.ask((self._prompts.prompt, self._known))

    @Slot(object)
    def _on_newest_found(self, found: Injected) -> None:
        if self._newest.is_newest(found) and found.prompt.text == self._prompts.prompt.text:
            self.changed.emit(found)

    @Slot(object)
    def _on_sanitizing_made(self, found: "SanitizedPrompt") -> None:
        if self._sanitizing.is_newest(found) and found.before == self._prompts.prompt.text:
            self.sanitized.emit(found)

    def _sanitized(
        self, question: "tuple[Prompt, Template, Description | None]", ticket: object
    ) -> "SanitizedPrompt | None":
        from thinkpane.analysis.sanitized import AddedToken
        from thinkpane.analysis.sanitized_prompt import SanitizedPrompt, sanitized_prompt

        prompt, template, known = question
        request = prompt.request
        if request is None:
            return None
        engine = self._prompts.engine
        if known is not None:
            added = [AddedToken(text, id in known.special) for id, text in known.added.items()]
        else:
            added = [AddedToken(text, True) for text in dict.fromkeys((*template.special_tokens, *_specials(prompt)))]
        try:
            return sanitized_prompt(
                prompt.text,
                request,
                template.variables,
                added,
                engine.about("constants", request.source, ticket),
                partial(engine.render_many, owner=ticket),
                listed=_listed(template),
                encode=self._tokens.apart,
            )
        except ThinkpaneError as fault:
            return SanitizedPrompt(prompt.text, problem=fault.problem)


def _injected(question: "tuple[Prompt, Description | None]", _ticket: object) -> Injected | None:
    prompt, known = question
    if prompt.owners is None:
        return None
    theirs = [text for id, text in known.added.items() if id in known.special] if known is not None else []
    messages = prompt.origins.given
    found = injections(prompt.text, prompt.owners, (*_specials(prompt), *theirs), messages)
    return shown_injections(prompt, tuple(each for each in found if not each.ordinary))


def shown_injections(prompt: Prompt, found: tuple[Injection, ...]) -> Injected:
    """What was found in a prompt, with what is shown of it."""
    return Injected(
        prompt,
        found,
        tuple(each.token for each in found),
        lit((each.start, each.end) for each in found),
        tuple(map(ruler_mark, found)),
        count_words(found),
    )


def ruler_mark(found: Injection) -> RulerMark:
    """What the ruler beside the prompt shows of one."""
    how = "typed in the input" if found.kind == "typed" else "assembled from template and input"
    return RulerMark(found.start, found.end, "injection", f"{found.token} {how}")


def count_words(found: tuple[Injection, ...]) -> str:
    """How many there are of both kinds; "" for none."""
    if not found:
        return ""
    typed = sum(each.kind == "typed" for each in found)
    tokens = f"{len(found):,} special token{'' if len(found) == 1 else 's'}"
    if typed == len(found):
        return f"{tokens} typed in the input"
    if not typed:
        return f"{tokens} assembled from template and input"
    return f"{tokens} from input: {typed:,} typed, {len(found) - typed:,} assembled with the template"


def _specials(prompt: Prompt) -> frozenset[str]:
    """The special tokens that stand in the prompt."""
    rows = rows_of(prompt.segments)
    return frozenset(prompt.text[start:end] for start, end, special, _role in rows if special)


def _listed(template: "Template") -> tuple[str, ...] | None:
    """What the tokenizer_config.json beside the template lists, None where there is none."""
    path = None if template.built_in or own.is_own(template.id) else near_path(template.id)
    if path is None:
        return None
    file = (path if path.is_dir() else path.parent) / CONFIG_FILE
    try:
        return listed_control_tokens(read_object(file)) if file.is_file() else None
    except ThinkpaneError:
        return None

"""Which template each runtime takes of those that a model's folder holds, when a request names none and has no tools.

Rules: transformers 5.24 (`PreTrainedTokenizerBase`, `ProcessorMixin`), gguf-py's converter (`vocab.py`,
SpecialVocab), vLLM (`resolve_chat_template`), SGLang (template manager).
"""

from dataclasses import dataclass

from thinkpane.templates.template import FoundTemplate, RuntimeChoice
from thinkpane.templates.tokenizer_config import DEFAULT

TRANSFORMERS = "transformers (tokenizer)"
PROCESSOR = "transformers (processor)"
CONVERTER = "GGUF converter (llama.cpp, Ollama)"
VLLM = "vLLM"
SGLANG = "SGLang"

Found = tuple[FoundTemplate, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """files: chat_template.jinja first, then the additional ones; config: tokenizer_config.json's; legacy: those of
    chat_template.json. has_processor: whether transformers makes a processor of the folder."""

    files: Found = ()
    config: Found = ()
    legacy: Found = ()
    has_processor: bool = False

    @property
    def all(self) -> Found:
        """Every template, in that order."""
        return self.files + self.config + self.legacy

    @property
    def tokenizers(self) -> Found:
        """What transformers' tokenizer holds."""
        return self.files or self.config


def choices(places: Places) -> tuple[RuntimeChoice, ...]:
    """What each runtime takes, in a fixed order."""
    processor = _processor(places)
    return (
        RuntimeChoice(
            TRANSFORMERS, _default(places.tokenizers), "chat_template.jinja wins over tokenizer_config.json."
        ),
        processor,
        _converter(places),
        _vllm(places, processor),
        RuntimeChoice(SGLANG, next(iter(places.tokenizers), None), "The first of the tokenizer's templates."),
    )


def differences(chosen: tuple[RuntimeChoice, ...]) -> tuple[str, ...]:
    """Warnings: where runtimes take texts that differ, and where one takes none."""
    notes: list[str] = []
    by_text: dict[str, list[RuntimeChoice]] = {}
    for each in chosen:
        if each.taken is None:
            notes.append(f"{each.runtime} takes no template here. {each.sentence}")
        else:
            by_text.setdefault(each.taken.source, []).append(each)
    if len(by_text) > 1:
        parts = (
            f"{_place(group[0].taken)} ({', '.join(each.runtime for each in group)})" for group in by_text.values()
        )
        notes.insert(0, f"Runtimes take different templates: {'; '.join(parts)}.")
    return tuple(notes)


def _processor(places: Places) -> RuntimeChoice:
    if places.legacy and any(each.name != DEFAULT for each in places.files):
        return RuntimeChoice(PROCESSOR, None, "It refuses chat_template.json together with additional_chat_templates/.")
    if places.legacy:
        return RuntimeChoice(
            PROCESSOR, _default(places.legacy), "A processor's chat_template.json wins over chat_template.jinja."
        )
    return RuntimeChoice(
        PROCESSOR, _default(places.files), "A processor reads chat_template.jinja, not tokenizer_config.json."
    )


def _converter(places: Places) -> RuntimeChoice:
    # Its own reading knows additional templates only beside a chat_template.jinja.
    files = places.files if any(each.name == DEFAULT for each in places.files) else ()
    return RuntimeChoice(
        CONVERTER,
        _default(places.config or files or places.legacy),
        "tokenizer_config.json wins over chat_template.jinja, that over chat_template.json.",
    )


def _vllm(places: Places, processor: RuntimeChoice) -> RuntimeChoice:
    taken = processor.taken if places.has_processor and processor.taken else _default(places.tokenizers)
    sentence = "A processor's template wins while there are no tools, then the tokenizer's."
    return RuntimeChoice(VLLM, taken, sentence if taken else f"{sentence} Without either it has a fallback by model.")


def _default(found: Found) -> FoundTemplate | None:
    """The one called default, or the only one; several without a default need a name."""
    named = next((each for each in found if each.name == DEFAULT), None)
    return named or (found[0] if len(found) == 1 else None)


def _place(taken: FoundTemplate | None) -> str:
    return "" if taken is None else taken.place if taken.name == DEFAULT else f"“{taken.name}” in {taken.place}"

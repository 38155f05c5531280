"""Who decides about thinking: explicit choice > tags in messages > keywords > the default (docs/architecture.md)."""

from dataclasses import dataclass

from thinkpane.reasoning.classifier import Classification
from thinkpane.reasoning.control_tags import ControlTags, TagFound
from thinkpane.reasoning.keywords import KeywordFound


@dataclass(frozen=True, slots=True)
class Explicit:
    """What the window or the command line chose; None = nothing."""

    thinking: bool | None = None
    effort: str | None = None


@dataclass(frozen=True, slots=True)
class Voice:
    """One that may decide. step: its step's id, or "explicit"; who: how sentences name it; None = asks for nothing."""

    step: str
    who: str
    thinking: bool | None = None
    effort: str | None = None

    @property
    def asks(self) -> str:
        """What it asks for, in words."""
        said = [] if self.thinking is None else ["on" if self.thinking else "off"]
        return ", ".join(said + ([f"effort {self.effort}"] if self.effort else []))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The decision. None = left to the template or server.

    sentence: who won over whom, "" where nobody spoke. winners: ids of the steps that decided, or "explicit".
    """

    thinking: bool | None = None
    effort: str | None = None
    sentence: str = ""
    winners: frozenset[str] = frozenset()


def decide(
    explicit: Explicit,
    tags: ControlTags | None = None,
    keyword: KeywordFound | None = None,
    task: Classification | None = None,
) -> Outcome:
    """Takes the highest voice that speaks, for on/off and for the effort apart. None for a step = it is switched off.

    Any tag, even an effort tag alone, keeps keywords and classifier from being heard (as in the original code). An
    explicit on/off leaves the effort of tags and keywords as it is, likewise. Off takes the effort with it, unless
    that was chosen explicitly. The original ignored an explicit token budget; here there is none to be ignored.
    """
    tagged = tags is not None and tags.any
    words = _word_voices(keyword, task)
    voices = [*_explicit_voices(explicit), *_tag_voices(tags), *words]
    heard = [voice for voice in voices if not (tagged and voice in words)]
    for_thinking = next((voice for voice in heard if voice.thinking is not None), None)
    thinking = for_thinking.thinking if for_thinking else None
    for_effort = next((voice for voice in heard if voice.effort is not None), None)
    if thinking is False and explicit.effort is None:
        for_effort = None
    effort = for_effort.effort if for_effort else None
    winners = [voice for voice in dict.fromkeys((for_thinking, for_effort)) if voice is not None]
    sentence = _sentence(thinking, effort, winners, [voice for voice in voices if voice not in winners])
    return Outcome(thinking, effort, sentence, frozenset(voice.step for voice in winners))


def _explicit_voices(explicit: Explicit) -> list[Voice]:
    chosen = Voice("explicit", "your choice", explicit.thinking, explicit.effort)
    return [chosen] if chosen.asks else []


def _tag_voices(tags: ControlTags | None) -> list[Voice]:
    if tags is None:
        return []
    found = []
    if tags.thinking:
        found.append(Voice("thinking_tags", _place(tags.thinking), thinking=tags.thinking.value == "on"))
    if tags.effort:
        found.append(Voice("thinking_tags", _place(tags.effort), effort=tags.effort.value))
    return found


def _word_voices(keyword: KeywordFound | None, task: Classification | None) -> list[Voice]:
    found = []
    if keyword is not None:
        found.append(Voice("keywords", f"“{keyword.keyword}” in message {keyword.index + 1}", True, keyword.effort))
    if task is not None:
        found.append(Voice("classifier", f"the classifier ({task.task})", task.thinking))
    return found


def _place(tag: TagFound) -> str:
    return f"“{tag.tag}” in message {tag.index + 1}"


def _sentence(thinking: bool | None, effort: str | None, winners: list[Voice], losers: list[Voice]) -> str:
    if not winners:
        return ""
    state = "as by default" if thinking is None else ("on" if thinking else "off")
    with_effort = f" with effort {effort}" if effort else ""
    says = f"{' and '.join(voice.who for voice in winners)} {'decides' if len(winners) == 1 else 'decide'}"
    beaten = [f"{voice.who} ({voice.asks})" for voice in losers if _contradicts(voice, thinking, effort)]
    return f"Thinking {state}{with_effort}: {says}{', over ' if beaten else ''}{' and '.join(beaten)}."


def _contradicts(voice: Voice, thinking: bool | None, effort: str | None) -> bool:
    return (voice.thinking is not None and voice.thinking != thinking) or (
        voice.effort is not None and voice.effort != effort
    )

"""Where a target of going.py lies in a prompt, and what is there, in one line of words."""

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.going import Target
from thinkpane.prompt.message_places import MessagePlace, message_places
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.special_places import SpecialPlaces, next_start, previous_start, special_places
from thinkpane.prompt.token_service import Encoded
from thinkpane.prompt.tokenizer import shown_piece
from thinkpane.tokens.encoding import AskPlaces, Encoding

_LONGEST = 40
"""Characters of a piece or a list that are told."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A place to go to. start, end: what is selected there, in code points; equal = only the caret goes. words: what
    it is."""

    start: int
    end: int
    words: str


def _not_known(_text: str) -> None:
    """Places that nobody works out."""


class Landmarks:
    """What one can go to in one prompt; each is worked out when it is first asked for."""

    def __init__(self, prompt: Prompt) -> None:
        self.prompt = prompt

    @cached_property
    def special(self) -> SpecialPlaces:
        """Its special tokens."""
        return special_places(self.prompt)

    @cached_property
    def messages(self) -> list[MessagePlace]:
        """Where messages begin; [] without owners."""
        return message_places(self.prompt)


@dataclass(frozen=True, slots=True)
class Ground:
    """What going works on. caret: where the caret stands. encoded: the prompt's tokens, None while they are still to
    come. ask: where tokens stand that do not spell their text (Encoding.places)."""

    landmarks: Landmarks
    caret: int = 0
    encoded: Encoded | None = None
    ask: AskPlaces = _not_known

    @property
    def prompt(self) -> Prompt:
        """The prompt."""
        return self.landmarks.prompt


def destination(target: Target, ground: Ground) -> Destination:
    """Where `target` lies. Raises ThinkpaneError (kind "place") with one sentence where there is no such place."""
    if not ground.prompt.text:
        raise _none("There is no prompt to go to a place of.")
    ways = {"token": _token, "message": _message, "line": _line, "character": _character, "special": _special}
    return ways[target.kind](target, ground)


def _token(target: Target, ground: Ground) -> Destination:
    encoding = _encoding(ground.encoded)
    number = _counted(target.number, len(encoding.ids), "token")
    start, end = encoding.places(number, number + 1, ground.ask)[0]
    id = encoding.ids[number]
    known = ground.encoded.known if ground.encoded is not None else None
    piece = shown_piece(known.pieces[id]) if known is not None and id < len(known.pieces) else ""
    words = f"token {number + 1:,} of {len(encoding.ids):,} · id {id}"
    if piece:
        words += f" · “{_short(_one_line(piece))}”"
    return Destination(start, end, f"{words} · character {start + 1:,}")


def _encoding(encoded: Encoded | None) -> Encoding:
    if encoded is None:
        raise _none("The tokens are still being counted; try again in a moment.")
    if encoded.encoding is None:
        why = encoded.problem.message if encoded.problem is not None else "no tokenizer lies beside the template"
        raise _none(f"Tokens are not known here, because {why.rstrip('.')}; lines and characters are.")
    if not encoded.encoding.ids:
        raise _none("This prompt has no tokens.")
    return encoded.encoding


def _message(target: Target, ground: Ground) -> Destination:
    prompt = ground.prompt
    if prompt.owners is None:
        why = prompt.untraced or "the owners are still being found; try again in a moment"
        raise _none(f"Where messages begin is not known: {why}.")
    count = len(prompt.origins.conversation.messages)
    number = _counted(target.number, count, "message")
    found = next((each for each in ground.landmarks.messages if each.index == number), None)
    if found is None:
        raise _none(f"Nothing of message {number + 1:,} stands in this prompt.")
    return Destination(found.start, found.start, message_words(found, prompt.text))


def message_words(place: MessagePlace, text: str) -> str:
    """What is told of a message's beginning."""
    name = f"message {place.index + 1:,}" if place.index is not None else "a message that was added before rendering"
    role = f" · {place.role}" if place.role else ""
    return f"{name}{role} · line {text.count(chr(10), 0, place.start) + 1:,} · character {place.start + 1:,}"


def _line(target: Target, ground: Ground) -> Destination:
    text = ground.prompt.text
    count = text.count("\n") + 1
    number = _counted(target.number, count, "line")
    start = line_start(text, number)
    end = text.find("\n", start)
    length = (len(text) if end < 0 else end) - start
    if target.column > length + 1:
        raise _none(f"Line {number + 1:,} has {_many(length, 'character')}, so there is no column {target.column:,}.")
    at = start + target.column - 1
    return Destination(at, at, f"line {number + 1:,} of {count:,} · character {at + 1:,}")


def line_start(text: str, number: int) -> int:
    """Where a line begins; number: from 0, less than there are."""
    at, left, block = 0, number, 65_536
    while left:
        count = text.count("\n", at, at + block)
        if count < left:
            at, left = at + block, left - count
            continue
        while left:
            at, left = text.index("\n", at) + 1, left - 1
    return at


def _character(target: Target, ground: Ground) -> Destination:
    text = ground.prompt.text
    at = _counted(target.number, len(text), "character")
    name = unicodedata.name(text[at], "")
    line = text.count("\n", 0, at) + 1
    named = f"U+{ord(text[at]):04X} {name}".strip()
    return Destination(at, at, f"character {at + 1:,} of {len(text):,} · line {line:,} · {named}")


def _special(target: Target, ground: Ground) -> Destination:
    special = ground.landmarks.special
    if not special.starts:
        raise _none("There is no special token in this prompt.")
    kind, number = _kind(target, special), target.number
    if target.whole and target.whole in special.kinds:
        kind, number = target.whole, 0
    starts = special.of(kind)
    if number:
        place = _counted(number, len(starts), kind)
    else:
        place = (next_start if target.step > 0 else previous_start)(starts, ground.caret)
    start, end = (starts[place], starts[place] + len(kind)) if kind else special.at(starts[place])
    words = f"{ground.prompt.text[start:end]} · {place + 1:,} of {len(starts):,}"
    around = "" if number or (start > ground.caret) == (target.step > 0) else ", round the end"
    all_kinds = "" if kind else " special tokens"
    return Destination(start, end, f"{words}{all_kinds}{around} · character {start + 1:,}")


def _kind(target: Target, special: SpecialPlaces) -> str:
    words = target.whole if target.whole in special.kinds else target.words
    if not words:
        return ""
    found = special.named(words)
    if not found:
        said = _short(words)
        raise _none(f"“{said}” is no place, and no special token of this prompt holds it: try “line 4” or “message 2”.")
    if len(found) > 1:
        listed = ", ".join(found[:4]) + ("" if len(found) <= 4 else " …")
        raise _none(f"“{_short(words)}” stands in {len(found):,} special tokens: {listed}.")
    return found[0]


def _counted(number: int, count: int, what: str) -> int:
    """The place from 0 of a number from 1, or from the end where it is negative."""
    if not count:
        raise _none(f"There is no {what}.")
    found = number - 1 if number > 0 else count + number
    if not 0 <= found < count:
        shown = f"{number:,}" if number > 0 else f"{-number:,} from the end"
        raise _none(f"There {'is' if count == 1 else 'are'} {_many(count, what)}, so there is no {what} {shown}.")
    return found


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}" if what.isalpha() else f"{count:,} of {what}"


def _one_line(text: str) -> str:
    for character, shown in (("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(character, shown)
    return text


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _none(sentence: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("place", sentence))


def nearest_message(places: Sequence[MessagePlace], position: int) -> MessagePlace | None:
    """The message that the character at `position` belongs to or follows; None before the first."""
    number = bisect_left(places, position + 1, key=lambda each: each.start) - 1
    return places[number] if number >= 0 else None

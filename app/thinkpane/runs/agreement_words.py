"""What is said of two replies that were compared: whether they agree, where they part, and what may be behind it."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from thinkpane.endpoints.dialects._params import COMMON_NAMES
from thinkpane.formats.json_values import JsonValue
from thinkpane.runs.agreement import Agreement, chance, told_alike

Prompts: TypeAlias = Literal["same", "differs", "unknown", ""]
"""What is known of the two prompts, as runs.parity.Verdict; "" = not asked, or not answered yet."""

Names: TypeAlias = tuple[str, str]

_NAMES = ("Chat", "Raw")
_PARTS = {"thinking": "thinking", "answer": "the answer", "calls": "the tool calls"}
_LIMITS = {"max_tokens", "max_completion_tokens"}
_SHOWN = {"\n": "⏎", "\t": "⇥", "\r": "␍"}


def outcome(found: Agreement, names: Names = _NAMES) -> str:
    """Whether the replies agree, and where they first differ."""
    if found.why:
        return found.why
    they = "The replies" if found.whole else "As far as both came, the replies"
    if found.verdict == "unfinished":
        return " ".join([*_so_far(found), *_left_open(found, names)])
    if found.verdict == "agree":
        return f"{they} {_agreeing(found)}{_ends(found, names)}"
    if found.split is not None:
        one, other = (_thinking(count) for count in found.split)
        words = f"{they} are the same text, but not the same thinking: {one} in {names[0]}, {other} in {names[1]}."
        return words + _ends(found, names)
    parts = [f"{they} differ.", *_differing(found, names), *_left_open(found, names)]
    return " ".join(parts) + _ends(found, names)


def reasons(found: Agreement, params: Mapping[str, JsonValue], prompts: Prompts) -> str:
    """What the outcome says, and what it does not, given what was left to chance and what the prompts were."""
    if found.why:
        return ""
    said = [_prompt_words(found, prompts), "" if found.split is not None else _chance_words(found, params)]
    if found.split is not None and 0 in found.split:
        said.append(
            "A server that does not know its template's think tags, or whose prompt opened thinking, may send it all "
            "as answer."
        )
        return " ".join(filter(None, said))
    if "length" in found.finish and told_alike(found.finish) == "differs" and not _LIMITS & set(params):
        said.append("No limit of tokens is set: raw requests then carry one of their own, chat requests none.")
    ways = sorted(set(params) - COMMON_NAMES)
    if found.verdict == "differ" and ways:
        named = ", ".join(f"“{each}”" for each in ways[:3]) + (" …" if len(ways) > 3 else "")
        said.append(f"A server may heed {named} on one path only.")
    elif found.verdict == "differ" and prompts == "same" and not chance(params):
        said.append(
            "So the paths themselves differ: stop words, the server's own settings for one of them, or how it takes "
            "thinking and calls out of the text. Rounding in a busy server can tip a close choice, too."
        )
    return " ".join(filter(None, said))


def may_be_chance(found: Agreement, params: Mapping[str, JsonValue]) -> bool:
    """Whether a comparison that leaves less to chance would say more."""
    return found.verdict in ("agree", "differ") and found.split is None and chance(params) != ""


def shown(text: str) -> str:
    """A piece of a reply in one line, in quotes; its line ends can be seen."""
    return f"“{''.join(_SHOWN.get(each, each) for each in text)}”" if text else "nothing more"


def _agreeing(found: Agreement) -> str:
    alike = [getattr(found, part) for part in found.came]
    if not alike:
        return "agree: both are empty."
    trimmed = " but for white space at the ends" if "trimmed" in alike else ""
    same = "are the same" if len(found.came) > 1 or found.came[0] == "calls" else "is the same"
    return f"agree: {_joined([_PARTS[part] for part in found.came])} {same}{trimmed}."


def _so_far(found: Agreement) -> list[str]:
    """What is the same as far as both came, and what came in one alone."""
    same = [part for part in found.came if getattr(found, part) in ("same", "trimmed")]
    alone = [_PARTS[part] for part in found.came if part not in same]
    parts = []
    if same:
        are = "are" if len(same) > 1 or same[0] == "calls" else "is"
        parts.append(f"As far as both came, {_joined([_PARTS[part] for part in same])} {are} the same.")
    if alone:
        parts.append(f"What came of {_joined(alone)} cannot be compared.")
    return parts


def _left_open(found: Agreement, names: Names) -> list[str]:
    """Which of the two might have gone on, and how it ended."""
    pairs = zip(names, found.ends, strict=True)
    return [f"{name} is unfinished: {'an ' if end[:5] == 'error' else ''}{end}." for name, end in pairs if end]


def _differing(found: Agreement, names: Names) -> list[str]:
    parts = []
    place = found.parting
    if place is not None:
        whose = f"The {place.part} parts" if place.part == "thinking" else "The answers part"
        goes_on = f"{names[0]} goes on with {shown(place.one)}, {names[1]} with {shown(place.other)}"
        parts.append(f"{whose} after character {place.at:,}: {goes_on}.")
    others = [part for part in ("thinking", "answer") if getattr(found, part) == "differs"]
    if len(others) > 1:
        parts.append("The answers differ, too.")
    if found.calls == "differs":
        one, other = found.call_counts
        if one and not other:
            parts.append(
                f"{names[0]} holds {_calls(one)}, {names[1]} none: there a call stays text, as the model wrote it."
            )
        elif one != other:
            parts.append(f"{names[0]} holds {_calls(one)}, {names[1]} {other or 'none'}.")
        else:
            parts.append("The tool calls differ.")
    same = [_PARTS[part] for part in found.came if getattr(found, part) in ("same", "trimmed")]
    if same:
        words = _joined(same)
        are = "is" if len(same) == 1 and same[0] != _PARTS["calls"] else "are"
        parts.append(f"{words[:1].upper()}{words[1:]} {are} the same.")
    return parts


def _ends(found: Agreement, names: Names) -> str:
    """How both finished and what they took, where that was told."""
    parts = []
    finish = told_alike(found.finish)
    if finish == "same":
        parts.append(f"Both finished with “{found.finish[0]}”.")
    elif finish == "differs":
        parts.append(f"{names[0]} finished with “{found.finish[0]}”, {names[1]} with “{found.finish[1]}”.")
    tokens = told_alike(found.reply_tokens)
    if tokens == "same":
        parts.append(f"Both took {_tokens(found.reply_tokens[0])}.")
    elif tokens == "differs":
        parts.append(f"{names[0]} took {_tokens(found.reply_tokens[0])}, {names[1]} {found.reply_tokens[1]:,}.")
    return "".join(f" {part}" for part in parts)


def _prompt_words(found: Agreement, prompts: Prompts) -> str:
    counts = found.prompt_tokens
    counted = f" ({counts[0]:,} and {counts[1]:,} tokens by the server)" if told_alike(counts) == "differs" else ""
    if prompts == "same":
        return f"The prompts were the same{counted}."
    if prompts == "differs":
        return f"The prompts were not the same{counted}, so the replies need not be."
    if counted:
        return f"The server counts {counts[0]:,} prompt tokens for chat and {counts[1]:,} for raw: not the same prompt."
    return "Whether the prompts were the same cannot be told." if prompts == "unknown" else ""


def _chance_words(found: Agreement, params: Mapping[str, JsonValue]) -> str:
    left = chance(params)
    if found.verdict == "unfinished":
        return ""
    if left == "":
        return "Nothing was left to chance (temperature 0)." if found.verdict == "differ" else ""
    warm = (
        "The temperature is above 0" if "temperature" in params else "No temperature is sent, so the server's own holds"
    )
    if left == "seeded":
        return f"{warm}; a server that honours the seed repeats its draws only for the same prompt."
    no_seed = "there is no seed" if left == "sampled" else "the seed that is sent is no number from 0 on"
    if found.verdict == "differ":
        return f"{warm} and {no_seed}: they may differ by chance alone."
    return f"{warm} and {no_seed}: another time they may differ by chance."


def _thinking(count: int) -> str:
    return f"{count:,} character{'' if count == 1 else 's'} of it" if count else "none of it"


def _calls(count: int) -> str:
    return f"{count} tool call{'' if count == 1 else 's'}"


def _tokens(count: int | None) -> str:
    return f"{count or 0:,} token{'' if count == 1 else 's'}"


def _joined(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"

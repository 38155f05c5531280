"""Tags between angle brackets that a page took for HTML and dropped."""

import re

from thinkpane.templates.damage.families import FAMILIES, Family, likely_family
from thinkpane.templates.damage.pieces import line_of
from thinkpane.templates.damage.tag_sites import Site, Tag, sites
from thinkpane.templates.damage.values import TAGS, Damage, Mended

_WITHOUT_TAGS = re.compile(r"\bwithin\s+XML tags\b")


def find(text: str) -> Damage | None:
    """What shows that tags are gone; None where nothing does."""
    places = sites(text)
    wording = _WITHOUT_TAGS.search(text)
    family = likely_family(text)
    passages = sum(len(pattern.findall(text)) for pattern, _ in family.passages) if family else 0
    if not places and not wording:
        return None
    first = min([site.start for site in places] + ([wording.start()] if wording else []))
    count = len(places) + passages
    return Damage(
        TAGS,
        line_of(text, first),
        f"Tags between angle brackets, such as <think>, are gone in {count or 1} place{'s' if count > 1 else ''}: "
        + ("empty literals stand where they stood" if places else "“within XML tags” names none")
        + (f"; the template looks like one of the {family.title} family." if family else "."),
        "certain" if any(site.end > site.start for site in places) else "likely",
    )


def mend(text: str, family: str | None) -> Mended:
    """Fills in the family's tags; without the person's choice of a family nothing is changed.

    Raises ValueError for a family that is not in `FAMILIES`.
    """
    if family is None:
        proposed = likely_family(text)
        hint = f" It looks like “{proposed.name}”." if proposed else ""
        return Mended(text, f"Which tags were lost is known only with the model's family; none was chosen.{hint}")
    if family not in FAMILIES:
        raise ValueError(f"unknown family: {family}")
    chosen = FAMILIES[family]
    filled, count = _filled(text, chosen)
    for pattern, replacement in chosen.passages:
        filled, more = pattern.subn(replacement, filled)
        count += more
    return Mended(
        filled,
        f"Put the tags of the {chosen.title} family back in {count} places. What stood in running text elsewhere "
        "cannot be known and stays as it is.",
    )


def _filled(text: str, family: Family) -> tuple[str, int]:
    parts: list[str] = []
    at = 0
    count = 0
    for site in sites(text):
        parts += text[at : site.start], _written(text, site, family)
        at = site.end
        count += 1
    return "".join([*parts, text[at:]]), count


def _written(text: str, site: Site, family: Family) -> str:
    tags = "".join(_tag_text(tag, family) for tag in site.tags)
    quote = text[site.start : site.start + 1] if site.end > site.start else ""
    return f"{quote}{tags}{quote}"


def _tag_text(tag: Tag, family: Family) -> str:
    return family.tags[tag.encloses][tag.closing]

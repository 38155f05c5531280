"""A template's own text, with the marks of where it was copied from.

What only wraps it or writes its characters otherwise is taken off, and said; all other damage is only said.
"""

from thinkpane.errors import ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.templates.damage import page_text
from thinkpane.templates.damage.no_template import find as no_template
from thinkpane.templates.damage.values import BORDERS, ENTITIES, ESCAPES, FENCE, PAGE_TEXT, Damage
from thinkpane.templates.repair import inspect, repair
from thinkpane.workspace.importers._api import Imported, Importer

_TAKEN_OFF = {
    FENCE: "markdown-fence-removed",
    ENTITIES: "html-entities-read",
    BORDERS: "table-pipes-removed",
    ESCAPES: "json-escapes-read",
}


class _Template:
    name = "template"
    order = 90

    def read(self, paste: str) -> Imported | None:
        text = paste.removeprefix("\ufeff")
        if _is_json(text) or text.lstrip().startswith("curl ") or no_template(text):
            return None
        damages = inspect(text)
        taken_off = [each.kind for each in damages if each.kind in _TAKEN_OFF and each.confidence == "certain"]
        template = repair(text, taken_off).text
        warnings = [_TAKEN_OFF[kind] for kind in taken_off]
        for damage in damages:
            if damage.kind not in taken_off:
                warnings += _said(damage, template)
        return Imported(self.name, template, warnings=tuple(warnings))


def _said(damage: Damage, text: str) -> list[str]:
    if damage.kind != PAGE_TEXT:
        return [f"{damage.kind}:{damage.line}"]
    kept = page_text.mend(text, None).text
    before, _, after = text.partition(kept)
    sides = (("text-before-first-tag", before), ("text-after-last-tag", after))
    return [f"{side}:{' '.join(words.split())}" for side, words in sides if words.strip()]


def _is_json(text: str) -> bool:
    if not text.lstrip().startswith(("{", "[")):
        return False
    try:
        return isinstance(strict_json.parse(text), dict | list)
    except ThinkpaneError:
        return False


IMPORTER: Importer = _Template()

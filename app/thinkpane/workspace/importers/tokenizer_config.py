"""JSON that holds a chat template: a tokenizer_config.json, a chat_template.json, a llama.cpp server's /props."""

from thinkpane.errors import ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.templates.pasted import template_of
from thinkpane.workspace.importers._api import Imported, Importer


class _TokenizerConfig:
    name = "tokenizer_config"
    order = 10

    def read(self, paste: str) -> Imported | None:
        if not paste.lstrip("\ufeff \t\r\n").startswith("{"):
            return None
        try:
            value = strict_json.parse(paste.lstrip("\ufeff"))
        except ThinkpaneError:
            return None
        if not isinstance(value, dict) or value.get("chat_template") is None:
            return None
        found = template_of(paste.lstrip("\ufeff"))
        return Imported(self.name, found.source, found.named, found.variables)


IMPORTER: Importer = _TokenizerConfig()

"""A GGUF file on the web: its header by range requests, kept in the cache."""

from thinkpane.templates import gguf_template
from thinkpane.templates.reach import Reach, required
from thinkpane.templates.remote_files import HEAD_LIMIT, KeptHead
from thinkpane.templates.server_url import parse, path_of
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.template import Template


class _GgufUrl:
    name = "gguf-url"
    takes = "the URL of a .gguf file"
    reaches = True

    def accepts(self, ref: str) -> bool:
        return ref.startswith(("http://", "https://")) and path_of(ref).lower().endswith(".gguf")

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        found = required(reach, ref)
        parse(ref)
        title = path_of(ref).rpartition("/")[2]
        head = KeptHead(found, ref)
        return gguf_template.read_template(head.read, ref, name, title=title, origin=ref, limit=HEAD_LIMIT)


SOURCE: TemplateSource = _GgufUrl()

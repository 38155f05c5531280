"""What a document holds, as one frozen value; the file form is in workspace/document_file.py."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkpane.conversation.conversation import Conversation
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.edited import EditedTemplate, KeptEdit


@dataclass(frozen=True, slots=True)
class DocumentState:
    """One document.

    template: a REF (built-in id or path), "" only where the document has nothing but its own text.
    template_name: the named template, "" = chosen as transformers does; it waits while there is an edited text.
    edited: the text that takes the place of the template's own, None = it is as the REF gives it.
    kept_edits: edits of templates that the document had before (workspace/kept_edits.py), newest first.
    variables: template variables that are set; a name that is absent is not passed at all.
    steps: switches and settings of the steps before rendering, by step id. profile: runtime profile.
    endpoint: the name of an endpoint; path: "chat" or "raw". params: sampling that is sent; absent = not sent.
    brought_model: the model that a body brought; it holds over a change of endpoint while it is `model` still.
    extra: keys of the file that are none of ours, kept.
    drafts: texts that are not applied, by place (workspace/drafts.py); only on the way to and from a file, for the
    open document keeps them beside its state.
    """

    template: str = "chatml"
    template_name: str = ""
    edited: EditedTemplate | None = None
    conversation: Conversation = field(default_factory=Conversation)
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    steps: Mapping[str, JsonValue] = field(default_factory=dict)
    profile: str = "transformers"
    endpoint: str = "demo"
    path: str = "raw"
    model: str = ""
    params: Mapping[str, JsonValue] = field(default_factory=dict)
    extra: Mapping[str, JsonValue] = field(default_factory=dict)
    drafts: Mapping[str, str] = field(default_factory=dict)
    kept_edits: tuple[KeptEdit, ...] = ()
    brought_model: str = ""

    @property
    def keeps_model(self) -> bool:
        """Whether the model is a body's, and nobody chose another one since."""
        return bool(self.model) and self.model == self.brought_model

"""A finding's fix, done to the document it was found in."""

from collections.abc import Sequence
from dataclasses import replace

from thinkpane.analysis.lint.findings import Fix, MessageEdit, Step
from thinkpane.analysis.lint.variants import put
from thinkpane.conversation.conversation import Conversation
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import same
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.edited import edit_of
from thinkpane.templates.template import Template
from thinkpane.workspace.state import DocumentState


def parts_of(fix: Fix) -> frozenset[str]:
    """The parts of a document that a fix changes, as `Document.change` takes them."""
    found = {"template": fix.template, "messages": fix.messages, "variables": fix.variables or fix.unset}
    return frozenset(name for name, changes in found.items() if changes)


def with_fix(state: DocumentState, fix: Fix, prompt: Prompt, template: Template | None) -> DocumentState:
    """The state with the fix done.

    prompt: the one that was checked. template: the document's, as its REF gives it, None while it cannot be had.
    Raises ThinkpaneError (kind "fix") where the document is another one by now, or a step before rendering made what
    was found.
    """
    request = prompt.request
    if request is None:
        raise _gone("There is no prompt to compare with.")
    if fix.template:
        state = _with_text(state, fix, request.source, template)
    if fix.messages:
        state = replace(state, conversation=_with_messages(state.conversation, fix.messages, prompt))
    if fix.variables or fix.unset:
        kept = {name: value for name, value in state.variables.items() if name not in fix.unset}
        state = replace(state, variables={**kept, **fix.variables})
    return state


def _with_text(state: DocumentState, fix: Fix, checked: str, template: Template | None) -> DocumentState:
    parts: list[str] = []
    at = 0
    for edit in fix.template:
        parts += checked[at : edit.start], edit.replacement
        at = edit.end
    text = "".join([*parts, checked[at:]])
    # A pasted text has no original; one that is not edited is among the original's own.
    if state.edited is not None and state.edited.source == checked:
        return replace(state, edited=replace(state.edited, source=text))
    if state.edited is None and template is not None and checked in (template.source, *template.named.values()):
        return replace(state, edited=edit_of(template, text))
    raise _gone("The template is another one by now.")


def _with_messages(conversation: Conversation, edits: Sequence[MessageEdit], prompt: Prompt) -> Conversation:
    checked = prompt.request.messages if prompt.request else None
    messages = list(conversation.messages)
    gone: set[int] = set()
    for edit in edits:
        origins = prompt.request_origins.messages
        index = origins[edit.index] if edit.index < len(origins) else None
        given = checked[edit.index] if isinstance(checked, list) and edit.index < len(checked) else None
        if index is None or index >= len(messages):
            raise _gone(f"Message {edit.index + 1} of the request is not in the document.")
        data = dict(messages[index].data)
        if not _is_same(data, given, edit.path):
            raise _gone(f"Message {index + 1} is another one by now, or a step before rendering changed it.")
        if edit.delete:
            gone.add(index)
        else:
            changed = put(data, edit.path, edit.value)
            messages[index] = messages[index].with_data(changed if isinstance(changed, dict) else data)
    kept = (each for index, each in enumerate(messages) if index not in gone)
    return replace(conversation, messages=tuple(kept))


def _is_same(data: JsonValue, given: JsonValue, path: Sequence[Step]) -> bool:
    """Whether what the fix changes is what was checked; what is missing was dropped because it is null."""
    one, other = data, given
    for step in path:
        one, other = _inside(one, step), _inside(other, step)
    return same(one, other)


def _inside(value: JsonValue, step: Step) -> JsonValue:
    if isinstance(value, dict) and isinstance(step, str):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return None


def _gone(sentence: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("fix", f"The fix was not applied. {sentence}"))

"""Sampling that a plain request body carries: in force as what the window sets is, and left where it stands.

What a person sets lies in the document's `params`; a body that was opened or pasted keeps its own keys, so that it
can be seen as it came. Where both name a parameter, the one that was set holds.
"""

from dataclasses import replace

from thinkpane.conversation.conversation import Conversation
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import same
from thinkpane.workspace.state import DocumentState

SAMPLING_NAMES = frozenset(
    (
        "temperature", "top_p", "top_k", "min_p", "max_tokens", "max_completion_tokens", "stop", "seed",
        "presence_penalty", "frequency_penalty", "repetition_penalty", "logit_bias",
    )
)  # fmt: skip
"""Keys of a body that say how tokens are drawn and where the reply ends; all others stay with the body alone."""


def brought_params(state: DocumentState) -> dict[str, JsonValue]:
    """The parameters in force that the document's body brings."""
    body = state.conversation.extra
    named = {name: body[name] for name in body if name in SAMPLING_NAMES and name not in state.params}
    return {name: value for name, value in named.items() if value is not None}


def given_params(state: DocumentState) -> dict[str, JsonValue]:
    """The parameters in force, whoever set them."""
    return brought_params(state) | dict(state.params)


def set_param(state: DocumentState, name: str, value: JsonValue) -> DocumentState:
    """The state with that parameter sent; None = not sent. One that the body brings is changed in the body."""
    talk = state.conversation
    is_brought = name in SAMPLING_NAMES and name in talk.extra
    if value is None:
        params = {key: each for key, each in state.params.items() if key != name}
        rest = {key: each for key, each in talk.extra.items() if key != name}
        return replace(state, params=params, conversation=replace(talk, extra=rest) if is_brought else talk)
    if is_brought and name not in state.params:
        return replace(state, conversation=replace(talk, extra={**talk.extra, name: value}))
    return replace(state, params={**state.params, name: value})


def with_typed_talk(state: DocumentState, talk: Conversation) -> DocumentState:
    """The document with its conversation as a person typed it: a parameter that was typed there anew holds."""
    before = state.conversation.extra
    typed = {name for name in talk.extra if name in SAMPLING_NAMES and not same(talk.extra[name], before.get(name))}
    params = {name: value for name, value in state.params.items() if name not in typed}
    found = replace(state, conversation=talk, params=params if len(params) < len(state.params) else state.params)
    model = talk.extra.get("model")
    if not isinstance(model, str) or model == before.get("model"):
        return found
    return replace(found, model=model, brought_model=model)


def with_talk(state: DocumentState, talk: Conversation, model: str, *, is_request: bool) -> DocumentState:
    """The document with a conversation in place of its own. model: that of its body, "" = none.

    is_request: it came as a whole request, which says all that was sent: what was set before goes.
    """
    params = {} if is_request else state.params
    found = replace(state, conversation=talk, params=params)
    return replace(found, model=model, brought_model=model) if model else found

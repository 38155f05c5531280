"""The prompt that a server itself makes of the messages, to be compared with ours.

Every server tells it in its own way (wire-format notes, sections 3 to 7): llama.cpp by /apply-template, vLLM and SGLang
by the tokens of /tokenize and, where that is closed, vLLM by `return_prompt_text`, Ollama by `_debug_render_only`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from thinkpane.endpoints.dialects._api import HttpRequest
from thinkpane.endpoints.server import Server, json_of, object_of
from thinkpane.endpoints.server_kind import ServerKind, server_kind
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

MakeRequest: TypeAlias = Callable[[str], HttpRequest]
"""The request that Run would send on the chat path in the dialect of that name. Raises ThinkpaneError."""

_TOKENIZE = (
    "messages",
    "tools",
    "tool_choice",
    "documents",
    "chat_template",
    "chat_template_kwargs",
    "reasoning_effort",
    "add_generation_prompt",
    "continue_final_message",
)
"""What of a chat request decides its prompt, by the names that vLLM's and SGLang's /tokenize take."""


@dataclass(frozen=True, slots=True)
class ServerPrompt:
    """What a server makes of the messages.

    text: its prompt, None where it does not tell; why: then the reason, in one sentence. how: by which question.
    same_tokens: whether our prompt has the very tokens of it, None where tokens were not compared.
    template: the template that the server says it uses, "" where it does not say.
    """

    kind: ServerKind
    how: str = ""
    text: str | None = None
    why: str = ""
    same_tokens: bool | None = None
    template: str = ""


def server_prompt(server: Server, ours: str, make: MakeRequest) -> ServerPrompt:
    """Asks the server. ours: our prompt, to have it cut into tokens by the same server.

    Raises ThinkpaneError where the server does not answer, or refuses the messages.
    """
    kind = server_kind(server)
    if kind.name == "llamacpp":
        return _llamacpp(server, kind, make("openai-chat"))
    if kind.name in ("vllm", "sglang"):
        return _by_tokens(server, kind, ours, make("openai-chat"))
    if kind.name == "ollama":
        return _ollama(server, kind, make("ollama"))
    return ServerPrompt(kind, why=f"{kind.server or 'This server'} does not tell which prompt it makes of messages.")


def _llamacpp(server: Server, kind: ServerKind, request: HttpRequest) -> ServerPrompt:
    """One POST; /apply-template takes the body of a chat request whole."""
    answered = json_of(server.answer("/apply-template", {**request.body, "stream": False}))
    prompt = answered.get("prompt") if isinstance(answered, dict) else None
    template = (kind.props or {}).get("chat_template")
    found = ServerPrompt(kind, "/apply-template", template=template if isinstance(template, str) else "")
    if not isinstance(prompt, str):
        return replace(found, why="The server's /apply-template answered without a prompt.")
    return replace(found, text=prompt)


def _by_tokens(server: Server, kind: ServerKind, ours: str, request: HttpRequest) -> ServerPrompt:
    """The tokens of messages, ours beside them; their text is what the server makes of them again."""
    model: JsonObject = {"model": request.body["model"]} if "model" in request.body else {}
    asked = {name: request.body[name] for name in _TOKENIZE if name in request.body}
    answer = server.answer("/tokenize", {**model, **asked, "add_special_tokens": False})
    if answer.status in (400, 422) and "messages" in asked and kind.name == "sglang":
        return ServerPrompt(kind, why="This SGLang's /tokenize takes no messages; newer ones do.")
    if answer.status in (404, 405):
        return _by_prompt_text(server, kind, request)
    theirs = _tokens(json_of(answer))
    if theirs is None:
        return ServerPrompt(kind, why="The server's /tokenize answered without tokens.")
    own = _tokens(server.json("/tokenize", {**model, "prompt": ours, "add_special_tokens": False}))
    if own == theirs:
        return ServerPrompt(kind, "/tokenize", ours, same_tokens=True)
    given = object_of(server.answer("/detokenize", {**model, "tokens": theirs})) or {}
    text = given.get("prompt", given.get("text"))
    if not isinstance(text, str):
        sentence = "The tokens differ from those of our prompt, but the server does not turn them into text again."
        return ServerPrompt(kind, "/tokenize", why=sentence, same_tokens=False)
    return ServerPrompt(kind, "/tokenize and /detokenize", text, same_tokens=False)


def _by_prompt_text(server: Server, kind: ServerKind, request: HttpRequest) -> ServerPrompt:
    """vLLM's prompt beside a reply of one token."""
    if kind.name != "vllm":
        return ServerPrompt(kind, why="The server's /tokenize is closed.")
    body = {
        name: value for name, value in request.body.items() if name not in ("max_completion_tokens", "stream_options")
    }
    body |= {"stream": False, "max_tokens": 1, "return_prompt_text": True}
    answered = json_of(server.sent(replace(request, body=body)))
    prompt = answered.get("prompt_text") if isinstance(answered, dict) else None
    if not isinstance(prompt, str):
        return ServerPrompt(kind, why="The server's /tokenize is closed, and it does not know return_prompt_text.")
    return ServerPrompt(kind, "return_prompt_text", prompt)


def _ollama(server: Server, kind: ServerKind, request: HttpRequest) -> ServerPrompt:
    """A chat request that is only rendered; one token at most where an older server does not know that."""
    options = request.body.get("options")
    one: JsonObject = {**(options if isinstance(options, dict) else {}), "num_predict": 1}
    body: JsonObject = {**request.body, "stream": False, "options": one, "_debug_render_only": True}
    answered = json_of(server.sent(replace(request, body=body)))
    info = answered.get("_debug_info") if isinstance(answered, dict) else None
    prompt = info.get("rendered_template") if isinstance(info, dict) else None
    if not isinstance(prompt, str):
        return ServerPrompt(kind, why="This Ollama does not know _debug_render_only.")
    return ServerPrompt(kind, "_debug_render_only", prompt)


def _tokens(value: JsonValue) -> list[JsonValue] | None:
    found = value.get("tokens") if isinstance(value, dict) else None
    return found if isinstance(found, list) else None


def refused(error: ThinkpaneError) -> bool:
    """Whether it is a server's answer that it cannot make a prompt of these messages, as a template refuses some."""
    status = error.problem.detail.get("status")
    return error.problem.kind == "server" and isinstance(status, int) and status in (400, 422, 500)

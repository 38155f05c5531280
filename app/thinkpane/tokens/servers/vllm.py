"""vLLM's `POST /tokenize` (return_token_strs).

Facts: vllm/entrypoints/serve/tokenize/protocol.py of 0.33. The strings are those of the vocabulary:
letters that stand for bytes, or text with U+2581 for a space.
"""

from collections.abc import Sequence

from thinkpane.formats.json_values import JsonObject
from thinkpane.tokens.byte_level import bytes_of
from thinkpane.tokens.ids import ids_of
from thinkpane.tokens.servers._api import ServerKind, ServerTokens
from thinkpane.tokens.space_mark import marked_bytes


class _Vllm:
    name = "vllm"
    order = 2
    path = "/tokenize"
    decoding_path = ""
    tells_special = False

    def body(self, text: str, model: str, *, special: bool = True) -> JsonObject:
        asked: JsonObject = {"prompt": text, "add_special_tokens": False, "return_token_strs": True}
        return asked | ({"model": model} if model else {})

    def decoding_body(self, lists: Sequence[Sequence[int]], model: str) -> JsonObject:
        return {}

    def read_decoded(self, answer: JsonObject) -> list[str]:
        return []

    def read(self, answer: JsonObject, text: str) -> ServerTokens | None:
        tokens, strings = answer.get("tokens"), answer.get("token_strs")
        # SGLang's answer has the same form without them.
        if not isinstance(tokens, list) or "token_strs" not in answer:
            return None
        ids = ids_of(tokens)
        if ids is None:
            return None
        found = [each for each in strings if isinstance(each, str)] if isinstance(strings, list) else []
        return ServerTokens(ids, _pieces(found, text) if len(found) == len(ids) else ())


def _pieces(strings: list[str], text: str) -> tuple[bytes, ...]:
    """The bytes of tokens that are written in one of two ways: the way in which they spell the text."""
    letters, marked = [*map(bytes_of, strings)], [*map(marked_bytes, strings)]
    return tuple(letters if b"".join(letters) == text.encode("utf-8", "surrogatepass") else marked)


SERVER: ServerKind = _Vllm()

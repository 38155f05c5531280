"""SGLang's `POST /tokenize`: ids alone. What they stand for is asked of its `POST /detokenize`, which takes many lists.

Facts: SGLang 0.5.23, srt/entrypoints/openai/serving_tokenize.py: each list is decoded by itself; where a token is no
UTF-8, its text holds U+FFFD.
"""

from collections.abc import Sequence

from thinkpane.formats.json_values import JsonObject
from thinkpane.tokens.ids import ids_of
from thinkpane.tokens.servers._api import ServerKind, ServerTokens


class _SgLang:
    name = "sglang"
    order = 3
    path = "/tokenize"
    decoding_path = "/detokenize"
    tells_special = False

    def body(self, text: str, model: str, *, special: bool = True) -> JsonObject:
        asked: JsonObject = {"prompt": text, "add_special_tokens": False}
        return asked | ({"model": model} if model else {})

    def read(self, answer: JsonObject, text: str) -> ServerTokens | None:
        tokens = answer.get("tokens")
        if not isinstance(tokens, list) or "token_strs" in answer:
            return None
        ids = ids_of(tokens)
        return ServerTokens(ids) if ids is not None else None

    def decoding_body(self, lists: Sequence[Sequence[int]], model: str) -> JsonObject:
        asked: JsonObject = {"tokens": [[*each] for each in lists], "skip_special_tokens": False}
        return asked | ({"model": model} if model else {})

    def read_decoded(self, answer: JsonObject) -> list[str]:
        texts = answer.get("text")
        return [each for each in texts if isinstance(each, str)] if isinstance(texts, list) else []


SERVER: ServerKind = _SgLang()

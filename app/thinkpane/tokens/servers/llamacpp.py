"""llama.cpp's `POST /tokenize`: ids with pieces; a piece that is no text by itself comes as a list of bytes.

Facts: tools/server/README.md of b11434, and a running server.
"""

from collections.abc import Sequence

from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.tokens.ids import ids_of
from thinkpane.tokens.servers._api import ServerKind, ServerTokens


class _LlamaCpp:
    name = "llamacpp"
    order = 1
    path = "/tokenize"
    decoding_path = ""
    tells_special = True

    def body(self, text: str, model: str, *, special: bool = True) -> JsonObject:
        asked: JsonObject = {"content": text, "add_special": False, "parse_special": special, "with_pieces": True}
        return asked | ({"model": model} if model else {})

    def decoding_body(self, lists: Sequence[Sequence[int]], model: str) -> JsonObject:
        return {}

    def read_decoded(self, answer: JsonObject) -> list[str]:
        return []

    def read(self, answer: JsonObject, text: str) -> ServerTokens | None:
        tokens = answer.get("tokens")
        # Servers of another kind that take the question answer with plain ids.
        if not isinstance(tokens, list) or not all(isinstance(each, dict) for each in tokens) or "count" in answer:
            return None
        pairs = [(each.get("id"), _bytes(each.get("piece"))) for each in tokens if isinstance(each, dict)]
        ids, pieces = ids_of([id for id, _ in pairs]), [piece for _, piece in pairs if piece is not None]
        return ServerTokens(ids, tuple(pieces)) if ids is not None and len(pieces) == len(tokens) else None


def _bytes(piece: JsonValue) -> bytes | None:
    if isinstance(piece, str):
        return piece.encode("utf-8", "surrogatepass")
    if isinstance(piece, list) and all(isinstance(each, int) and 0 <= each < 0x100 for each in piece):
        return bytes(each for each in piece if isinstance(each, int))
    return None


SERVER: ServerKind = _LlamaCpp()

"""A server's own tokenizer: found out by its answers, learnt piece by piece; faults are sentences."""

import json
from typing import Any

import pytest

from support.llama_server import MISSING, LlamaServer, model_file
from support.small_vocabularies import byte_pairs
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.server_tokenizer import ServerTokenizer
from thinkpane.tokens.kinds.gguf import KIND

TEXT = "<|im_start|>user\nHi 👩\u200d👩\u200d👧 cafe\u0301 日本語\r\n<b>[INST]</b><|im_end|>\n"


class Server:
    """Speaks as llama.cpp, vLLM or SGLang, with a small vocabulary. decodes: SGLang's ids can be made text again."""

    def __init__(self, kind: str, decodes: bool = True) -> None:
        self._kind = kind
        self._decodes = decodes
        self._vocabulary = byte_pairs(("<|im_start|>", "<|im_end|>"))
        self.asked: list[JsonObject] = []

    def post(self, url: str, body: JsonObject) -> JsonObject:
        self.asked.append(body)
        if url == "http://127.0.0.1:9/detokenize" and self._decodes:
            return self._decoded(body)
        if url != "http://127.0.0.1:9/tokenize":
            raise ThinkpaneError(Problem("server", "Not here.", detail={"status": 404}))
        key = "content" if self._kind == "llamacpp" else "prompt"
        if key not in body:
            raise ThinkpaneError(Problem("server", "It refuses.", detail={"status": 422}))
        text = str(body[key])
        if body.get("parse_special", True):
            (ids,) = self._vocabulary.encode([text])
        else:
            ids = self._vocabulary.encode(["<"])[0] + self._vocabulary.encode([text[1:]])[0]
        if self._kind == "llamacpp":
            pieces = self._vocabulary.pieces()
            return {"tokens": [{"id": id, "piece": _piece(pieces[id])} for id in ids]}
        if self._kind == "sglang":
            return {"count": len(ids), "tokens": [*ids], "max_model_len": 9}
        strings: Any = [self._vocabulary._tokenizer.id_to_token(id) for id in ids]
        return {"count": len(ids), "tokens": [*ids], "token_strs": strings}

    def _decoded(self, body: Any) -> JsonObject:
        assert body["skip_special_tokens"] is False
        pieces = self._vocabulary.pieces()
        return {"text": [b"".join(pieces[id] for id in ids).decode("utf-8", "replace") for ids in body["tokens"]]}

    @property
    def expected(self) -> Any:
        return self._vocabulary.offsets(TEXT)


def _piece(piece: bytes) -> Any:
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return [*piece]


@pytest.mark.parametrize("kind", ["llamacpp", "vllm", "sglang"])
def test_ids_pieces_and_places_are_the_servers(kind: str) -> None:
    server = Server(kind)
    made = ServerTokenizer("http://127.0.0.1:9/v1", server.post)
    found = made.tokens(TEXT)
    ids, places = server.expected
    assert found.ids == ids
    assert [*found.places] == places
    known = made.description
    assert b"".join(known.pieces[id] for id in ids) == TEXT.encode()
    assert {known.added[id] for id in known.special} >= {"<|im_start|>", "<|im_end|>"}
    server.asked.clear()
    assert made.encode([TEXT, ""]) == [ids, type(ids)("I")]
    assert len(server.asked) == 1


def test_pieces_of_ids_alone_are_asked_for_once() -> None:
    server = Server("sglang")
    made = ServerTokenizer("sglang+http://127.0.0.1:9", server.post)
    made.encode([TEXT])
    server.asked.clear()
    made.encode([TEXT])
    assert [*server.asked[0]] == ["prompt", "add_special_tokens"]
    assert len(server.asked) == 1
    made.encode([f"{TEXT}é~"])
    assert len(server.asked) > 2
    assert b"~" in [made.description.pieces[id] for id in made.encode(["~"])[0]]


def test_a_server_that_tells_only_ids_gives_them_with_no_pieces_and_no_places() -> None:
    server = Server("sglang", decodes=False)
    made = ServerTokenizer("http://127.0.0.1:9", server.post)
    found = made.tokens(TEXT)
    assert found.ids == server.expected[0]
    assert {*found.places} == {(0, len(TEXT))}
    assert len(made.description.pieces) == 0
    server.asked.clear()
    made.encode([TEXT])
    assert len(server.asked) == 1


def test_what_else_is_wrong_with_making_text_again_is_told() -> None:
    server = Server("sglang")

    def post(url: str, body: JsonObject) -> JsonObject:
        if url.endswith("/detokenize"):
            raise ThinkpaneError(Problem("server", "No key.", detail={"status": 401}))
        return server.post(url, body)

    with pytest.raises(ThinkpaneError, match="No key"):
        ServerTokenizer("http://127.0.0.1:9", post).encode(["a"])


def test_what_only_looks_special_is_not() -> None:
    server = Server("llamacpp")
    made = ServerTokenizer("llamacpp+http://127.0.0.1:9", server.post)
    made.encode(["the"])
    assert not made.description.special


def test_plain_text_is_asked_for_as_such() -> None:
    made = ServerTokenizer("http://127.0.0.1:9", Server("llamacpp").post)
    special, plain = made.apart([("<|im_end|>", False), ("<|im_end|>", True)])
    assert (len(special), len(plain) > 1) == (1, True)
    with pytest.raises(ThinkpaneError, match="spells a special token"):
        ServerTokenizer("http://127.0.0.1:9", Server("vllm").post).apart([("<|im_end|>", True)])


def test_a_server_without_a_tokenizer_says_so() -> None:
    def post(_url: str, _body: JsonObject) -> JsonObject:
        raise ThinkpaneError(Problem("server", "Not here.", detail={"status": 404}))

    with pytest.raises(ThinkpaneError, match="has no tokenizer that can be asked"):
        ServerTokenizer("http://127.0.0.1:9", post).encode(["a"])


def test_what_else_is_wrong_is_told_as_it_is() -> None:
    def post(_url: str, _body: JsonObject) -> JsonObject:
        raise ThinkpaneError(Problem("server", "No key.", detail={"status": 401}))

    with pytest.raises(ThinkpaneError, match="No key"):
        ServerTokenizer("http://127.0.0.1:9", post).encode(["a"])


def test_ids_that_no_vocabulary_has_are_refused() -> None:
    answer: Any = {"tokens": [{"id": 2**31, "piece": "a"}]}
    with pytest.raises(ThinkpaneError, match="no vocabulary has"):
        ServerTokenizer("http://127.0.0.1:9", lambda _url, _body: answer).encode(["a"])


@pytest.mark.real_server
def test_a_real_llamacpp_server_and_its_own_file_agree() -> None:
    file = model_file()
    if file is None:
        pytest.skip(MISSING)
    vocabulary = KIND.load(file)
    with LlamaServer() as server:

        def post(url: str, body: JsonObject) -> JsonObject:
            found: JsonObject = json.loads(json.dumps(server.post(url.removeprefix(server.url), body)))
            return found

        made = ServerTokenizer(server.url, post)
        found = made.tokens(TEXT)
        assert found.ids == vocabulary.encode([TEXT])[0]
        assert [*found.places] == vocabulary.offsets(TEXT)[1]
        known = made.description
        assert {known.added[id] for id in known.special} == {"<|im_start|>", "<|im_end|>"}

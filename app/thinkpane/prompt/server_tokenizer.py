"""A server's own tokenizer: texts are sent to it, and what it says counts. Its pieces are known as they come."""

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate
from typing import Final, TypeAlias

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.tokenizer import Description, TokenPieces, Tokens
from thinkpane.templates.server_url import ServerUrl, parse
from thinkpane.tokens.decoded_pieces import decoded_pieces
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.pieces import pieces_of
from thinkpane.tokens.servers._api import ServerKind, ServerTokens
from thinkpane.tokens.servers._registry import all_servers
from thinkpane.tokens.specials import tokens_in

Post: TypeAlias = Callable[[str, JsonObject], JsonObject]
"""POST of JSON, waited for: the object in the answer. Raises ThinkpaneError; `status` in the detail of a refusal."""

_KIND: Final = re.compile(r"(?:(?P<kind>[a-z]+)\+)?(?=https?://)")
_NOT_HIS: Final = frozenset({400, 404, 405, 415, 422, 501})
"""Statuses of a server that is of another kind; others say what is wrong."""
HIGHEST_ID: Final = 4_000_000
"""Ids that a vocabulary may have; the largest have some 300,000."""


class ServerTokenizer:
    """The tokenizer of the server at a URL. Every method but `close` and `title` waits for it.

    They raise ThinkpaneError: kind "tokenizer" for a server without one, and what `post` raises.
    """

    def __init__(self, ref: str, post: Post) -> None:
        """ref: http://host:port[#model], or with a kind before it (vllm+http://…)."""
        match = _KIND.match(ref)
        self._named = (match["kind"] or "") if match is not None else ""
        self._server: ServerUrl = parse(ref, self._named)
        self._post = post
        self._kind: ServerKind | None = None
        self._pieces: dict[int, bytes] = {}
        self._untold: set[int] = set()
        self._special: set[int] = set()
        self._description: Description | None = None

    @property
    def title(self) -> str:
        """The server's name for the window."""
        return self._server.host

    @property
    def description(self) -> Description:
        """What is known so far; ids that never came have no bytes."""
        if self._description is None:
            highest = max(self._pieces, default=-1)
            found = [self._pieces.get(id, b"") for id in range(highest + 1)]
            bounds: Ids = array("I", accumulate(map(len, found), initial=0))
            added = {id: self._pieces[id].decode("utf-8", "replace") for id in sorted(self._special)}
            pieces = TokenPieces(b"".join(found), bounds)
            self._description = Description(self._server.base, (), added, frozenset(self._special), pieces)
        return self._description

    def encode(self, texts: Sequence[str]) -> list[Ids]:
        """The ids of each text by itself."""
        return [self._asked(text).ids for text in texts]

    def apart(self, pieces: Sequence[tuple[str, bool]]) -> list[Ids]:
        """The ids of each piece of one text, some of them plain text; not every kind of server can do that."""
        found = []
        for text, plain in pieces:
            asked = self._asked(text)
            if plain and text:
                asked = self._plain(text) or asked
            found.append(asked.ids)
        return found

    def tokens(self, text: str) -> Tokens:
        """All of one text, with places; where the server's pieces do not spell it, each token has the whole of it."""
        ids = self._asked(text).ids
        known = self.description.pieces
        pieces = pieces_of([known[id] if id < len(known) else b"" for id in range(max(ids, default=-1) + 1)])
        if pieces.spell(ids, text):
            places = [*pieces.places(ids, 0)]
            return Tokens(ids, array("I", (start for start, _ in places)), array("I", (end for _, end in places)))
        return Tokens(ids, array("I", bytes(4 * len(ids))), array("I", [len(text)] * len(ids)))

    def close(self) -> None:
        """Nothing runs here."""

    def _asked(self, text: str) -> ServerTokens:
        if not text:
            return ServerTokens(array("I"))
        for kind in [self._kind] if self._kind is not None else self._candidates():
            found = self._answer(kind, text)
            if found is not None:
                self._kind = kind
                self._learn(kind, self._with_pieces(kind, found, text))
                return found
        sentence = f"“{self._server.base}” has no tokenizer that can be asked: its /tokenize is not understood."
        raise ThinkpaneError(Problem("tokenizer", sentence))

    def _with_pieces(self, kind: ServerKind, found: ServerTokens, text: str) -> ServerTokens:
        """The same with what the ids stand for, where a server that tells only ids can be asked for that."""
        unknown = {id for id in found.ids if id not in self._pieces and id not in self._untold}
        if not kind.decoding_path or not unknown:
            return found
        pieces = decoded_pieces(found.ids, text, partial(self._decoded, kind), self._pieces)
        if not pieces:
            # They would be asked for again with each keystroke.
            self._untold |= unknown
            return found
        return ServerTokens(found.ids, tuple(map(pieces.__getitem__, found.ids)))

    def _decoded(self, kind: ServerKind, lists: Sequence[Sequence[int]]) -> list[str]:
        try:
            body = kind.decoding_body(lists, self._server.model)
            return kind.read_decoded(self._post(self._server.base + kind.decoding_path, body))
        except ThinkpaneError as fault:
            if fault.problem.detail.get("status") in _NOT_HIS:
                return []
            raise

    def _plain(self, text: str) -> ServerTokens | None:
        if self._kind is None or not self._kind.tells_special:
            sentence = f"“{self._server.base}” takes whatever spells a special token for one."
            raise ThinkpaneError(Problem("tokenizer", sentence))
        return self._answer(self._kind, text, special=False)

    def _candidates(self) -> Iterable[ServerKind]:
        named = [each for each in all_servers() if each.name == self._named]
        return named or all_servers()

    def _answer(self, kind: ServerKind, text: str, *, special: bool = True) -> ServerTokens | None:
        try:
            body = kind.body(text, self._server.model, special=special)
            found = kind.read(self._post(self._server.base + kind.path, body), text)
        except ThinkpaneError as fault:
            if self._kind is None and fault.problem.detail.get("status") in _NOT_HIS:
                return None
            raise
        if found is not None and max(found.ids, default=0) > HIGHEST_ID:
            raise ThinkpaneError(
                Problem("tokenizer", f"“{self._server.base}” answers with ids that no vocabulary has.")
            )
        return found

    def _learn(self, kind: ServerKind, found: ServerTokens) -> None:
        fresh = {id: piece for id, piece in zip(found.ids, found.pieces, strict=False) if id not in self._pieces}
        if not fresh:
            return
        self._pieces |= fresh
        self._description = None
        for id, piece in fresh.items():
            text = piece.decode("utf-8", "replace")
            if tokens_in([text]) == (text,) and self._is_special(kind, id, text):
                self._special.add(id)

    def _is_special(self, kind: ServerKind, id: int, text: str) -> bool:
        """Whether a token that looks like a special one is one: taken for plain letters it is another."""
        if not kind.tells_special:
            return True
        plain = self._answer(kind, text, special=False)
        return plain is not None and [*plain.ids] != [id]

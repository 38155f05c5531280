"""The bound on one reply: how large a block may grow and how many blocks there may be."""

from thinkpane.errors import Problem


class BlockLimit:
    """Counts one reply's blocks: runs of thinking, runs of answer, tool calls."""

    def __init__(self, block_bytes: int, blocks: int) -> None:
        """block_bytes: the most one block may hold, counted in UTF-8. blocks: the most there may be."""
        self._block_bytes = block_bytes
        self._blocks = blocks
        self._sizes: dict[str, int] = {}

    def count(self, block: str, text: str) -> Problem | None:
        """Adds `text` to the block with that key; a Problem (kind "limit") where that is too much."""
        size = self._sizes.get(block)
        if size is None:
            if len(self._sizes) >= self._blocks:
                return self._problem(f"The reply has more than {self._blocks} blocks", "blocks", self._blocks)
            size = 0
        size += len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        self._sizes[block] = size
        if size > self._block_bytes:
            return self._problem(
                f"One block of the reply is larger than {self._block_bytes:,} bytes", "block_bytes", self._block_bytes
            )
        return None

    def _problem(self, what: str, name: str, limit: int) -> Problem:
        return Problem("limit", f"{what}; reading stopped there.", detail={"limit": limit, "which": name})

"""How large a reply may grow."""

from thinkpane.streaming.block_limit import BlockLimit


def test_bytes_of_a_block_add_up_in_utf8() -> None:
    limit = BlockLimit(block_bytes=6, blocks=9)
    assert limit.count("a", "éé") is None
    assert limit.count("b", "xxxxxx") is None
    assert limit.count("a", "xx") is None
    problem = limit.count("a", "x")
    assert problem is not None
    assert (problem.kind, problem.detail["which"]) == ("limit", "block_bytes")
    assert "6 bytes" in problem.message


def test_lone_surrogates_count_too() -> None:
    assert BlockLimit(2, 1).count("a", "\ud800") is not None


def test_blocks_are_counted() -> None:
    limit = BlockLimit(block_bytes=100, blocks=2)
    assert [limit.count(key, "x") for key in ("a", "b", "a", "b")] == [None] * 4
    problem = limit.count("c", "x")
    assert problem is not None
    assert problem.detail["which"] == "blocks"

"""The tools to start from are right themselves."""

from thinkpane.conversation.tool_check import tool_fault
from thinkpane.conversation.tool_snippets import snippets


def test_snippets_have_the_usual_shape_and_keys_of_their_own() -> None:
    found = snippets()
    assert list(found) == ["Weather", "Search", "Calculator", "Empty"]
    assert [tool_fault(tool) for tool in found.values()] == [""] * 4
    assert not {each.key for each in found.values()} & {each.key for each in snippets().values()}

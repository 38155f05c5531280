"""The owner bar's shares in words."""

from support.owned import owned
from thinkpane.prompt.budget import budget_of
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.models.owner_shares import legend, shares_of


def test_short_messages_are_all_counted() -> None:
    pieces: list[tuple[str, str | None]] = []
    for number, said in enumerate(("Hi", "ok", "Hi", "no", "so")):
        pieces += [("[[somebody said this]] ", None), (said, f"messages[{number}].content")]
    found = budget_of(Prompt("".join(each for each, _ in pieces), owners=owned(pieces)), None)
    assert legend(shares_of(found), found.measure).endswith(" · 5 messages ≈ 5")

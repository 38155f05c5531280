"""One conversation is told from another by what is sent of it."""

from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation, conversation_from_body
from thinkpane.conversation.fingerprint import fingerprint
from thinkpane.conversation.messages import message

TALK = Conversation((message("user", "Grüße \ud800"), message("assistant", "Yes.")))


def test_the_same_words_are_the_same_wherever_they_come_from() -> None:
    assert fingerprint(TALK) == fingerprint(conversation_from_body(TALK.body()))


def test_other_messages_are_others() -> None:
    others = [
        edits.add(TALK, message("user", "And?")),
        Conversation(TALK.messages[:1]),
        Conversation(raw_text="Grüße"),
        Conversation(),
    ]
    assert len({fingerprint(each) for each in (TALK, *others)}) == 5

"""What tells one conversation from another after both are gone from memory."""

import hashlib
import json

from thinkpane.conversation.conversation import Conversation


def fingerprint(talk: Conversation) -> str:
    """The same for two conversations that say the same: of what is sent of their messages, in hexadecimal."""
    told = json.dumps(talk.messages_value(), separators=(",", ":"))
    return hashlib.sha256(told.encode("ascii")).hexdigest()

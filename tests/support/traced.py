"""Prompts with owners, as the tracer delivers them, without an engine."""

from dataclasses import replace

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.owners import owners_of
from thinkpane.prompt.places import origins_of
from thinkpane.prompt.prompt import Prompt

SOURCE = "<s>\n{{ messages[0].content }}\n{% macro end() %}</s>{% endmacro %}\n{{ end() }}\n{{ name }}"
TEXT = "<s>\nHello you\n</s>\nBob"
TALK = Conversation((message("user", "Hello you"),))
SPANS: list[JsonValue] = [
    [0, 4, {"line": 1, "column": 1, "via": [], "path": None, "at": None}],
    [4, 13, {"line": 2, "column": 4, "via": [], "path": "messages[0].content", "at": [0, 9]}],
    [13, 14, {"line": 2, "column": 28, "via": [], "path": None, "at": None}],
    [14, 18, {"line": 3, "column": 17, "via": [4], "path": None, "at": None}],
    [18, 19, {"line": 4, "column": 12, "via": [], "path": None, "at": None}],
    [19, 22, {"line": 5, "column": 4, "via": [], "path": "name", "at": [0, 3]}],
]
REQUEST = RenderRequest(source=SOURCE, messages=TALK.messages_value(), variables={"name": "Bob"})
PLAIN = Prompt(TEXT, request=REQUEST, serial=1, milliseconds=1.0, origins=origins_of(TALK, TALK, TALK.messages_value()))
TRACED = replace(PLAIN, owners=owners_of(SPANS, len(TEXT)), lines=(1, 2, 3, 4, 5))

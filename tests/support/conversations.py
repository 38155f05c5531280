"""Hypothesis strategies for conversations as they come: any text, unknown keys, nulls, odd contents."""

from hypothesis import strategies as st

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message
from thinkpane.conversation.tools import ContextDocument, Tool
from thinkpane.formats.json_values import JsonObject, JsonValue

TEXTS = st.text(st.characters(exclude_categories=()) | st.sampled_from("\r\n\u2028\u00a0\x00😀"), max_size=6)
SCALARS: st.SearchStrategy[JsonValue] = st.none() | st.booleans() | st.integers() | TEXTS
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=3,
)
PARTS: st.SearchStrategy[JsonValue] = st.one_of(
    TEXTS,
    st.builds(lambda text: {"type": "text", "text": text}, TEXTS),
    st.builds(lambda url: {"type": "image_url", "image_url": {"url": url, "detail": "low"}}, TEXTS),
    VALUES,
)


def _object(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    return dict(pairs)


OBJECTS = st.builds(
    _object,
    st.lists(
        st.tuples(st.sampled_from(["role", "name", "weight", "cache", "tool_call_id"]) | TEXTS, VALUES)
        | st.tuples(st.just("content"), TEXTS | st.lists(PARTS, max_size=3))
        | st.tuples(st.sampled_from(["reasoning", "reasoning_content", "thinking"]), TEXTS)
        | st.tuples(
            st.just("tool_calls"),
            st.lists(
                st.fixed_dictionaries({"id": TEXTS, "function": st.dictionaries(TEXTS, VALUES, max_size=2)}) | VALUES,
                max_size=2,
            ),
        ),
        max_size=4,
    ),
)
MESSAGES = st.builds(lambda data, excluded: Message(data, excluded=excluded), OBJECTS, st.booleans())
CONVERSATIONS = st.builds(
    Conversation,
    messages=st.lists(MESSAGES, max_size=3).map(tuple),
    tools=st.lists(st.builds(lambda data, on: Tool(data, enabled=on), OBJECTS, st.booleans()), max_size=2).map(tuple),
    documents=st.lists(
        st.builds(lambda data, on: ContextDocument(data, enabled=on), VALUES, st.booleans()), max_size=2
    ).map(tuple),
    raw_text=st.none() | TEXTS,
    parked_text=TEXTS,
    extra=st.dictionaries(st.sampled_from(["user", "stream", "metadata"]), VALUES, max_size=2),
)

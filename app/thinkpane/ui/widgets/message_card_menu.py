"""The menu of a message card: what can be added to the message, how its content is held, what can follow it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from thinkpane.conversation import edits, part_edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, call_function, message
from thinkpane.formats.json_values import JsonObject
from thinkpane.ui.models.message_link import MessageLink


def fill_menu(
    menu: QMenu, found: Message, link: MessageLink, add_reasoning: Callable[[], None], add_call: Callable[[], None]
) -> None:
    """Fills `menu` anew for the message `found`."""
    menu.clear()
    menu.addAction("Add reasoning", add_reasoning).setEnabled(not found.reasoning_field)
    menu.addAction("Add tool call", add_call)
    for call in found.tool_calls:
        result = tool_result(call)
        name = str(result.data.get("name") or "the call").replace("&", "&&")
        menu.addAction(f"Add a result for {name}", partial(_insert_below, link, result))
    menu.addSeparator()
    if found.parts is None:
        to_parts = menu.addAction("Content as parts (text, image, file)")
        to_parts.triggered.connect(lambda: link.edit("Content as parts", part_edits.to_parts))
        to_parts.setEnabled(found.content is None or isinstance(found.content, str))
    else:
        to_text = menu.addAction("Content as one text")
        to_text.triggered.connect(lambda: link.edit("Content as text", part_edits.to_text))
        to_text.setEnabled(part_edits.can_be_text(found))
    menu.addSeparator()
    for role in ("system", "user", "assistant", "tool"):
        menu.addAction(f"Insert {role} below", partial(_insert_below, link, message(role)))
    menu.addSeparator()
    words = "Take this message in again" if found.excluded else "Leave this message out"
    menu.addAction(words, partial(switch_excluded, link))
    _add_moves(menu, link)
    _with_keys(menu.addAction("Duplicate"), "Ctrl+D").triggered.connect(
        lambda: link.restructure("Duplicate message", edits.duplicate)
    )
    _with_keys(menu.addAction("Delete"), "Ctrl+Shift+Del").triggered.connect(
        lambda: link.restructure("Delete message", edits.delete)
    )


def _add_moves(menu: QMenu, link: MessageLink) -> None:
    place = link.index or 0
    for words, keys, to in (("Move up", "Alt+Up", place - 1), ("Move down", "Alt+Down", place + 1)):
        action = _with_keys(menu.addAction(words), keys)
        action.setEnabled(0 <= to < link.count)
        action.triggered.connect(
            lambda _checked=False, to=to: link.restructure(
                "Move message", lambda talk, index: edits.move(talk, index, to)
            )
        )


def switch_excluded(link: MessageLink) -> None:
    """Leaves the message out of prompt and request, or takes it in again."""
    found = link.message
    if found:
        label = "Take message in" if found.excluded else "Leave message out"
        link.restructure(label, lambda talk, index: edits.set_excluded(talk, index, not found.excluded))


def tool_result(call: JsonObject) -> Message:
    """An empty tool message that answers `call`."""
    call_id, name = call.get("id"), call_function(call).get("name")
    data: JsonObject = {"role": "tool"}
    if isinstance(call_id, str) and call_id:
        data["tool_call_id"] = call_id
    if isinstance(name, str) and name:
        data["name"] = name
    return Message(data | {"content": ""})


def _with_keys(action: QAction, keys: str) -> QAction:
    """Shows the keys that do the same; the list of cards owns the shortcut itself."""
    action.setText(f"{action.text()}\t{keys}")
    return action


def _insert_below(link: MessageLink, new: Message) -> None:
    def insert(talk: Conversation, index: int) -> Conversation:
        return edits.insert(talk, index + 1, new)

    link.restructure("Add message", insert)

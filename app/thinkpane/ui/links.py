"""How panes point at each other: the prompt's characters, the template's lines, the messages' fields."""

from PySide6.QtCore import QObject, Signal


class Links(QObject):
    """What a person points at or chooses in one pane, for the panes that show the same thing from another side.

    Whoever emits a signal hears it too. Template lines count from 1, messages of the document from 0.

    Signals:
        owner_pointed(object): the prompt.owners.Owner of the character under the pointer or at the caret of the
            prompt; None when there is none any more. Passing light only: nothing scrolls.
        owner_chosen(object): the Owner of the character that was clicked; its template line and message are shown.
        place_pointed(object): the prompt.places.Place in the document that these characters came from, or None.
        place_chosen(object): that Place was clicked: the message card scrolls into sight, its characters are selected.
        field_entered(object): the Place where the caret stands in a message, or None; the prompt lights what it became.
        template_line_chosen(int): a line of the template (a problem's, one that was clicked): the template pane shows
            it, the prompt lights all that it wrote; 0 = none any more.
        message_chosen(int): a message of the document is to be shown.
        comparison_asked(object, object): two prompts (prompt.comparison.Side or Variant) are to be compared; None in
            the place of one = the prompt at hand.
    """

    owner_pointed = Signal(object)
    owner_chosen = Signal(object)
    place_pointed = Signal(object)
    place_chosen = Signal(object)
    field_entered = Signal(object)
    template_line_chosen = Signal(int)
    message_chosen = Signal(int)
    comparison_asked = Signal(object, object)

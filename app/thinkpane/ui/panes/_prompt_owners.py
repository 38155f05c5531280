"""Owners in the prompt pane: what the pointer, the caret, the gutter and the bar light, here and in other panes."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from thinkpane.prompt.budget import Budget
from thinkpane.prompt.owners import OwnedSpan, Owners, Stretch
from thinkpane.prompt.parts import Part
from thinkpane.prompt.places import Place
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.links import Links
from thinkpane.ui.models.owner_shares import Share, share_words
from thinkpane.ui.models.told_budget import ToldBudget
from thinkpane.ui.panes import _owner_words as words
from thinkpane.ui.panes._owner_labels import OwnerLabels, room_of
from thinkpane.ui.widgets.owner_bar import OwnerBar
from thinkpane.ui.widgets.text_accessible import announce
from thinkpane.ui.widgets.text_change import Change
from thinkpane.ui.widgets.text_gutter import Labels
from thinkpane.ui.widgets.text_view import TextView

Wish: TypeAlias = Callable[[Owners], list[Stretch]]
"""What is chosen, as a question to the owners, so that it can be asked again of the next prompt's."""


class PromptOwners(QObject):
    """Joins the prompt's view and its owner bar with the links. `show_prompt` is called after the view has its text,
    `show_budget` once its tokens are counted: until then the bar stays as it is.

    Signals:
        told(str, str): where the characters in question came from, and what wrote them; both "" for nothing to tell.
    """

    told = Signal(str, str)

    def __init__(self, view: TextView, bar: OwnerBar, links: Links) -> None:
        super().__init__(view)
        self._view = view
        self._bar = bar
        self._links = links
        self._prompt = Prompt()
        self._traced = Prompt()
        self._labels: OwnerLabels | None = None
        self._room: tuple[str, Labels] | None = None
        self._budget: Budget | None = None
        self._under: OwnedSpan | None = None
        self._wish: Wish | None = None
        self._field: tuple[str, int | None, str] | None = None
        view.pointed.connect(self._on_view_pointed)
        view.clicked.connect(self._on_view_clicked)
        view.gutter_clicked.connect(self._on_view_gutter_clicked)
        view.menu_opening.connect(self._on_view_menu_opening)
        view.selection_changed.connect(self._on_view_selection_changed)
        bar.share_pointed.connect(self._on_bar_share_pointed)
        bar.share_chosen.connect(self._on_bar_share_chosen)
        links.template_line_chosen.connect(self._on_links_template_line_chosen)
        links.field_entered.connect(self._on_links_field_entered)

    def show_prompt(self, prompt: Prompt, change: Change | None = None) -> None:
        """Takes a prompt, and what made its text of the one before where somebody knows. Until its owners come, the
        gutter keeps the lines of the one before, moved with the text."""
        known = change if self._traced.text is self._prompt.text else None
        self._prompt = prompt
        self._point(None)
        if prompt.owners is not None:
            self._traced, self._labels = prompt, OwnerLabels(prompt)
            labels = self._labels.of(prompt.text)
            self._room = (prompt.request.source, room_of(labels)) if prompt.request else None
            self._view.set_labels(labels)
            self._light(reveal=False)
        elif prompt.untraced or not prompt.text or self._labels is None:
            self._traced, self._labels = Prompt(), None
            self._view.set_labels(self._kept_room(prompt))
            self._view.set_lit("chosen", [])
            self.show_budget(None)
        else:
            self._view.set_labels(self._labels.of(prompt.text, known))
        self._tell_caret()

    def show_budget(self, told: ToldBudget | None) -> None:
        """Shows how many tokens each owner has; None = nothing is known of it."""
        self._budget = told.budget if told is not None else None
        if told is not None:
            self._bar.set_shares(told.shares, told.budget.measure, told.legend)
        else:
            self._bar.set_shares([])
        self._bar.setVisible(bool(self._bar.shares))
        self._light(reveal=False)

    def choose_at_caret(self) -> None:
        """Chooses the owner of the character at the caret, as a click does; of what is selected, exactly that."""
        at = self._view.selection
        span = self._span(self._caret())
        if span is not None:
            self._choose_span(span.part(at.start, at.end) if at.end > at.start else span)

    def say_at_caret(self, *before: str) -> None:
        """Lets screen readers say who wrote what the caret is at, or is selected. before: what is said first."""
        said = [each for each in self._caret_words() if each]
        announce(self._view, ". ".join([*before, *(said or ["No owner is known here"])]))

    def tip(self, position: int) -> str:
        """Where the character at a position came from, and what wrote it; "" where that is not known."""
        span = self._span(position)
        said = " — ".join(each for each in self._span_words(span) if each) if span is not None else ""
        return said[:1].upper() + said[1:]

    def _caret(self) -> int:
        return min(self._view.selection.start, len(self._view.text) - 1)

    def _span(self, position: int) -> OwnedSpan | None:
        """The characters around a position that have one owner and came from one place; None where it is not known."""
        found = self._prompt.owners.at(position) if self._prompt.owners is not None else None
        return self._prompt.origins.part(found, position) if found is not None else None

    def _caret_words(self) -> tuple[str, str]:
        owners, at = self._prompt.owners, self._view.selection
        if owners is None:
            return "", ""
        start = self._caret()
        if at.end - at.start:
            return words.selection_words(self._prompt, owners, start, at.end)
        span = self._span(start)
        return self._span_words(span) if span is not None else ("", "")

    def _span_words(self, span: OwnedSpan) -> tuple[str, str]:
        return words.came_from(self._prompt, span), words.written_by(self._prompt, span.owner)

    def _tell_caret(self) -> None:
        self.told.emit(*self._caret_words())

    def _point(self, span: OwnedSpan | None) -> None:
        if span == self._under:
            return
        self._under = span
        self._view.set_lit("pointed", [(span.start, span.end)] if span is not None else [])
        self._links.owner_pointed.emit(span.owner if span is not None else None)
        self._links.place_pointed.emit(words.place_of(self._prompt, span) if span is not None else None)

    def _kept_room(self, prompt: Prompt) -> Labels | None:
        """The gutter's room while the template is the same: the text must not move when its owners go."""
        source, room = self._room or ("", None)
        return room if prompt.request is not None and prompt.request.source == source else None

    def _choose(self, wish: Wish, *, reveal: bool) -> None:
        self._wish = wish
        self._light(reveal=reveal)

    def _light(self, *, reveal: bool) -> None:
        owners = self._prompt.owners
        if owners is None or self._wish is None:
            return
        stretches = self._wish(owners)
        self._view.set_lit("chosen", stretches)
        if reveal and stretches:
            self._view.reveal(stretches[0][0])

    def _on_view_pointed(self, position: int) -> None:
        span = self._span(position)
        self._point(span)
        if span is not None:
            self.told.emit(*self._span_words(span))
        else:
            self._tell_caret()

    def _on_view_clicked(self, position: int) -> None:
        span = self._span(position)
        if span is not None:
            self._choose_span(span)

    def _choose_span(self, span: OwnedSpan) -> None:
        self._field = None
        self._choose(_same_owner(span), reveal=False)
        self._links.owner_chosen.emit(span.owner)
        self._links.place_chosen.emit(words.place_of(self._prompt, span))

    def _on_view_gutter_clicked(self, position: int) -> None:
        line = self._prompt.owners.line_at(position) if self._prompt.owners is not None else 0
        if line:
            self._links.template_line_chosen.emit(line)

    def _on_view_menu_opening(self, menu: QMenu, position: int) -> None:
        span = self._span(position)
        if span is None:
            return
        place = words.place_of(self._prompt, span)
        menu.addSeparator()
        if place is not None and place.kind != "request":
            shown = menu.addAction(f"Show {replace(place, at=None, field='') if place.index is not None else place}")
            shown.triggered.connect(lambda: self._links.place_chosen.emit(place))
        for line in (span.owner.line, *span.owner.via):
            go = menu.addAction(f"Show template line {line:,}")
            go.triggered.connect(lambda _on=False, line=line: self._links.template_line_chosen.emit(line))

    def _on_view_selection_changed(self) -> None:
        if self._under is None:
            self._tell_caret()

    def _on_bar_share_pointed(self, share: Share | None) -> None:
        if share is None:
            self._view.set_lit("pointed", [])
            self._tell_caret()
        else:
            self._view.set_lit("pointed", self._spans_of(share.parts))
            self.told.emit(share_words(share, self._bar.shares, self._bar.measure), "")

    def _on_bar_share_chosen(self, share: Share) -> None:
        self._field = None
        self._choose(lambda _owners: self._spans_of(share.parts), reveal=True)

    def _spans_of(self, parts: tuple[Part, ...]) -> list[Stretch]:
        """Where parts of the bar stand; nowhere while the bar is still that of another text."""
        budget = self._budget
        same = budget is not None and budget.prompt.text == self._prompt.text
        return budget.parts.spans_of(parts) if budget is not None and same else []

    def _on_links_template_line_chosen(self, line: int) -> None:
        self._field = None
        self._choose(lambda owners: owners.spans_of_line(line) if line else [], reveal=True)
        if line and self._prompt.owners is not None:
            self.told.emit(words.line_words(self._prompt, line, self._prompt.owners.spans_of_line(line)), "")

    def _on_links_field_entered(self, place: Place | None) -> None:
        field = (place.kind, place.index, place.field) if place is not None else None
        # The first field has the keyboard because a window opened, not because a person went there.
        is_other = self._field not in (None, field)
        self._field = field
        self._choose(self._from_place(place), reveal=is_other)

    def _from_place(self, place: Place | None) -> Wish:
        def wish(owners: Owners) -> list[Stretch]:
            found = self._prompt.origins.value(place) if place is not None else None
            if found is None:
                return []
            path, at = found
            return owners.spans_of_path(path) if at is None else owners.spans_of_value(path, *at)

        return wish


def _same_owner(span: OwnedSpan) -> Wish:
    """The span itself, or the part of one, as long as the same owner stands there."""

    def wish(owners: Owners) -> list[Stretch]:
        found = owners.at(span.start)
        same = found is not None and found.part(span.start, span.end).owner == span.owner
        return [(span.start, span.end)] if same else []

    return wish

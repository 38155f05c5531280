"""Edits of variables, tiers, steps and sampling."""

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.step_table import STEPS
from thinkpane.templates.template import Template, TierCandidate
from thinkpane.workspace.state import DocumentState
from thinkpane.workspace.state_edits import (
    next_tier,
    pick_tier,
    picked_tier,
    set_step_fields,
    set_variable,
    switch_step,
    unset_variable,
)

TEMPLATE = Template(
    "own",
    "",
    tiers=(
        TierCandidate("Off", "off", {"effort": "none", "think": False}),
        TierCandidate("Low", "low", {"effort": "low"}),
        TierCandidate("High", "high", {"effort": "high"}),
    ),
)
KEYWORDS = next(step for step in STEPS if step.id == "keywords")
TAGS = next(step for step in STEPS if step.id == "thinking_tags")


def test_a_variable_that_is_unset_is_gone_not_null() -> None:
    state = set_variable(DocumentState(), "mode", None)
    assert dict(state.variables) == {"mode": None}
    assert dict(unset_variable(state, "mode").variables) == {}


def test_picking_a_tier_replaces_the_variables_of_the_last_one_only() -> None:
    state = set_variable(DocumentState(), "lang", "de")
    off = pick_tier(state, TEMPLATE, 0)
    assert dict(off.variables) == {"lang": "de", "effort": "none", "think": False}
    assert dict(pick_tier(off, TEMPLATE, 2).variables) == {"lang": "de", "effort": "high"}
    assert dict(pick_tier(off, TEMPLATE, None).variables) == {"lang": "de"}


def test_the_tier_that_is_picked_is_told_by_its_very_values() -> None:
    assert picked_tier(DocumentState(), TEMPLATE) is None
    assert picked_tier(pick_tier(DocumentState(), TEMPLATE, 0), TEMPLATE) == 0
    assert picked_tier(DocumentState(variables={"effort": "none"}), TEMPLATE) is None
    assert picked_tier(DocumentState(variables={"effort": "none", "think": 0}), TEMPLATE) is None


@pytest.mark.parametrize(("by", "start", "label"), [(1, None, 0), (-1, None, 2), (1, 1, 2), (1, 2, 0), (-1, 0, 2)])
def test_the_next_tier_goes_round(by: int, start: int | None, label: int) -> None:
    assert picked_tier(next_tier(DocumentState(), TEMPLATE, by, start), TEMPLATE) == label


def test_the_next_tier_counts_from_the_one_picked_rather_than_the_one_in_force() -> None:
    state = pick_tier(DocumentState(), TEMPLATE, 0)
    assert picked_tier(next_tier(state, TEMPLATE, 1, 2), TEMPLATE) == 1


def test_a_template_without_tiers_changes_nothing() -> None:
    state = DocumentState()
    assert next_tier(state, Template("own", ""), 1, None) is state


def test_a_step_at_its_default_leaves_no_trace() -> None:
    on = switch_step(DocumentState(), TAGS, not TAGS.default)
    assert dict(on.steps) == {TAGS.id: not TAGS.default}
    assert dict(switch_step(on, TAGS, TAGS.default).steps) == {}


def test_a_steps_own_settings_survive_its_switch() -> None:
    state = set_step_fields(DocumentState(), KEYWORDS, {"efforts": {"ponder": "high"}})
    off = switch_step(switch_step(state, KEYWORDS, True), KEYWORDS, False)
    assert off.steps[KEYWORDS.id] == {"on": False, "efforts": {"ponder": "high"}}


def test_settings_put_back_to_their_defaults_leave_the_switch_alone() -> None:
    state = switch_step(DocumentState(), KEYWORDS, True)
    changed = set_step_fields(state, KEYWORDS, {"efforts": {"ponder": "high"}, "latest_only": True})
    defaults = {field.name: field.default for field in KEYWORDS.fields}
    assert dict(set_step_fields(changed, KEYWORDS, defaults).steps) == {KEYWORDS.id: True}


def test_settings_of_the_wrong_shape_are_refused() -> None:
    with pytest.raises(ThinkpaneError, match="efforts"):
        set_step_fields(DocumentState(), KEYWORDS, {"efforts": ["ponder"]})

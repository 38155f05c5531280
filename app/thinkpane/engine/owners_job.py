"""The job "owners": a trace whose spans come as flat columns."""

from thinkpane.engine.owner_columns import columns_of
from thinkpane.engine.tracing import trace_job
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject


def owners_job(payload: JsonObject) -> JsonObject:
    """What the job "trace" tells (tracing.py), with `columns` (owner_columns.py) in place of `spans`."""
    found = trace_job(payload)
    spans = found.pop("spans", None)
    if not isinstance(spans, list):
        return found
    try:
        return {**found, "columns": columns_of(spans)}
    except ThinkpaneError as error:
        return {**found, "columns": None, "untraced": error.problem.message}

"""Settings for hypothesis on a busy machine: nothing is measured by the clock."""

from hypothesis import HealthCheck, settings

PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

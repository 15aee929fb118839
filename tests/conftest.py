"""Rules for all tests: with CI set nothing is skipped, no deadline for examples, inputs are recorded.

On a developer's machine a test may skip itself for want of something (a browser, say). On CI a skip would
be a test that nobody ran and nobody misses, so there it fails, with the reason it gave. Expected failures are
left alone.
"""

import os
from collections.abc import Generator
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

from tests.inputs import (
    pytest_runtest_logreport,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)

__all__ = [  # hooks
    "pytest_runtest_logreport",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "pytest_testnodedown",
]

# By default an example that takes longer than 200 ms fails, and so do those that are made slowly.
# On a busy machine any may.
settings.register_profile("busy_machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy_machine")

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

CI = os.environ.get("CI", "").lower() not in ("", "0", "false")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Look at how a test went."""
    return _failed_if_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Look at how the reading of a test module went: it may skip itself as a whole."""
    return _failed_if_skipped((yield))


def _failed_if_skipped(report: Report) -> Report:
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow: {reason}"
    return report

"""Which failures are repeated, and after how long."""

from __future__ import annotations

import random
import re
import time
from email.utils import parsedate_to_datetime
from typing import Callable, TypeVar

from ._deadline import Deadline
from .errors import GovernanceError

Result = TypeVar("Result")

_FIRST_S = 0.1
_LONGEST_S = 5.0
# An address where nothing answers is reported soon; a short restart of the gateway is bridged.
_UNREACHABLE_ATTEMPTS_MAX = 4


def read_retry_after(header: str | None) -> float | None:
    """Returns the seconds of a Retry-After header, which is a number or a date; None when it is neither."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header):
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _is_worth_repeating(error: GovernanceError, attempt: int, lost_answer: bool) -> bool:
    if error.status in (429, 503):
        return True
    if error.status == 500:
        return attempt == 0
    if error.code == "GATEWAY_UNREACHABLE":
        return attempt < _UNREACHABLE_ATTEMPTS_MAX - 1
    # The request whose answer was lost is still running, so this conflict is with itself and ends.
    return error.code == "CONFLICT" and lost_answer and error.retry_after_seconds is not None


def retry_delay(error: BaseException, attempt: int, lost_answer: bool) -> float | None:
    """Returns the seconds to wait before a repeatable request is sent again; None when it must not be. ``attempt`` counts from 0."""
    if not isinstance(error, GovernanceError) or not _is_worth_repeating(error, attempt, lost_answer):
        return None
    jittered: float = min(_FIRST_S * 2.0 ** min(attempt, 16), _LONGEST_S) * (0.5 + random.random() / 2)
    return (error.retry_after_seconds or 0.0) + jittered


def retrying(deadline: Deadline, work: Callable[[], Result], is_final: Callable[[GovernanceError], bool] = lambda _: False) -> Result:
    """Repeats work that failed for a passing reason, as long as the deadline leaves time for the wait."""
    lost_answer = False
    attempt = 0
    while True:
        try:
            return work()
        except GovernanceError as error:
            lost_answer = lost_answer or error.code == "GATEWAY_UNREACHABLE"
            delay = None if is_final(error) else retry_delay(error, attempt, lost_answer)
            if delay is None or delay >= deadline.remaining():
                raise
        deadline.sleep(delay)
        attempt += 1

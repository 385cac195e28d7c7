"""Bounds of time for one call."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Callable, TypeVar

from .errors import error_for

Value = TypeVar("Value")


class Cancelled(BaseException):
    """Ends the thread of an asynchronous call whose caller was cancelled. Never reaches a caller."""


class Cancellation:
    """Stops a call from another thread: its waits end, and so does the request that it waits for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._close: Callable[[], None] | None = None

    def cancel(self) -> None:
        with self._lock:
            self._event.set()
            close = self._close
        if close is not None:
            close()

    def is_set(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> None:
        self._event.wait(seconds)

    def while_open(self, close: Callable[[], None] | None) -> None:
        """Registers how to end the request that is under way; None when it has ended."""
        with self._lock:
            self._close = close


class Deadline:
    """The time that one call may still take. ``seconds`` None: no bound, only a cancellation."""

    def __init__(self, seconds: float | None, cancellation: Cancellation | None = None) -> None:
        self._seconds = seconds
        self._ends_at = None if seconds is None else time.monotonic() + seconds
        self.cancellation = cancellation or Cancellation()

    def remaining(self) -> float:
        return float("inf") if self._ends_at is None else self._ends_at - time.monotonic()

    def check(self) -> None:
        """Raises TIMED_OUT when the time has passed."""
        if self.cancellation.is_set():
            raise Cancelled()
        if self.remaining() <= 0:
            raise self.timed_out()

    def timed_out(self) -> Exception:
        return error_for("TIMED_OUT", f"There was no final response within {self._seconds} s.")

    def sleep(self, seconds: float) -> None:
        self.cancellation.wait(max(0.0, min(seconds, self.remaining(), threading.TIMEOUT_MAX)))
        self.check()

    def wait_for(self, future: Future[Value]) -> Value:
        """Returns the result of shared work, which goes on for others when this call's time has passed."""
        remaining = self.remaining()
        try:
            return future.result(None if remaining == float("inf") else max(0.0, remaining))
        except FutureTimeout:
            if future.done():
                raise
            raise self.timed_out() from None

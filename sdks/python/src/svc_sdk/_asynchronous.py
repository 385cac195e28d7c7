"""Runs blocking work for an event loop."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from typing import Any, Callable, TypeVar

from ._deadline import Cancellation

Result = TypeVar("Result")


async def in_thread(work: Callable[[], Result], cancellation: Cancellation | None = None) -> Result:
    """Runs work in a thread of its own, since it may wait for a person for hours. Cancelling the caller ends cancellable work."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: Any, error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)

    def run() -> None:
        result: Any = None
        failure: BaseException | None = None
        try:
            result = context.run(work)
        except StopIteration as error:
            failure = RuntimeError(f"StopIteration: {error}")
        except BaseException as error:
            failure = error
        try:
            loop.call_soon_threadsafe(settle, result, failure)
        except RuntimeError:
            # The loop has been closed; no one waits.
            pass

    threading.Thread(target=run, name="svc-sdk-call", daemon=True).start()
    try:
        return await done
    except asyncio.CancelledError:
        if cancellation is not None:
            cancellation.cancel()
        raise

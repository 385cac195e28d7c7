"""Keeps one token alive for any number of threads."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Callable, Mapping

from ._deadline import Deadline
from ._dpop import with_scheme
from ._http import reset_after_fork
from .errors import GovernanceError

# A token is renewed when a minute of its life is left, or a tenth when its life is short.
_RENEW_BEFORE_S = 60.0
_RENEW_BEFORE_SHARE = 0.1
# A renewal that failed is not tried again with each call.
_RENEW_AGAIN_AFTER_S = 5.0


@dataclass
class _Held:
    token: str
    expires_at: float
    renew_at: float

    def __repr__(self) -> str:
        return "_Held()"


class TokenHolder:
    """Mints one token for all who wait, and renews it in the background while the old one serves."""

    def __init__(
        self, mint: Callable[[], Mapping[str, Any]], now: Callable[[], float], on_renewal_error: Callable[[BaseException], None]
    ) -> None:
        self._mint = mint
        self._now = now
        self._on_renewal_error = on_renewal_error
        self._held: _Held | None = None
        self.forget()
        reset_after_fork(self)

    def forget(self) -> None:
        """Drops lock and minting of the parent process, after a fork. The token serves the child as well."""
        self._lock = threading.Lock()
        self._minting: Future[str] | None = None

    def take(self, deadline: Deadline) -> str:
        """Returns a live token; waits only when there is none."""
        with self._lock:
            held = self._live()
            if held is None:
                minting = self._mint_once(report=False)
            else:
                if self._minting is None and self._now() >= held.renew_at:
                    held.renew_at = self._now() + _RENEW_AGAIN_AFTER_S
                    self._mint_once(report=True)
                return held.token
        try:
            return deadline.wait_for(minting)
        except GovernanceError as error:
            failure = error.again()
        raise failure

    def current(self) -> str | None:
        with self._lock:
            held = self._live()
            return None if held is None else held.token

    def discard(self, token: str) -> None:
        """Drops a token that was refused, unless another has replaced it already."""
        with self._lock:
            if self._held is not None and self._held.token == token:
                self._held = None

    def adopt(self, grant: Mapping[str, Any], requested_at: float) -> None:
        """Takes a token that came with another response."""
        with self._lock:
            self._hold(grant, requested_at)

    def _live(self) -> _Held | None:
        return self._held if self._held is not None and self._now() < self._held.expires_at else None

    def _hold(self, grant: Mapping[str, Any], requested_at: float) -> str:
        life = float(grant["expires_in"])
        expires_at = requested_at + life
        self._held = _Held(with_scheme(grant["token"], grant.get("token_type")), expires_at, expires_at - min(_RENEW_BEFORE_S, life * _RENEW_BEFORE_SHARE))
        return self._held.token

    def _mint_once(self, report: bool) -> Future[str]:
        """Called with the lock. The work runs in a thread of its own, so that no caller's deadline ends it for the others."""
        if self._minting is None:
            minting: Future[str] = Future()
            self._minting = minting
            threading.Thread(target=self._work, args=(minting, report), name="svc-sdk-token", daemon=True).start()
        return self._minting

    def _work(self, minting: Future[str], report: bool) -> None:
        requested_at = self._now()
        try:
            grant = self._mint()
        except BaseException as error:
            with self._lock:
                self._minting = None
            minting.set_exception(error)
            if report:
                self._on_renewal_error(error)
            return
        with self._lock:
            self._minting = None
            token = self._hold(grant, requested_at)
        minting.set_result(token)

"""Calls of one agent at one gateway."""

from __future__ import annotations

import re
from typing import Any, Callable, TypeGuard, TypeVar

from ._backoff import retrying
from ._checks import is_handshake_response, is_logout_response, is_token_response
from ._deadline import Cancellation, Deadline
from ._dpop import ProvingTransport, authorization_for
from ._http import HttpTransport, Request, Transport, exchange, read_url, reset_after_fork
from ._identity import Audience, Identity, ServiceClock, Sign, present_assertion
from ._tokens import TokenHolder
from ._wire_format import PATHS
from .answers import Handshake
from .errors import GovernanceError
from .options import SideError

Result = TypeVar("Result")
OnError = Callable[[SideError], object]

DEFAULT_TIMEOUT_S = 30.0
_TIMEOUT_S_MAX = 86_400.0


def read_timeout(given: float | None, otherwise: float) -> float:
    value = otherwise if given is None else given
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= _TIMEOUT_S_MAX:
        raise TypeError(f"timeout must be a number of seconds, more than 0 and at most {_TIMEOUT_S_MAX:.0f}.")
    return float(value)


class Session:
    """Identity, token and transport of one agent. It has no representation that shows them, and cannot be pickled."""

    def __init__(
        self,
        *,
        transport: Transport,
        agent_id: str,
        sign: Sign,
        key_generation: int,
        audience: str | None,
        timeout: float | None,
        clock: Callable[[], float],
        on_error: OnError | None,
        dpop: bool = False,
    ) -> None:
        if not isinstance(agent_id, str) or not re.fullmatch(r"agt_[0-9A-Za-z]{1,60}", agent_id):
            raise TypeError("agent_id must be the id of an agent, agt_...")
        if isinstance(key_generation, bool) or not isinstance(key_generation, int) or key_generation < 1:
            raise TypeError("key_generation must be an integer of at least 1.")
        self.agent_id = agent_id
        self.timeout = read_timeout(timeout, DEFAULT_TIMEOUT_S)
        self.clock = ServiceClock(clock)
        self.transport = transport = ProvingTransport(transport, self.clock.now, dpop)
        self._local = clock
        self._on_error = on_error
        self._open(Identity(agent_id, key_generation, sign, Audience(transport, audience, clock), self.clock))

    def _open(self, identity: Identity) -> None:
        transport = self.transport
        self._identity = identity

        def mint() -> dict[str, Any]:
            grant: dict[str, Any] = present_assertion(transport, identity, PATHS["token"], is_token_response, Deadline(self.timeout))["data"]
            return grant

        self.tokens = TokenHolder(mint, self._local, lambda error: self.report(SideError(error, "renewal"), None))

    def in_context(self, context: str) -> Session:
        """Returns another session of the agent, with a token of its own, in a flow context. Raises TypeError for an id in another form."""
        if not isinstance(context, str) or not re.fullmatch(r"[A-Za-z0-9._:-]{1,64}", context):
            raise TypeError("The id of a context must be 1 to 64 characters of A-Z, a-z, 0-9, dot, underscore, colon and hyphen.")
        of = self._identity
        session = Session.__new__(Session)
        session.agent_id, session.transport, session.timeout = self.agent_id, self.transport, self.timeout
        session.clock, session._local, session._on_error = self.clock, self._local, self._on_error
        session._open(Identity(of.agent_id, of.key_generation, of.sign, of.audience, of.clock, context))
        return session

    def __reduce__(self) -> Any:
        raise TypeError("A client cannot be pickled or copied, because it holds a private key. Create one in each process.")

    def report(self, failure: SideError, on_error: OnError | None) -> None:
        """Calls the hook of the caller; an error in it changes nothing."""
        hook = on_error or self._on_error
        if hook is None:
            return
        try:
            hook(failure)
        except Exception:
            pass

    def call(
        self,
        request: Request,
        understands: Callable[[object], TypeGuard[Result]],
        *,
        timeout: float | None = None,
        deadline: Deadline | None = None,
        cancellation: Cancellation | None = None,
        is_final: Callable[[GovernanceError], bool] = lambda _: False,
    ) -> Result:
        """Sends a request that does the same when it arrives twice. A refused token is replaced once."""
        bound = deadline or Deadline(read_timeout(timeout, self.timeout), cancellation)
        replaced = False
        minting_failures: list[GovernanceError] = []

        def attempt() -> Result:
            nonlocal replaced
            while True:
                try:
                    token = self.tokens.take(bound)
                except GovernanceError as error:
                    minting_failures.append(error)
                    raise
                try:
                    return exchange(self.transport, with_token(request, token), understands, bound)
                except GovernanceError as error:
                    if replaced or error.status != 401:
                        raise
                replaced = True
                self.tokens.discard(token)

        # Minting has repeated itself already; repeating that would multiply.
        return retrying(bound, attempt, lambda error: any(error is each for each in minting_failures) or is_final(error))

    def handshake(self, timeout: float | None = None, cancellation: Cancellation | None = None) -> Handshake:
        requested_at = self._local()
        deadline = Deadline(read_timeout(timeout, self.timeout), cancellation)
        data = present_assertion(self.transport, self._identity, PATHS["handshake"], is_handshake_response, deadline)["data"]
        self.tokens.adopt(data, requested_at)
        # The token stays inside.
        return {name: value for name, value in data.items() if name not in ("token", "token_type", "expires_in")}  # type: ignore[return-value]

    def logout(self, timeout: float | None = None, cancellation: Cancellation | None = None) -> None:
        token = self.tokens.current()
        if token is None:
            return
        deadline = Deadline(read_timeout(timeout, self.timeout), cancellation)
        request = with_token(Request("POST", PATHS["logout"], "{}"), token)
        try:
            retrying(deadline, lambda: exchange(self.transport, request, is_logout_response, deadline))
        except GovernanceError as error:
            # A token that the gateway does not accept belongs to a session that has ended.
            if error.status != 401:
                raise
        self.tokens.discard(token)


def with_token(request: Request, token: str) -> Request:
    return Request(request.method, request.path, request.body, {**request.headers, "authorization": authorization_for(token)})


def open_transport(gateway_url: str) -> Transport:
    transport = HttpTransport(read_url(gateway_url))
    reset_after_fork(transport)
    return transport

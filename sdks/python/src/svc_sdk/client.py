"""The client of one agent."""

from __future__ import annotations

import os
import stat
import time
import uuid
from datetime import datetime
from typing import Any, Callable, Iterable, Mapping, Optional, ParamSpec, Sequence, TypeVar, overload

from . import _actions
from ._actions import Asking, WaitFor
from ._asynchronous import in_thread
from ._deadline import Cancellation
from ._frameworks import guard_tools
from ._guard import Arguments, Guard, GuardOptions
from ._identity import import_private_key
from ._session import OnError, Session, open_transport
from .answers import Action, Approval, ApprovedRequest, Decision, Handshake, NewDelegation
from .options import ActionRequest, DelegationCeiling, DelegationScope, Wait

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Governance:
    """An agent's client to its gateway: proves who the agent is, asks before each protected action, and reports its outcome.

    Every failure is raised as a ``GovernanceError``, so the code after a call runs only if there is a response. One instance serves any
    number of threads and needs no closing. ``aio`` has the same calls for an event loop.
    """

    def __init__(
        self,
        *,
        gateway_url: str,
        agent_id: str,
        private_key: str,
        key_generation: int = 1,
        audience: Optional[str] = None,
        timeout: Optional[float] = None,
        clock: Callable[[], float] = time.time,
        on_error: Optional[OnError] = None,
        dpop: bool = False,
    ) -> None:
        """Raises TypeError for an option that cannot be used; it never repeats the private key. Nothing is sent until the first call.

        ``gateway_url``: http or https; a token is sent to it. ``private_key``: Ed25519, PEM or base64 PKCS #8. ``key_generation``: 1 until
        the first rotation. ``audience``: pins what to sign for instead of reading it from the gateway. ``timeout``: seconds of one call,
        repeats included; 30 by default. ``clock``: seconds since 1970. ``on_error``: is called with failures that are not raised.
        ``dpop``: binds tokens to a key that this client makes (RFC 9449), so that a stolen one is useless; also done where the agent requires it.
        """
        self._session = Session(
            transport=open_transport(gateway_url),
            agent_id=agent_id,
            sign=import_private_key(private_key),
            key_generation=key_generation,
            audience=audience,
            timeout=timeout,
            clock=clock,
            on_error=on_error,
            dpop=dpop,
        )

    @classmethod
    def from_env(cls, environ: Mapping[str, str] = os.environ, **options: Any) -> Governance:
        """Returns a client of SVC_GATEWAY_URL, SVC_AGENT_ID, SVC_AGENT_KEY_FILE or SVC_AGENT_KEY, and SVC_AGENT_KEY_GENERATION.

        ``options`` are those of the constructor. Raises TypeError if one is missing, or if others can read the key file.
        """
        missing = [name for name in ("SVC_GATEWAY_URL", "SVC_AGENT_ID") if not environ.get(name)]
        if missing:
            raise TypeError(f"Set {' and '.join(missing)}.")
        generation = environ.get("SVC_AGENT_KEY_GENERATION") or "1"
        if not generation.isdecimal():
            raise TypeError("SVC_AGENT_KEY_GENERATION must be an integer of at least 1.")
        given = {
            "gateway_url": environ["SVC_GATEWAY_URL"],
            "agent_id": environ["SVC_AGENT_ID"],
            "private_key": _read_key(environ),
            "key_generation": int(generation),
        }
        return cls(**{**given, **options})

    def with_context(self, id: Optional[str] = None) -> Governance:
        """Returns a client of the same agent with a token of its own, whose requests are in a flow context.

        The labels of the data that requests of one context read count together. Give each conversation or task its own ``id`` (1 to 64 of
        ``A-Za-z0-9._:-``), and use the id again to continue; without one it is random. An environment that counts all contexts of an agent
        together, as those of the type PRODUCTION do by default, ignores it.
        """
        client = Governance.__new__(Governance)
        client._session = self._session.in_context(str(uuid.uuid4()) if id is None else id)
        return client

    @staticmethod
    def testing(decisions: Mapping[str, Any], **options: Any) -> Any:
        """Returns a double for unit tests, which decides in this process and never uses the network. See ``svc_sdk.testing``."""
        from .testing import TestingGovernance

        return TestingGovernance(decisions, **options)

    @property
    def agent_id(self) -> str:
        return self._session.agent_id

    @property
    def gateway_url(self) -> str:
        return self._session.transport.url

    @property
    def aio(self) -> AsyncCalls:
        """The calls of this client as coroutines."""
        return AsyncCalls(self._session)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(gateway_url={self.gateway_url!r}, agent_id={self.agent_id!r})"

    def act(
        self,
        tool: str,
        *,
        parameters: Optional[Mapping[str, Any]] = None,
        amount: Optional[int] = None,
        currency: Optional[str] = None,
        destination: Optional[str] = None,
        delegation_id: Optional[str] = None,
        approval_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        dry_run: bool = False,
        wait_for_approval: WaitFor = False,
        on_narrowed: Optional[Callable[[ApprovedRequest], bool]] = None,
        allow_not_executed: bool = False,
        timeout: Optional[float] = None,
    ) -> Decision:
        """Requests one action of a tool; a tool of kind HTTP or MCP is executed by the service in the same call.

        Raises ``ActionBlocked``, ``ApprovalRequired`` and the other refusals, and ``NotExecuted`` when it is permitted and the service did not
        make the call, unless ``allow_not_executed``. In SIMULATE and for a dry run a decision comes back although nothing was permitted:
        check ``may_proceed``. ``amount``: whole minor units of ``currency``. ``idempotency_key``: 1 to 255 visible ASCII characters; the same
        key with the same request returns the first response. ``wait_for_approval``: True, seconds, or ``Wait``. ``on_narrowed``: is called
        with the reduced request of an approver, which is sent if it returns True.
        """
        request = _request(parameters, amount, currency, destination, delegation_id, approval_id)
        rest = (idempotency_key, dry_run, wait_for_approval, on_narrowed, allow_not_executed, timeout)
        return _act(self._session, tool, request, *rest, None)

    @overload
    def guard(
        self,
        tool: str,
        fn: Callable[Parameters, Result],
        *,
        request: Optional[Callable[..., Mapping[str, Any]]] = None,
        exclude: Sequence[str] = (),
        masked: Optional[Callable[..., Arguments]] = None,
        wait_for_approval: WaitFor = False,
        narrowed: Optional[Callable[..., Optional[Arguments]]] = None,
        result: Optional[Callable[[Any], Any]] = None,
        describe_error: Optional[Callable[[BaseException], str]] = None,
        on_refusal: str = "raise",
        on_error: Optional[OnError] = None,
    ) -> Callable[Parameters, Result]: ...

    @overload
    def guard(
        self,
        tool: str,
        fn: None = None,
        *,
        request: Optional[Callable[..., Mapping[str, Any]]] = None,
        exclude: Sequence[str] = (),
        masked: Optional[Callable[..., Arguments]] = None,
        wait_for_approval: WaitFor = False,
        narrowed: Optional[Callable[..., Optional[Arguments]]] = None,
        result: Optional[Callable[[Any], Any]] = None,
        describe_error: Optional[Callable[[BaseException], str]] = None,
        on_refusal: str = "raise",
        on_error: Optional[OnError] = None,
    ) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]: ...

    def guard(
        self,
        tool: str,
        fn: Optional[Callable[..., Any]] = None,
        *,
        request: Optional[Callable[..., Mapping[str, Any]]] = None,
        exclude: Sequence[str] = (),
        masked: Optional[Callable[..., Arguments]] = None,
        wait_for_approval: WaitFor = False,
        narrowed: Optional[Callable[..., Optional[Arguments]]] = None,
        result: Optional[Callable[[Any], Any]] = None,
        describe_error: Optional[Callable[[BaseException], str]] = None,
        on_refusal: str = "raise",
        on_error: Optional[OnError] = None,
    ) -> Any:
        """Wraps a function, also an ``async def``, that carries out a tool of kind SDK. Without ``fn`` it is a decorator.

        Each call asks first; the function runs only if the decision permits it, with exactly the judged arguments, and its outcome is
        reported. Without permission the call raises, and the function does not run.

        By default all arguments, by name, are the parameters, and the function gets a private copy of them. ``exclude``: names that are not
        judged, such as ``self``. ``request``: returns the request (``parameters``, ``amount``, ``currency``, ...) from the arguments; it is
        called again before the function, and must return the same. ``masked``: returns ``(args, kwargs)`` with hidden values, from a mask
        function and the arguments; only with ``request``. ``narrowed``: returns ``(args, kwargs)`` from the reduced request of an approver
        and the arguments. ``result``: returns the part of the result to record; nothing by default. ``describe_error``: returns the recorded
        text of an error. ``on_refusal='return'`` returns a text for a language model instead of raising a refusal.
        """
        options = GuardOptions(
            request=request,
            exclude=tuple(exclude),
            masked=masked,
            wait_for_approval=wait_for_approval,
            narrowed=narrowed,
            result=result,
            describe_error=describe_error,
            on_refusal=on_refusal,
            on_error=on_error,
        )
        if fn is None:
            return lambda function: Guard(self._session, tool, function, options).wrap()
        return Guard(self._session, tool, fn, options).wrap()

    def tools(
        self,
        tools: Iterable[Any],
        *,
        names: Mapping[str, str] = {},
        request: Optional[Callable[..., Mapping[str, Any]]] = None,
        exclude: Sequence[str] = (),
        wait_for_approval: WaitFor = False,
        on_refusal: str = "return",
        on_error: Optional[OnError] = None,
    ) -> list[Any]:
        """Returns guarded copies of functions and LangChain tools; a refused call returns a text that the model reads.

        ``names``: the name of the tool at the gateway, by the name in the framework; the same by default. Raises TypeError for any other
        tool, so that none stays unguarded: an OpenAI agents tool is made from a guarded function instead.
        """
        options = GuardOptions(
            request=request, exclude=tuple(exclude), wait_for_approval=wait_for_approval, on_refusal=on_refusal, on_error=on_error
        )
        return guard_tools(self._session, tools, names, options)

    def delegate(
        self,
        agent_id: str,
        *,
        parent_id: Optional[str] = None,
        scope: Optional[DelegationScope] = None,
        ceiling: Optional[DelegationCeiling] = None,
        expires_at: datetime | str | None = None,
        can_redelegate: Optional[bool] = None,
        max_depth: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> NewDelegation:
        """Delegates part of what this agent may do; the other agent passes the returned id as ``delegation_id``.

        Raises ``DelegationEscalation`` for more than this agent has.
        """
        return _actions.delegate(
            self._session,
            agent_id,
            parent_id=parent_id,
            scope=scope,
            ceiling=ceiling,
            expires_at=expires_at,
            can_redelegate=can_redelegate,
            max_depth=max_depth,
            key=_actions.idempotency_key(idempotency_key),
            timeout=timeout,
        )

    def wait_for_approval(
        self, approval_id: str, *, timeout: Optional[float] = None, on_poll: Optional[Callable[[Approval], object]] = None
    ) -> Approval:
        """Waits until a person approves, at most ``timeout`` seconds.

        Raises ``ApprovalNotGranted``, ``ApprovalExpired``, and ``ApprovalPending`` when the time has passed; the approval can still be used.
        """
        return _actions.wait_for_approval(self._session, approval_id, Wait(timeout, on_poll))

    def approval(self, approval_id: str, *, timeout: Optional[float] = None) -> Approval:
        """Returns an approval of this agent. Raises NOT_FOUND for any other."""
        return _actions.read_approval(self._session, approval_id, timeout)

    def outcome(
        self, action_id: str, status: str, *, result: Any = None, error: Optional[str] = None, timeout: Optional[float] = None
    ) -> Action:
        """Reports how an action ended that this process carried out: ``COMPLETED`` or ``FAILED``. Guarded functions do it by themselves."""
        return _actions.report_outcome(self._session, action_id, status, result, error, timeout)

    def action_status(self, action_id: str, *, timeout: Optional[float] = None) -> Action:
        """Returns the record of one of this agent's actions. Raises NOT_FOUND for any other."""
        return _actions.read_action(self._session, action_id, timeout)

    def handshake(self, *, timeout: Optional[float] = None) -> Handshake:
        """Proves who the agent is and returns what it may use. Calls do the first by themselves."""
        return self._session.handshake(timeout)

    def logout(self, *, timeout: Optional[float] = None) -> None:
        """Ends the agent's session at the gateway, if there is one. The next call begins another."""
        self._session.logout(timeout)


class AsyncCalls:
    """The calls of a client as coroutines, with the same options. Cancelling one ends its request and its wait."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def act(
        self,
        tool: str,
        *,
        parameters: Optional[Mapping[str, Any]] = None,
        amount: Optional[int] = None,
        currency: Optional[str] = None,
        destination: Optional[str] = None,
        delegation_id: Optional[str] = None,
        approval_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        dry_run: bool = False,
        wait_for_approval: WaitFor = False,
        on_narrowed: Optional[Callable[[ApprovedRequest], bool]] = None,
        allow_not_executed: bool = False,
        timeout: Optional[float] = None,
    ) -> Decision:
        request = _request(parameters, amount, currency, destination, delegation_id, approval_id)
        rest = (idempotency_key, dry_run, wait_for_approval, on_narrowed, allow_not_executed, timeout)
        return await self._run(lambda cancellation: _act(self._session, tool, request, *rest, cancellation))

    async def delegate(self, agent_id: str, *, idempotency_key: Optional[str] = None, **options: Any) -> NewDelegation:
        names = ("parent_id", "scope", "ceiling", "expires_at", "can_redelegate", "max_depth", "timeout")
        if not set(options) <= set(names):
            raise TypeError(f"delegate has the options {', '.join(names)}.")
        given: Any = {**dict.fromkeys(names), **options, "key": _actions.idempotency_key(idempotency_key)}
        return await self._run(lambda cancellation: _actions.delegate(self._session, agent_id, **given, cancellation=cancellation))

    async def wait_for_approval(
        self, approval_id: str, *, timeout: Optional[float] = None, on_poll: Optional[Callable[[Approval], object]] = None
    ) -> Approval:
        wait = Wait(timeout, on_poll)
        return await self._run(lambda cancellation: _actions.wait_for_approval(self._session, approval_id, wait, cancellation))

    async def approval(self, approval_id: str, *, timeout: Optional[float] = None) -> Approval:
        return await self._run(lambda cancellation: _actions.read_approval(self._session, approval_id, timeout, cancellation))

    async def outcome(
        self, action_id: str, status: str, *, result: Any = None, error: Optional[str] = None, timeout: Optional[float] = None
    ) -> Action:
        return await self._run(
            lambda cancellation: _actions.report_outcome(self._session, action_id, status, result, error, timeout, cancellation)
        )

    async def action_status(self, action_id: str, *, timeout: Optional[float] = None) -> Action:
        return await self._run(lambda cancellation: _actions.read_action(self._session, action_id, timeout, cancellation))

    async def handshake(self, *, timeout: Optional[float] = None) -> Handshake:
        return await self._run(lambda cancellation: self._session.handshake(timeout, cancellation))

    async def logout(self, *, timeout: Optional[float] = None) -> None:
        return await self._run(lambda cancellation: self._session.logout(timeout, cancellation))

    async def _run(self, work: Callable[[Cancellation], Result]) -> Result:
        cancellation = Cancellation()
        return await in_thread(lambda: work(cancellation), cancellation)


def _request(
    parameters: Optional[Mapping[str, Any]],
    amount: Optional[int],
    currency: Optional[str],
    destination: Optional[str],
    delegation_id: Optional[str],
    approval_id: Optional[str],
) -> ActionRequest:
    members = {
        "parameters": parameters,
        "amount": amount,
        "currency": currency,
        "destination": destination,
        "delegation_id": delegation_id,
        "approval_id": approval_id,
    }
    return _actions.read_request(members)


def _act(
    session: Session,
    tool: str,
    request: ActionRequest,
    key: Optional[str],
    dry_run: bool,
    wait: WaitFor,
    on_narrowed: Optional[Callable[[ApprovedRequest], bool]],
    allow_not_executed: bool,
    timeout: Optional[float],
    cancellation: Optional[Cancellation],
) -> Decision:
    asking = Asking(
        session, tool, request, dry_run=dry_run, allow_not_executed=allow_not_executed, timeout=timeout, cancellation=cancellation
    )
    return _actions.act(asking, _actions.idempotency_key(key), _actions.read_wait(wait), on_narrowed)


def _read_key(environ: Mapping[str, str]) -> str:
    path, key = environ.get("SVC_AGENT_KEY_FILE"), environ.get("SVC_AGENT_KEY")
    if bool(path) == bool(key):
        raise TypeError("Set either SVC_AGENT_KEY_FILE, the path of the private key, or SVC_AGENT_KEY, the key itself.")
    if not path:
        return key or ""
    try:
        with open(path, encoding="utf-8") as file:
            if os.name == "posix" and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o027:
                raise TypeError(f"Others can read or change the private key. Run: chmod 600 {path}")
            return file.read(16_384)
    except (OSError, UnicodeDecodeError) as error:
        reason = type(error).__name__
    raise TypeError(f"SVC_AGENT_KEY_FILE cannot be read ({reason}).")

"""Guarded functions: asked for at each call, run only if permitted, outcome reported."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Mapping, Optional, Sequence

from ._actions import Asking, WaitFor, act, idempotency_key, key_of_approval, may_proceed, read_request, read_wait, report_outcome
from ._asynchronous import in_thread
from ._deadline import Cancellation
from ._json_values import NotJson, not_json_sentence, request_text, snapshot
from ._masks import mask_paths, masks_of
from ._session import OnError, Session
from .answers import Decision
from .errors import ApprovalNarrowed, GovernanceError, error_for
from .options import ActionRequest, SideError

# A report that cannot be delivered delays the result of the function no longer than this.
_REPORT_S_MAX = 10.0
_ERROR_CHARS_MAX = 2_000

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True)
class GuardOptions:
    """Options of ``Governance.guard``, which documents them."""

    request: Optional[Callable[..., Mapping[str, Any]]] = None
    exclude: Sequence[str] = ()
    masked: Optional[Callable[..., Arguments]] = None
    wait_for_approval: WaitFor = False
    narrowed: Optional[Callable[..., Optional[Arguments]]] = None
    result: Optional[Callable[[Any], Any]] = None
    describe_error: Optional[Callable[[BaseException], str]] = None
    on_refusal: str = "raise"
    refusal: Callable[[GovernanceError], Any] = lambda error: error.for_model
    on_error: Optional[OnError] = None


class _Signature:
    """Reads parameters by name from the arguments of a call, and puts others in their place."""

    def __init__(self, fn: Callable[..., Any], exclude: Sequence[str]) -> None:
        self._signature = inspect.signature(fn)
        self._exclude = frozenset(exclude)
        unknown = self._exclude - set(self._signature.parameters)
        if unknown:
            raise TypeError(f"exclude names no parameter of the function: {', '.join(sorted(unknown))}.")
        for name, parameter in self._signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL and name not in self._exclude:
                raise TypeError(f"A guarded function with *{name} requires request, which maps its arguments to the request.")

    def bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> inspect.BoundArguments:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return bound

    def read(self, bound: inspect.BoundArguments) -> dict[str, Any]:
        parameters: dict[str, Any] = {}
        for name, value in bound.arguments.items():
            if name in self._exclude:
                continue
            is_more = self._signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD
            members = value if is_more else {name: value}
            for member in members:
                if member in parameters:
                    raise TypeError(f"The parameter {member} is given twice.")
            parameters.update(members)
        return parameters

    def write(self, bound: inspect.BoundArguments, parameters: Mapping[str, Any]) -> Arguments:
        left = dict(parameters)
        for name in list(bound.arguments):
            if name in self._exclude or self._signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
                continue
            bound.arguments[name] = left.pop(name)
        for name, parameter in self._signature.parameters.items():
            if parameter.kind is parameter.VAR_KEYWORD and name not in self._exclude:
                bound.arguments[name] = left
        return bound.args, bound.kwargs


@dataclass
class _Prepared:
    """Arguments to run with, and the request that they make."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    request: Callable[[], ActionRequest]


class _Call:
    """One call of a guarded function."""

    def __init__(self, guard: Guard, args: tuple[Any, ...], kwargs: dict[str, Any], cancellation: Cancellation) -> None:
        self._guard = guard
        self._cancellation = cancellation
        self._given = args, kwargs

    def judge(self) -> None:
        """Requests the decision. Raises unless this process may carry out the call."""
        guard = self._guard
        prepared = guard.prepare(*self._given)
        try:
            self._decide(prepared, None)
        except ApprovalNarrowed as error:
            narrowed = None if guard.options.narrowed is None else guard.options.narrowed(error.approved, *prepared.args, **prepared.kwargs)
            if narrowed is None:
                raise
            approval_id = error.approval_id
        else:
            return
        self._decide(guard.prepare(*narrowed), approval_id)

    def _decide(self, prepared: _Prepared, approval_id: str | None) -> None:
        guard = self._guard

        def request() -> ActionRequest:
            asked = prepared.request()
            return asked if approval_id is None else {**asked, "approval_id": approval_id}

        asked = request()
        body = request_text(guard.tool, asked)
        key = idempotency_key(None) if approval_id is None else key_of_approval(approval_id, body)
        wait = read_wait(guard.options.wait_for_approval) if approval_id is None else None
        asking = Asking(guard.session, guard.tool, asked, cancellation=self._cancellation)
        decision = act(asking, key, wait, None)
        action_id = decision["action_id"]
        if not may_proceed(decision) or action_id is None:
            raise _not_run(decision)
        self._prepared, self._request, self._body, self._decision, self._action_id = prepared, request, body, decision, action_id

    def arguments(self) -> Arguments:
        """Returns the arguments to run with. Raises if they are no longer the judged ones, or cannot be masked."""
        if request_text(self._guard.tool, self._request()) != self._body:
            raise error_for(
                "PARAMETERS_CHANGED",
                "The arguments of the function changed after the decision, so it was not run.",
                request_id=self._decision["request_id"],
                details={"decision": self._decision},
            )
        return self._guard.mask_arguments(self._decision, self._prepared)

    def shown(self, result: Any) -> Any:
        """Returns the result without what rules mask."""
        paths = masks_of(self._decision, "result")
        if not paths or result is None:
            return result
        if isinstance(result, (dict, list, tuple)):
            try:
                return mask_paths(snapshot(result), paths)
            except NotJson:
                pass
        raise error_for(
            "RESULT_WITHHELD",
            "The function has run, but its result is withheld: rules mask parts of it, and it is not a dict or list of JSON values.",
            request_id=self._decision["request_id"],
            details={"decision": self._decision},
        )

    def completed(self, result: Any) -> Any:
        """Reports the outcome and returns the result to show."""
        kept = None
        try:
            select = self._guard.options.result
            kept = None if select is None else select(self.shown(result))
            kept = snapshot(kept)
        except Exception as error:
            kept = None
            self._note(error)
        self._report("COMPLETED", result=kept)
        return self.shown(result)

    def failed(self, error: BaseException) -> None:
        describe = self._guard.options.describe_error or (lambda failure: f"{type(failure).__name__}: {failure}")
        try:
            text = str(describe(error))
        except Exception as failure:
            self._note(failure)
            text = "Unknown error: describe_error failed."
        self._report("FAILED", error=text.encode("utf-8", "replace").decode("utf-8")[:_ERROR_CHARS_MAX])

    def _report(self, status: str, result: Any = None, error: str | None = None) -> None:
        session = self._guard.session
        try:
            report_outcome(session, self._action_id, status, result, error, timeout=min(session.timeout, _REPORT_S_MAX))
        except Exception as failure:
            self._note(failure)

    def _note(self, error: BaseException) -> None:
        self._guard.session.report(SideError(error, "outcome", self._action_id), self._guard.options.on_error)


def _not_run(decision: Decision) -> GovernanceError:
    known: dict[str, Any] = {"request_id": decision["request_id"], "details": {"decision": decision}}
    if decision["mode"] == "SIMULATE":
        message = f"The environment is in SIMULATE mode, so the function was not run. {decision['reason']}"
        return error_for("SIMULATED", message, **known)
    message = "This process has nothing to execute: the service executes this tool itself, or the action is closed."
    return error_for("NOT_FOR_THIS_PROCESS", message, **known)


class Guard:
    """A function, its tool and how its arguments make the request."""

    def __init__(self, session: Session, tool: str, fn: Callable[..., Any], options: GuardOptions) -> None:
        if not callable(fn):
            raise TypeError("guard requires a function.")
        if inspect.isgeneratorfunction(fn) or inspect.isasyncgenfunction(fn):
            raise TypeError("A generator cannot be guarded: it runs after the call. Guard a function that returns its result.")
        if options.on_refusal not in ("raise", "return"):
            raise TypeError("on_refusal must be 'raise' or 'return'.")
        if not isinstance(tool, str) or tool == "":
            raise TypeError("guard requires the name of a tool.")
        self.session = session
        self.tool = tool
        self.fn = fn
        self.options = options
        self._signature = None if options.request is not None else _Signature(fn, options.exclude)

    def prepare(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Prepared:
        if self._signature is None:
            make = self.options.request
            assert make is not None
            return _Prepared(args, kwargs, lambda: read_request(make(*args, **kwargs)))
        bound = self._signature.bind(args, kwargs)
        try:
            # The function runs with this copy, so that no one can change it after the decision.
            parameters = snapshot(self._signature.read(bound))
        except NotJson as error:
            raise TypeError(not_json_sentence(error)) from None
        positional, named = self._signature.write(bound, parameters)
        return _Prepared(positional, named, lambda: {"parameters": parameters})

    def mask_arguments(self, decision: Decision, prepared: _Prepared) -> Arguments:
        paths = masks_of(decision, "parameters")
        if not paths:
            return prepared.args, prepared.kwargs
        if self.options.masked is not None:
            return self.options.masked(lambda value: mask_paths(value, paths), *prepared.args, **prepared.kwargs)
        if self._signature is not None:
            bound = self._signature.bind(prepared.args, prepared.kwargs)
            return self._signature.write(bound, mask_paths(self._signature.read(bound), paths))
        raise error_for(
            "CANNOT_MASK",
            f"Rules mask {', '.join(paths)}, but masked is required to locate them in the arguments. The function was not run.",
            request_id=decision["request_id"],
            details={"decision": decision},
        )

    def wrap(self) -> Callable[..., Any]:
        call = getattr(self.fn, "__call__", None)
        is_async = inspect.iscoroutinefunction(_unwrap(self.fn)) or inspect.iscoroutinefunction(call)
        wrapper = self._asynchronous() if is_async else self._synchronous()
        return functools.update_wrapper(wrapper, self.fn)

    def _refused(self, error: GovernanceError) -> Any:
        if self.options.on_refusal == "raise":
            raise error
        return self.options.refusal(error)

    def _synchronous(self) -> Callable[..., Any]:
        def guarded(*args: Any, **kwargs: Any) -> Any:
            call = _Call(self, args, kwargs, Cancellation())
            try:
                call.judge()
            except GovernanceError as error:
                return self._refused(error)
            try:
                positional, named = call.arguments()
            except GovernanceError as error:
                call.failed(error)
                return self._refused(error)
            try:
                result = self.fn(*positional, **named)
                if inspect.isawaitable(result):
                    _close(result)
                    raise TypeError("The guarded function returned an awaitable, which was not run. Guard an async def function instead.")
            except BaseException as error:
                call.failed(error)
                raise
            try:
                return call.completed(result)
            except GovernanceError as error:
                return self._refused(error)

        return guarded

    def _asynchronous(self) -> Callable[..., Awaitable[Any]]:
        async def guarded(*args: Any, **kwargs: Any) -> Any:
            cancellation = Cancellation()
            call = _Call(self, args, kwargs, cancellation)
            try:
                await in_thread(call.judge, cancellation)
            except GovernanceError as error:
                return self._refused(error)
            try:
                positional, named = call.arguments()
            except GovernanceError as error:
                await in_thread(functools.partial(call.failed, error))
                return self._refused(error)
            try:
                result = await self.fn(*positional, **named)
            except BaseException as error:
                await in_thread(functools.partial(call.failed, error))
                raise
            try:
                return await in_thread(functools.partial(call.completed, result))
            except GovernanceError as error:
                return self._refused(error)

        return guarded


def _unwrap(fn: Callable[..., Any]) -> Callable[..., Any]:
    while isinstance(fn, functools.partial):
        fn = fn.func
    return fn


def _close(result: Any) -> None:
    close = getattr(result, "close", None) or getattr(result, "cancel", None)
    if close is not None:
        close()

"""Requests of an agent: act, wait for an approval, report an outcome, delegate."""

from __future__ import annotations

import hashlib
import json
import random
import re
import time
import uuid
from datetime import datetime, timezone
from typing import Any, Callable, Mapping, Optional, Union
from urllib.parse import quote

from ._checks import is_action, is_approval, is_decision, is_new_delegation
from ._deadline import Cancellation, Deadline
from ._http import Request
from ._json_values import json_text, request_text
from ._session import Session, read_timeout
from ._wire_format import HEADER_NAMES, PATHS
from .answers import Action, Approval, ApprovedRequest, Decision, NewDelegation
from .errors import ApprovalRequired, GovernanceError, error_for
from .options import ActionRequest, DelegationCeiling, DelegationScope, Wait

WaitFor = Union[bool, float, Wait]

_POLL_S_MIN = 0.25
_POLL_S_MAX = 60.0
_HELD_SECONDS_MAX = 30
# How long after its expiry an approval that cannot be read is still waited for.
_GRACE_S = 60.0
_IN_DOUBT = ("GATEWAY_UNREACHABLE", "TIMED_OUT", "ANSWER_UNREADABLE")
_REQUEST_MEMBERS = frozenset(ActionRequest.__annotations__)


def idempotency_key(given: str | None) -> str:
    """Returns the caller's key, or a new one. Raises TypeError for a key that cannot be sent."""
    key = str(uuid.uuid4()) if given is None else given
    if not isinstance(key, str) or not re.fullmatch(r"[\x21-\x7e]{1,255}", key):
        raise TypeError("idempotency_key must be 1 to 255 visible ASCII characters.")
    return key


def key_of_approval(approval_id: str, body: str) -> str:
    """Returns the key of a request that goes ahead with an approval, so that a process that resumes after a crash sends the same."""
    return f"approval-{approval_id}-{hashlib.sha256(body.encode('utf-8')).hexdigest()}"


def may_proceed(decision: Decision) -> bool:
    """Returns True if the agent's own process may carry out the request, now and once."""
    if decision["action_id"] is None or decision.get("execution", {}).get("state") != "BY_AGENT":
        return False
    if decision["mode"] == "OBSERVE":
        return decision["status"] == "OBSERVED"
    is_permitted = decision["code"] is None and decision["decision"] != "BLOCK"
    return decision["mode"] == "ENFORCE" and decision["status"] == "ALLOWED" and is_permitted


def _upheld(decision: Decision) -> Decision:
    """Raises what is against the request, also if the response had the status of a success. Only an environment that observes lets it pass."""
    is_refused = decision["code"] is not None or decision["decision"] == "BLOCK"
    if decision["mode"] != "ENFORCE" or not is_refused:
        return decision
    details = {**decision.get("details", {}), "decision": decision}
    raise error_for(decision["code"] or "ACTION_BLOCKED", decision["reason"], request_id=decision["request_id"], details=details)


def _carried_out(decision: Decision, is_enough: bool) -> Decision:
    execution = decision.get("execution", {})
    if execution.get("state") != "NOT_EXECUTED" or decision["mode"] == "SIMULATE" or is_enough:
        return decision
    raise error_for(
        "NOT_EXECUTED",
        f"The action was permitted but not executed. {execution.get('reason', '')}".strip(),
        remedy="The operator of the service can allow outgoing calls (GATEWAY_ALLOW_REAL_EGRESS); "
        "allow_not_executed accepts the decision without the call.",
        request_id=decision["request_id"],
        details={"decision": decision},
    )


def _with_key(error: GovernanceError, key: str) -> GovernanceError:
    """Adds the key, without which the caller could not repeat the request safely."""
    doubt = "The outcome of the request is unknown. It is safe to retry with the same idempotency_key."
    failure = error_for(
        error.code,
        f"{error.message} {doubt}",
        status=error.status,
        request_id=error.request_id,
        retry_after_seconds=error.retry_after_seconds,
        details={**error.details, "idempotency_key": key},
    )
    failure.__cause__ = error.__cause__
    return failure


class Asking:
    """One request of an action and how to send it."""

    def __init__(
        self,
        session: Session,
        tool: str,
        request: ActionRequest,
        *,
        dry_run: bool = False,
        allow_not_executed: bool = False,
        timeout: float | None = None,
        cancellation: Cancellation | None = None,
    ) -> None:
        if not isinstance(tool, str) or tool == "":
            raise TypeError("tool must be the name of a tool.")
        self.session = session
        self.tool = tool
        self.request = request
        self.dry_run = dry_run
        self.is_enough = allow_not_executed or dry_run
        self.timeout = timeout
        self.cancellation = cancellation

    def send(self, key: str, request: Optional[ActionRequest] = None) -> Decision:
        body = request_text(self.tool, self.request if request is None else request, self.dry_run)
        sent = Request("POST", PATHS["actions"], body, {HEADER_NAMES["idempotencyKey"]: key})
        try:
            decision = self.session.call(sent, is_decision, timeout=self.timeout, cancellation=self.cancellation)
        except GovernanceError as error:
            if error.code not in _IN_DOUBT:
                raise
            failure = _with_key(error, key)
        else:
            return _carried_out(_upheld(decision), self.is_enough)
        raise failure


def read_request(given: Mapping[str, Any]) -> ActionRequest:
    """Returns only what is judged. Raises TypeError for any other member, such as an idempotency key."""
    unknown = [str(name) for name in given if name not in _REQUEST_MEMBERS]
    if unknown:
        raise TypeError(f"A request has no {', '.join(sorted(unknown))}; it has {', '.join(sorted(_REQUEST_MEMBERS))}.")
    return {name: value for name, value in given.items() if value is not None}  # type: ignore[return-value]


def read_wait(given: WaitFor) -> Wait | None:
    if given is False:
        return None
    if given is True:
        return Wait()
    return given if isinstance(given, Wait) else Wait(timeout=given)


def act(
    asking: Asking,
    key: str,
    wait: Wait | None,
    on_narrowed: Callable[[ApprovedRequest], bool] | None,
) -> Decision:
    """Requests one action. When a person must approve and the caller waits, the request is sent again with the approval."""
    try:
        return asking.send(key)
    except ApprovalRequired as error:
        if wait is None or asking.dry_run:
            raise
        approval_id = error.approval_id
    approval = wait_for_approval(asking.session, approval_id, wait, asking.cancellation)
    approved: ActionRequest = {**asking.request, **_approved_part(approval, asking.request, on_narrowed)}  # type: ignore[typeddict-item]
    body = request_text(asking.tool, approved, asking.dry_run)
    return asking.send(key_of_approval(approval["id"], body), approved)


def _approved_part(
    approval: Approval, request: ActionRequest, on_narrowed: Callable[[ApprovedRequest], bool] | None
) -> dict[str, Any]:
    approved = approval.get("approved_request")
    if approved is None:
        return {"approval_id": approval["id"]}
    if on_narrowed is None or on_narrowed(approved) is not True:
        raise error_for(
            "APPROVAL_NARROWED",
            "An approver narrowed the request. Nothing was sent; `approved` contains the approved request.",
            details={"approval_id": approval["id"], "approved_request": approved},
        )
    # Where the tool takes the amount from the parameters it was not sent, and is not now.
    has_amount = request.get("amount") is not None and approved["amount"] is not None
    amount = {"amount": approved["amount"]} if has_amount else {}
    return {"parameters": approved["parameters"], **amount, "approval_id": approval["id"]}


def _address_of(approval_id: str) -> str:
    return f"{PATHS['approvals']}/{quote(approval_id, safe='')}"


def read_approval(
    session: Session, approval_id: str, timeout: float | None = None, cancellation: Cancellation | None = None
) -> Approval:
    return session.call(Request("GET", _address_of(approval_id)), is_approval, timeout=timeout, cancellation=cancellation)


def _refusal_of(approval: Approval) -> GovernanceError:
    details = {"approval_id": approval["id"], "status": approval["status"], "denial_reason": approval.get("denial_reason")}
    if approval["status"] == "EXPIRED":
        return error_for("APPROVAL_EXPIRED", "The approval was not granted in time.", details=details)
    why = f": {approval['denial_reason']}" if approval.get("denial_reason") else "."
    return error_for("APPROVAL_NOT_GRANTED", f"The approval was {approval['status'].lower()}{why}", details=details)


def _is_asked_to_wait(error: GovernanceError) -> bool:
    return error.status in (429, 503)


def _passes(error: GovernanceError) -> bool:
    """True if the gateway may be back later; a proxy before it answers 502 and 504 meanwhile."""
    return error.retryable or (error.code == "ANSWER_UNREADABLE" and error.status in (502, 504))


class _Looks:
    """Looks at an approval with long polling. Where a proxy does not allow that, looks become shorter and in the end plain."""

    def __init__(self, session: Session, approval_id: str, deadline: Deadline) -> None:
        self._session = session
        self._path = _address_of(approval_id)
        self._deadline = deadline
        self._held_seconds_max = _HELD_SECONDS_MAX

    def _bounded(self, seconds: float) -> Deadline:
        return Deadline(min(seconds, max(self._deadline.remaining(), 0.0)), self._deadline.cancellation)

    def plain(self) -> Approval:
        return self._session.call(Request("GET", self._path), is_approval, deadline=self._bounded(self._session.timeout))

    def held_seconds(self) -> int:
        remaining = self._deadline.remaining()
        return self._held_seconds_max if remaining == float("inf") else max(0, min(self._held_seconds_max, int(remaining)))

    def longer(self) -> Approval:
        seconds = self.held_seconds()
        if seconds == 0:
            return self.plain()
        try:
            # What was cut would be cut again: only what the gateway itself requests is repeated at this length.
            return self._session.call(
                Request("GET", f"{self._path}?wait={seconds}"),
                is_approval,
                deadline=self._bounded(seconds + self._session.timeout),
                is_final=lambda error: not _is_asked_to_wait(error),
            )
        except GovernanceError as error:
            if self._deadline.remaining() <= 0 or _is_asked_to_wait(error):
                raise
        found = self.plain()
        self._held_seconds_max = seconds // 2
        return found


def _expiry(approval: Approval) -> float:
    try:
        return datetime.fromisoformat(approval["expires_at"].replace("Z", "+00:00")).timestamp()
    except ValueError:
        return 0.0


def _poll(session: Session, approval_id: str, wait: Wait, deadline: Deadline) -> Approval:
    looks = _Looks(session, approval_id, deadline)
    last: Approval | None = None
    while True:
        is_first = last is None
        began = time.monotonic()
        requested = 0.0
        try:
            # The first one is not held, so that the caller learns the status at once.
            last = looks.plain() if last is None else looks.longer()
        except GovernanceError as error:
            if not _passes(error) or deadline.remaining() <= 0 or last is None:
                raise
            left = _expiry(last) + _GRACE_S - session.clock.now()
            if left < 0:
                raise
            requested = min(error.retry_after_seconds or 0.0, left)
        if wait.on_poll is not None:
            wait.on_poll(last)
        if last["status"] in ("APPROVED", "CONSUMED"):
            return last
        if last["status"] != "PENDING":
            raise _refusal_of(last)
        if is_first and looks.held_seconds() > 0:
            continue
        # A look that was held has waited already; one that was not has not.
        poll_after = min(max(last["poll_after_seconds"], _POLL_S_MIN), _POLL_S_MAX) * (1 + random.random() / 5)
        deadline.sleep(max(poll_after - (time.monotonic() - began), requested, _POLL_S_MIN * random.random()))


def wait_for_approval(session: Session, approval_id: str, wait: Wait, cancellation: Cancellation | None = None) -> Approval:
    """Waits until an approval is given. Raises its other ends, and APPROVAL_PENDING when the time to wait has passed."""
    seconds = None if wait.timeout is None else read_timeout(wait.timeout, 0)
    deadline = Deadline(seconds, cancellation)
    try:
        return _poll(session, approval_id, wait, deadline)
    except GovernanceError:
        if deadline.remaining() > 0:
            raise
    raise error_for("APPROVAL_PENDING", "The approval was not decided within the timeout.", details={"approval_id": approval_id})


def _action_path(action_id: str) -> str:
    return f"{PATHS['actions']}/{quote(action_id, safe='')}"


def read_action(session: Session, action_id: str, timeout: float | None = None, cancellation: Cancellation | None = None) -> Action:
    return session.call(Request("GET", _action_path(action_id)), is_action, timeout=timeout, cancellation=cancellation)


def report_outcome(
    session: Session,
    action_id: str,
    status: str,
    result: Any = None,
    error: str | None = None,
    timeout: float | None = None,
    cancellation: Cancellation | None = None,
) -> Action:
    """Reports how an action ended. A report that arrived earlier and whose answer was lost is no failure."""
    body = json_text({name: value for name, value in (("status", status), ("result", result), ("error", error)) if value is not None})
    request = Request("POST", f"{_action_path(action_id)}/outcome", body)
    try:
        return session.call(request, is_action, timeout=timeout, cancellation=cancellation)
    except GovernanceError as refused:
        if refused.code != "INVALID_STATE_TRANSITION":
            raise
        action = read_action(session, action_id, timeout, cancellation)
        execution = action.get("execution") or {}
        is_same = bool(action.get("completed_at")) and execution.get("state") == ("EXECUTED" if status == "COMPLETED" else "FAILED")
        if not is_same:
            raise
        return action


def _time_of(given: datetime | str | None) -> str | None:
    if not isinstance(given, datetime):
        return given
    if given.tzinfo is None:
        raise TypeError("expires_at must have a time zone.")
    return given.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def delegate(
    session: Session,
    delegate_agent_id: str,
    *,
    parent_id: str | None,
    scope: DelegationScope | None,
    ceiling: DelegationCeiling | None,
    expires_at: datetime | str | None,
    can_redelegate: bool | None,
    max_depth: int | None,
    key: str,
    timeout: float | None,
    cancellation: Cancellation | None = None,
) -> NewDelegation:
    members = {
        "delegate_agent_id": delegate_agent_id,
        "parent_id": parent_id,
        "scope": scope,
        "ceiling": ceiling,
        "expires_at": _time_of(expires_at),
        "can_redelegate": can_redelegate,
        "max_depth": max_depth,
    }
    body = json.dumps({name: value for name, value in members.items() if value is not None})
    request = Request("POST", PATHS["delegations"], body, {HEADER_NAMES["idempotencyKey"]: key})
    return session.call(request, is_new_delegation, timeout=timeout, cancellation=cancellation)

"""Shapes of the gateway's responses. They are plain dicts; members that this version does not know stay in them."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, TypedDict


class Execution(TypedDict, total=False):
    """Execution of the call itself. ``BY_AGENT``: permitted, and the agent's own process carries it out."""

    state: str
    reason: str
    http_status: int
    duration_ms: int
    result: Any
    response_bytes: int
    expectation_failed: str
    kept: List[str]
    tries: int


class _DecisionRequired(TypedDict):
    #: None when nothing was stored, as after a dry run.
    action_id: Optional[str]
    #: ALLOW, MASK, LIMIT, REQUIRE_APPROVAL or BLOCK.
    decision: str
    status: str
    #: OBSERVE, SIMULATE or ENFORCE.
    mode: str
    #: Error code of what is against the request; None when nothing is.
    code: Optional[str]
    reason: str
    explanation: Mapping[str, Any]
    request_id: str


class Decision(_DecisionRequired, total=False):
    """The gateway's response to one request."""

    approval: Mapping[str, Any]
    execution: Execution
    details: Mapping[str, Any]


class ApprovedRequest(TypedDict):
    """The reduced request of an approver. ``amount`` in minor units; None where the request has none."""

    parameters: Mapping[str, Any]
    amount: Optional[int]


class _ApprovalRequired(TypedDict):
    id: str
    #: PENDING, APPROVED, DENIED, EXPIRED, CANCELLED or CONSUMED.
    status: str
    #: Seconds to wait before the next look.
    poll_after_seconds: float
    #: ISO-8601 UTC.
    expires_at: str


class Approval(_ApprovalRequired, total=False):
    """An approval, as its agent sees it."""

    action_id: str
    reason: str
    denial_reason: Optional[str]
    no_approver: bool
    question: Optional[Mapping[str, Any]]
    approved_request: Optional[ApprovedRequest]


class _ActionRequired(TypedDict):
    id: str
    decision: str
    status: str


class Action(_ActionRequired, total=False):
    """The record of one action."""

    agent_id: str
    tool: str
    mode: str
    code: Optional[str]
    reason: str
    amount: Optional[int]
    currency: Optional[str]
    destination: Optional[str]
    parameters: Mapping[str, Any]
    explanation: Mapping[str, Any]
    execution: Optional[Execution]
    created_at: str
    completed_at: Optional[str]
    request_id: str
    trace_id: str
    idempotency_key: Optional[str]


class NewDelegation(TypedDict):
    """A delegation that was just created. The service returns more members; see its API reference."""

    id: str
    delegate_agent_id: str
    status: str
    scope: Mapping[str, Any]
    ceiling: Mapping[str, Any]
    warnings: List[Mapping[str, Any]]


class _HandshakeRequired(TypedDict):
    mode: str
    tools: List[Mapping[str, Any]]
    capabilities: List[str]


class Handshake(_HandshakeRequired, total=False):
    """Identity of the agent at the gateway, and the tools that it may use. The token stays inside the client."""

    agent_id: str
    organization_id: str
    workspace_id: str
    environment_id: str
    passport_version: int
    expires_at: str

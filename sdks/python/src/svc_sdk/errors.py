"""Errors of the client, by code. Branch on the class or on ``code``; ``message`` is for people and may change."""

from __future__ import annotations

from typing import Any, Mapping

from ._checks import is_approved_request, is_decision
from ._wire_format import NEXT_STEPS
from .answers import ApprovedRequest, Decision

_RETRYABLE_STATUSES = frozenset({429, 500, 503})
_RETRYABLE_CODES = frozenset({"GATEWAY_UNREACHABLE", "TIMED_OUT", "APPROVAL_PENDING"})

class GovernanceError(Exception):
    """Everything that the client raises about a response, or about the lack of one. It never holds the private key or a token."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        remedy: str | None = None,
        docs_url: str | None = None,
        details: Mapping[str, Any] | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        #: Stable. A code that this version does not know can come too.
        self.code = code
        self.message = message
        #: HTTP status; None when there was no response.
        self.status = status
        self.request_id = request_id
        self.remedy = remedy
        #: Page at the gateway that explains the code.
        self.docs_url = docs_url
        self.details: Mapping[str, Any] = dict(details or {})
        self.retry_after_seconds = retry_after_seconds

    @property
    def retryable(self) -> bool:
        """True if the same call may succeed later, with the same idempotency key and nothing changed."""
        return self.code in _RETRYABLE_CODES if self.status is None else self.status in _RETRYABLE_STATUSES

    @property
    def decision(self) -> Decision | None:
        """The decision, if the request was decided."""
        decision = self.details.get("decision")
        return decision if is_decision(decision) else None

    @property
    def next_step(self) -> str:
        """The next step of a program or a language model; for example not to repeat a refused call."""
        if self.code in ("APPROVAL_REQUIRED", "APPROVAL_PENDING"):
            approval_id = _text(self.details.get("approval_id"))
            named = f" (approval {approval_id})" if approval_id else ""
            return (
                f"The function did not run. A person must approve this call first{named}. "
                "Do not repeat it or change it; report that it waits for approval."
            )
        if self.code in NEXT_STEPS:
            return NEXT_STEPS[self.code]
        if self.retryable:
            return "Wait, then repeat the same call once."
        return self.remedy or "Do not repeat the same call; report the error."

    @property
    def for_model(self) -> str:
        """Text for a language model: code, reason and next step."""
        return f"Refused ({self.code}): {_sentence(self.message)} {self.next_step}"

    def __str__(self) -> str:
        return f"{_sentence(self.message)} {self.next_step}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.code, self.message, self._known())

    def again(self) -> GovernanceError:
        """Returns a copy without a traceback, for another thread to raise."""
        copy = type(self)(self.code, self.message, **self._known())
        copy.__cause__ = self.__cause__
        return copy

    def _known(self) -> dict[str, Any]:
        names = ("status", "request_id", "remedy", "docs_url", "details", "retry_after_seconds")
        return {name: getattr(self, name) for name in names}


def _rebuild(kind: type[GovernanceError], code: str, message: str, known: dict[str, Any]) -> GovernanceError:
    return kind(code, message, **known)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


class ApprovalRequired(GovernanceError):
    """APPROVAL_REQUIRED: a person has to approve this request first."""

    @property
    def approval_id(self) -> str:
        return _text(self.details.get("approval_id"))

    @property
    def poll_after_seconds(self) -> float:
        seconds = self.details.get("poll_after_seconds")
        return float(seconds) if isinstance(seconds, (int, float)) else 2.0

    @property
    def expires_at(self) -> str:
        """ISO-8601 UTC."""
        return _text(self.details.get("expires_at"))


class ApprovalNotGranted(GovernanceError):
    """APPROVAL_NOT_GRANTED: denied, withdrawn, used already, or given for another request."""


class ApprovalExpired(GovernanceError):
    """APPROVAL_EXPIRED: not decided in time, or not used in time."""


class ApprovalPending(GovernanceError):
    """APPROVAL_PENDING: not decided within the time to wait. The approval can be waited for again."""


class ApprovalNarrowed(GovernanceError):
    """APPROVAL_NARROWED: an approver agreed to less, and nothing was sent. Only exactly ``approved`` goes ahead, with ``approval_id``."""

    @property
    def approval_id(self) -> str:
        return _text(self.details.get("approval_id"))

    @property
    def approved(self) -> ApprovedRequest:
        approved = self.details.get("approved_request")
        if not is_approved_request(approved):
            raise TypeError("This error was not created from an approval.")
        return approved


class ActionBlocked(GovernanceError):
    """ACTION_BLOCKED: a rule forbids it; ``decision["explanation"]`` names the rule."""


class AuthorityExceeded(GovernanceError):
    """AUTHORITY_EXCEEDED: outside what was delegated to the agent."""


class DelegationEscalation(GovernanceError):
    """DELEGATION_ESCALATION: delegates more than the agent has; ``fields`` names each value with the one that bounds it."""

    @property
    def fields(self) -> list[dict[str, Any]]:
        fields = self.details.get("fields")
        return list(fields) if isinstance(fields, list) else []


class VelocityLimitExceeded(GovernanceError):
    """VELOCITY_LIMIT_EXCEEDED: more calls or amounts in a time than policy permits."""


class NotAuthorized(GovernanceError):
    """CAPABILITY_NOT_GRANTED or TOOL_NOT_AUTHORIZED: the agent was not given this tool."""


class StoppedByOperator(GovernanceError):
    """ENVIRONMENT_PAUSED, AGENT_NOT_OPERATIONAL, AGENT_ISOLATED or TOOL_DISABLED: a person stopped it on purpose."""


class AuthenticationFailed(GovernanceError):
    """AGENT_AUTHENTICATION_FAILED: the gateway does not know this agent by this key."""


class IdentityRevoked(GovernanceError):
    """AGENT_IDENTITY_REVOKED: for good."""


class IdentityGenerationStale(GovernanceError):
    """IDENTITY_GENERATION_STALE: the key was rotated. Continue with the new private key and its generation."""


class RateLimited(GovernanceError):
    """RATE_LIMITED, still after waiting as long as the call may take."""


class ServiceUnavailable(GovernanceError):
    """A part that the decision depends on does not respond, so the service refused."""


class ExecutionFailed(GovernanceError):
    """EXECUTION_FAILED: permitted, and rejected by the downstream system."""


class OutcomeUnknown(GovernanceError):
    """EXECUTION_TIMEOUT: it is unknown if the downstream system acted. Look there before another attempt."""


class GatewayUnreachable(GovernanceError):
    """GATEWAY_UNREACHABLE: no response. ``__cause__`` is the error of the system, if there was one."""

    @property
    def address(self) -> str:
        return _text(self.details.get("address"))


class TimedOut(GovernanceError):
    """TIMED_OUT: no final response within the time given."""


class AnswerUnreadable(GovernanceError):
    """ANSWER_UNREADABLE: the response does not follow the contract. Never taken for a permission."""


class NotExecuted(GovernanceError):
    """NOT_EXECUTED: permitted and recorded, and the service did not make the call; ``reason`` says why."""

    @property
    def reason(self) -> str:
        decision = self.decision
        execution = decision.get("execution") if decision is not None else None
        return _text(execution.get("reason")) if execution is not None else ""


class Simulated(GovernanceError):
    """SIMULATED: the environment only simulates, so the guarded function was not run."""


class NotForThisProcess(GovernanceError):
    """NOT_FOR_THIS_PROCESS: permitted, but the guarded function has nothing to carry out. It was not run."""


class ParametersChanged(GovernanceError):
    """PARAMETERS_CHANGED: the guarded function was not run, because its arguments changed after the decision."""


class CannotMask(GovernanceError):
    """CANNOT_MASK: rules mask parameters, and ``masked`` does not say where they are in the arguments. The function was not run."""


class ResultWithheld(GovernanceError):
    """RESULT_WITHHELD: the guarded function has run; its result is not a dict or list in which values can be masked."""


_CLASSES: dict[str, type[GovernanceError]] = {
    "APPROVAL_REQUIRED": ApprovalRequired,
    "APPROVAL_NOT_GRANTED": ApprovalNotGranted,
    "APPROVAL_EXPIRED": ApprovalExpired,
    "ACTION_BLOCKED": ActionBlocked,
    "AUTHORITY_EXCEEDED": AuthorityExceeded,
    "DELEGATION_ESCALATION": DelegationEscalation,
    "VELOCITY_LIMIT_EXCEEDED": VelocityLimitExceeded,
    "CAPABILITY_NOT_GRANTED": NotAuthorized,
    "TOOL_NOT_AUTHORIZED": NotAuthorized,
    "ENVIRONMENT_PAUSED": StoppedByOperator,
    "AGENT_NOT_OPERATIONAL": StoppedByOperator,
    "AGENT_ISOLATED": StoppedByOperator,
    "TOOL_DISABLED": StoppedByOperator,
    "AGENT_AUTHENTICATION_FAILED": AuthenticationFailed,
    "AGENT_IDENTITY_REVOKED": IdentityRevoked,
    "IDENTITY_GENERATION_STALE": IdentityGenerationStale,
    "RATE_LIMITED": RateLimited,
    "DEPENDENCY_UNAVAILABLE": ServiceUnavailable,
    "IDENTITY_SERVICE_UNAVAILABLE": ServiceUnavailable,
    "POLICY_SERVICE_UNAVAILABLE": ServiceUnavailable,
    "APPROVAL_SERVICE_UNAVAILABLE": ServiceUnavailable,
    "CREDENTIAL_SERVICE_UNAVAILABLE": ServiceUnavailable,
    "AUDIT_SERVICE_UNAVAILABLE": ServiceUnavailable,
    "EXECUTION_FAILED": ExecutionFailed,
    "EXECUTION_TIMEOUT": OutcomeUnknown,
    "NOT_EXECUTED": NotExecuted,
    "GATEWAY_UNREACHABLE": GatewayUnreachable,
    "TIMED_OUT": TimedOut,
    "ANSWER_UNREADABLE": AnswerUnreadable,
    "SIMULATED": Simulated,
    "NOT_FOR_THIS_PROCESS": NotForThisProcess,
    "PARAMETERS_CHANGED": ParametersChanged,
    "CANNOT_MASK": CannotMask,
    "RESULT_WITHHELD": ResultWithheld,
    "APPROVAL_PENDING": ApprovalPending,
    "APPROVAL_NARROWED": ApprovalNarrowed,
}

_HINTS = {
    "AGENT_AUTHENTICATION_FAILED": "If the key was rotated, pass the key_generation of the new key.",
    "IDENTITY_GENERATION_STALE": "Pass the new private_key together with its key_generation.",
}


def error_for(code: str, message: str, **known: Any) -> GovernanceError:
    """Returns the error of a code, in the class of that code."""
    hint = _HINTS.get(code)
    return _CLASSES.get(code, GovernanceError)(code, f"{message} {hint}" if hint else message, **known)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""

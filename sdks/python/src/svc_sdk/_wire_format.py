"""Written by `npm run generate -- sdk:words` from the contract. Not to be edited."""

# Addresses at the gateway.
PATHS = {
    "platformKey": "/.well-known/svc-platform-key",
    "token": "/gateway/v1/token",
    "handshake": "/gateway/v1/handshake",
    "logout": "/gateway/v1/logout",
    "actions": "/gateway/v1/actions",
    "approvals": "/gateway/v1/approvals",
    "delegations": "/gateway/v1/delegations",
}

# Headers that the client sends or reads.
HEADER_NAMES = {
    "idempotencyKey": "idempotency-key",
    "requestId": "x-request-id",
    "retryAfter": "retry-after",
}

# Headers of a webhook delivery.
WEBHOOK_HEADERS = {
    "signature": "svc-signature",
    "eventId": "svc-event-id",
    "eventType": "svc-event-type",
    "deliveryId": "svc-delivery-id",
    "deliveryAttempt": "svc-delivery-attempt",
}

# Largest difference between a delivery and the clock of its receiver.
WEBHOOK_WINDOW_SECONDS = 300

# `typ` of the signed assertion.
ASSERTION_TYPE = "svc-assertion+jws"

# From weakest to strictest. Any other effect is never acted on.
EFFECTS = (
    "ALLOW",
    "MASK",
    "LIMIT",
    "REQUIRE_APPROVAL",
    "BLOCK",
)

# How an environment applies decisions.
MODES = (
    "OBSERVE",
    "SIMULATE",
    "ENFORCE",
)

# States of an action.
ACTION_STATUSES = (
    "ALLOWED",
    "BLOCKED",
    "PENDING_APPROVAL",
    "APPROVED",
    "EXECUTING",
    "COMPLETED",
    "FAILED",
    "UNKNOWN",
    "EXPIRED",
    "CANCELLED",
    "OBSERVED",
    "SIMULATED",
)

# States of an approval.
APPROVAL_STATUSES = (
    "PENDING",
    "APPROVED",
    "DENIED",
    "EXPIRED",
    "CANCELLED",
    "CONSUMED",
)

# Codes of the service. The list only grows within a version.
ERROR_CODES = (
    "VALIDATION_FAILED",
    "INVALID_REQUEST",
    "INVALID_STATE_TRANSITION",
    "INVALID_POLICY",
    "INVALID_CREDENTIAL_REFERENCE",
    "NONCE_REPLAYED",
    "TIMESTAMP_OUT_OF_WINDOW",
    "UNAUTHENTICATED",
    "INVALID_CREDENTIALS",
    "SESSION_EXPIRED",
    "AGENT_AUTHENTICATION_FAILED",
    "AGENT_TOKEN_EXPIRED",
    "AGENT_IDENTITY_REVOKED",
    "IDENTITY_GENERATION_STALE",
    "SUBSCRIPTION_REQUIRED",
    "PERMISSION_DENIED",
    "STEP_UP_REQUIRED",
    "MFA_REQUIRED",
    "TENANT_MISMATCH",
    "NETWORK_RESTRICTED",
    "ACTION_BLOCKED",
    "AUTHORITY_EXCEEDED",
    "CAPABILITY_NOT_GRANTED",
    "DELEGATION_INVALID",
    "DELEGATION_EXPIRED",
    "DELEGATION_ESCALATION",
    "AGENT_NOT_OPERATIONAL",
    "AGENT_ISOLATED",
    "ENVIRONMENT_PAUSED",
    "TOOL_DISABLED",
    "TOOL_NOT_AUTHORIZED",
    "DESTINATION_BLOCKED",
    "APPROVAL_REQUIRED",
    "APPROVAL_NOT_GRANTED",
    "APPROVAL_EXPIRED",
    "TRUST_EVIDENCE_INSUFFICIENT",
    "PASSPORT_INVALID",
    "MCP_SERVER_NOT_TRUSTED",
    "A2A_CONNECTION_BLOCKED",
    "VELOCITY_LIMIT_EXCEEDED",
    "NOT_FOUND",
    "CONFLICT",
    "ALREADY_EXISTS",
    "VERSION_CONFLICT",
    "IDEMPOTENCY_KEY_REUSED",
    "GONE",
    "UNPROCESSABLE",
    "RATE_LIMITED",
    "INTERNAL_ERROR",
    "EXECUTION_FAILED",
    "DEPENDENCY_UNAVAILABLE",
    "IDENTITY_SERVICE_UNAVAILABLE",
    "POLICY_SERVICE_UNAVAILABLE",
    "APPROVAL_SERVICE_UNAVAILABLE",
    "CREDENTIAL_SERVICE_UNAVAILABLE",
    "AUDIT_SERVICE_UNAVAILABLE",
    "EXECUTION_TIMEOUT",
)

# What a program or a language model does after an error, by code.
NEXT_STEPS = {
    "ACTION_BLOCKED": "Do not repeat this call. Choose another action that the reason permits, or report that it is not allowed.",
    "AUTHORITY_EXCEEDED": "Do not repeat this call. Request less, or ask for more authority.",
    "CAPABILITY_NOT_GRANTED": "Do not use this tool. Report that the agent lacks it.",
    "TOOL_NOT_AUTHORIZED": "Do not use this tool. Report that the agent lacks it.",
    "VELOCITY_LIMIT_EXCEEDED": "Do not repeat this call now. Wait until the limit allows it.",
    "APPROVAL_NOT_GRANTED": "Do not repeat this call. A person decided against it; report that.",
    "APPROVAL_EXPIRED": "The function did not run. Report that no one decided in time; a new call requests a new approval.",
    "APPROVAL_NARROWED": "The function did not run. A person approved less; report what was approved.",
    "ENVIRONMENT_PAUSED": "A person stopped this. Do not use this tool again until a person resumes it.",
    "AGENT_NOT_OPERATIONAL": "A person stopped this. Do not use this tool again until a person resumes it.",
    "AGENT_ISOLATED": "A person stopped this. Do not use this tool again until a person resumes it.",
    "TOOL_DISABLED": "A person stopped this. Do not use this tool again until a person resumes it.",
    "EXECUTION_TIMEOUT": "The outcome is unknown. Do not repeat the call; report this, so that a person checks the target system.",
    "RESULT_WITHHELD": "The function ran, but its result may not be shown. Do not repeat the call.",
    "SIMULATED": "Nothing was changed. Do not repeat the call; continue without its effect.",
    "NOT_EXECUTED": "Nothing was changed. Do not repeat the call; continue without its effect.",
    "NOT_FOR_THIS_PROCESS": "The function did not run. Do not repeat the call; report this to the developer.",
    "PARAMETERS_CHANGED": "The function did not run. Do not repeat the call; report this to the developer.",
    "CANNOT_MASK": "The function did not run. Do not repeat the call; report this to the developer.",
}

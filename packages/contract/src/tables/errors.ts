/** Retry rule for clients; determined by the status. */
export type RetryClass =
  | 'no'
  | 'once_after_reauthentication'
  | 'never'
  | 'backoff'
  | 'once'
  | 'depends_on_downstream'
  | 'idempotent_only_after_check';

/** One row of the table of codes. The texts are public: they contain no secrets, hosts or internals. */
export type ErrorRow = {
  readonly status: number;
  readonly retry: RetryClass;
  /** The default message of a response with this code. */
  readonly message: string;
  /** The condition under which the code is returned. */
  readonly when: string;
  /** The next step of the calling program. */
  readonly remedy: string;
  /** Title and action for a person who reads it on a page. */
  readonly people: { readonly title: string; readonly action: string };
};

/**
 * The stable error codes. Clients branch on them, so a code never changes its name or status. Only INVALID_REQUEST has a second status:
 * 405, for an unsupported method.
 */
export const ERRORS = {
  VALIDATION_FAILED: {
    status: 400,
    retry: 'no',
    message: 'The request has a missing, unknown or malformed field.',
    when: 'The body, a query parameter or a path parameter does not match the schema of the endpoint; details list each fault with a JSON pointer.',
    remedy: 'Correct the listed fields and send the request again.',
    people: { title: 'Some fields need correction', action: 'Correct the fields below and try again.' },
  },
  INVALID_REQUEST: {
    status: 400,
    retry: 'no',
    message: 'The request could not be parsed.',
    when: 'The body is not JSON, is too large or has the wrong media type, the path does not support the method (status 405), or parameters contradict each other.',
    remedy: 'Use the method and media type of the endpoint, and send well-formed JSON.',
    people: { title: 'The request could not be read', action: 'Reload the page and try again.' },
  },
  INVALID_STATE_TRANSITION: {
    status: 400,
    retry: 'no',
    message: 'The current status of the resource does not allow this operation.',
    when: 'A lifecycle operation was requested from a status that does not allow it; details list the allowed statuses.',
    remedy: 'Read the current status and choose an operation that it allows.',
    people: { title: 'Not possible in the current status', action: 'Reload the page to see the current status.' },
  },
  INVALID_POLICY: {
    status: 400,
    retry: 'no',
    message: 'The policy is not valid.',
    when: 'A rule, condition, test or invariant is invalid, a version to activate has failing or no tests, or a rule has no effect and the warning was not accepted.',
    remedy: 'Correct the part that the JSON pointer names, or the failing test, and save again.',
    people: { title: 'The policy is not valid', action: 'Correct the part named below and save again.' },
  },
  INVALID_CREDENTIAL_REFERENCE: {
    status: 400,
    retry: 'no',
    message: 'The referenced credential cannot be used here.',
    when: 'A tool, runtime or integration references a credential that does not exist in its scope, is revoked, or has the wrong kind.',
    remedy: 'Reference an active credential of the same environment and of a kind that the target accepts.',
    people: { title: 'This credential cannot be used here', action: 'Choose an active credential of the same environment.' },
  },
  NONCE_REPLAYED: {
    status: 400,
    retry: 'no',
    message: 'The assertion was already used.',
    when: 'The nonce of a signed assertion was used before.',
    remedy: 'Sign a new assertion with a new random nonce.',
    people: { title: 'This sign-in was already used', action: 'Start a new sign-in.' },
  },
  TIMESTAMP_OUT_OF_WINDOW: {
    status: 400,
    retry: 'no',
    message: 'The timestamp of the assertion is outside the accepted window.',
    when: 'The issue or expiry time of a signed assertion differs too much from the clock of the service; details contain the current time of the service.',
    remedy: 'Correct the local clock and sign a new assertion.',
    people: { title: 'The clock is wrong', action: 'Correct the clock of the machine and try again.' },
  },
  UNAUTHENTICATED: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'Authentication is required.',
    when: 'The request has no credential, or its credential is unknown, malformed, revoked, expired (API key), or of a kind that this endpoint does not accept.',
    remedy:
      'Send a valid credential as Authorization: Bearer: a session or an API key to the control plane, an agent token to the gateway.',
    people: { title: 'You are not signed in', action: 'Sign in and try again.' },
  },
  INVALID_CREDENTIALS: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'The sign-in details are not correct.',
    when: 'The password of a sign-in or a step-up is wrong, or the account does not exist. After too many attempts the code is RATE_LIMITED.',
    remedy: 'Check the sign-in details and try again.',
    people: { title: 'Wrong email or password', action: 'Check your details and try again.' },
  },
  SESSION_EXPIRED: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'The session has expired.',
    when: 'The session passed its lifetime or its idle timeout. A session that was signed out or revoked returns UNAUTHENTICATED.',
    remedy: 'Sign in again.',
    people: { title: 'Your session has expired', action: 'Sign in again.' },
  },
  AGENT_AUTHENTICATION_FAILED: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'The agent could not be authenticated.',
    when: 'The assertion is malformed, names an unknown agent, has the wrong audience, or its signature is invalid.',
    remedy: 'Sign with the current private key, for exactly the published audience.',
    people: { title: 'The agent could not be authenticated', action: 'Check the key and the audience of the agent.' },
  },
  AGENT_TOKEN_EXPIRED: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'The agent token has expired.',
    when: 'The token passed its lifetime, or its session has ended.',
    remedy: 'Sign a new assertion, exchange it for a new token and retry once.',
    people: { title: 'The agent token has expired', action: 'The agent must sign in again.' },
  },
  AGENT_IDENTITY_REVOKED: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'The identity of this agent has been revoked.',
    when: 'The assertion or token belongs to an agent with a permanently revoked identity.',
    remedy: 'Stop. Register a new agent to continue the work.',
    people: { title: 'This agent was revoked', action: 'Register a new agent to continue the work.' },
  },
  IDENTITY_GENERATION_STALE: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'The key of this agent has been rotated.',
    when: 'The assertion or token was created with an earlier key of the agent.',
    remedy: 'Use the current private key of the agent.',
    people: { title: 'The agent’s key was rotated', action: 'Deploy the current key to the agent.' },
  },
  SUBSCRIPTION_REQUIRED: {
    status: 402,
    retry: 'no',
    message: 'The subscription does not include this operation.',
    when: 'The subscription of the organization does not include the feature, or it has lapsed.',
    remedy: 'Renew or upgrade the subscription.',
    people: { title: 'Your plan does not include this', action: 'Renew or upgrade the subscription.' },
  },
  PERMISSION_DENIED: {
    status: 403,
    retry: 'never',
    message: 'The caller does not have the permission for this operation.',
    when: 'The role of the session or API key does not have the permission that the endpoint requires; details name it.',
    remedy: 'Ask an administrator for a role with the permission.',
    people: { title: 'You do not have permission', action: 'Ask an administrator for a role with this permission.' },
  },
  STEP_UP_REQUIRED: {
    status: 403,
    retry: 'never',
    message: 'This operation requires re-authentication.',
    when: 'The permission requires a recent step-up. An API key cannot step up.',
    remedy: 'Confirm the password or second factor of the signed-in user with POST /v1/auth/step-up, then repeat the request.',
    people: { title: 'Confirm it is you', action: 'Enter your password or second factor to continue.' },
  },
  MFA_REQUIRED: {
    status: 403,
    retry: 'never',
    message: 'The organization requires a second factor.',
    when: 'The organization requires multi-factor authentication and the session has no second factor.',
    remedy: 'Enroll a second factor with POST /v1/auth/mfa/totp or /v1/auth/mfa/passkeys, or step up with an enrolled one.',
    people: { title: 'A second factor is required', action: 'Set up an authenticator app or a passkey, or use one that you have.' },
  },
  TENANT_MISMATCH: {
    status: 403,
    retry: 'never',
    message: 'The caller has no access to the requested scope.',
    when: 'A scope header, or a reference in a token, names a workspace or environment that the caller cannot access.',
    remedy: 'Remove the scope header, or name a workspace or environment of your own organization.',
    people: { title: 'You have no access to this workspace', action: 'Switch to a workspace or environment that you can access.' },
  },
  NETWORK_RESTRICTED: {
    status: 403,
    retry: 'never',
    message: 'Requests from this network are not allowed.',
    when: 'The source address is outside the networks that the organization or the API key allows.',
    remedy: 'Send the request from an allowed network, or have the restriction changed.',
    people: { title: 'Your network is not allowed', action: 'Connect from an allowed network, or ask an administrator.' },
  },
  ACTION_BLOCKED: {
    status: 403,
    retry: 'never',
    message: 'A policy does not allow this action.',
    when: 'A rule with the effect BLOCK matched, or no rule allowed the action; the explanation names the rule and its reason.',
    remedy: 'Show the reason to the user. Do not retry the request unchanged.',
    people: { title: 'A policy blocked this action', action: 'Read the reason, or ask the owner of the policy.' },
  },
  AUTHORITY_EXCEEDED: {
    status: 403,
    retry: 'never',
    message: 'The request exceeds the authority of the agent.',
    when: 'The delegation chain is valid, but its scope or ceiling does not cover the request; details contain the capability, the ceiling and the requested value.',
    remedy: 'Stay within the ceiling, or have a person extend the root delegation.',
    people: { title: 'The agent’s authority does not cover this', action: 'Extend the delegation, or request less.' },
  },
  CAPABILITY_NOT_GRANTED: {
    status: 403,
    retry: 'never',
    message: 'The agent does not have the required capability.',
    when: 'The tool requires a capability that was never granted to the agent, or was withdrawn.',
    remedy: 'Have the capability granted to the agent with POST /v1/agents/{agentId}/capabilities.',
    people: { title: 'The agent lacks a capability', action: 'Grant the capability to the agent.' },
  },
  DELEGATION_INVALID: {
    status: 403,
    retry: 'never',
    message: 'The delegation cannot be used.',
    when: 'The delegation chain is broken, revoked or circular, or was issued to another agent.',
    remedy: 'Obtain a valid delegation and use it in the request.',
    people: { title: 'The delegation is not valid', action: 'Create a new delegation.' },
  },
  DELEGATION_EXPIRED: {
    status: 403,
    retry: 'never',
    message: 'The delegation has expired.',
    when: 'A delegation of the chain is past its expiry.',
    remedy: 'Obtain a new delegation.',
    people: { title: 'The delegation has expired', action: 'Create a new delegation.' },
  },
  DELEGATION_ESCALATION: {
    status: 403,
    retry: 'never',
    message: 'A delegation cannot grant more than its parent.',
    when: 'A delegation requests more scope, ceiling, depth or time than its parent has, or a reduction would widen it.',
    remedy: 'Request at most the values of the parent in details.',
    people: { title: 'The delegation grants too much', action: 'Stay within the limits of the parent delegation.' },
  },
  AGENT_NOT_OPERATIONAL: {
    status: 403,
    retry: 'never',
    message: 'The agent is not active.',
    when: 'The agent is paused, suspended, expired or decommissioned.',
    remedy: 'Wait until an operator resumes the agent.',
    people: { title: 'The agent is not active', action: 'Resume the agent, or wait until an operator does.' },
  },
  AGENT_ISOLATED: {
    status: 403,
    retry: 'never',
    message: 'The agent has been isolated.',
    when: 'An emergency control isolated the agent.',
    remedy: 'Stop, and contact the security team of the organization.',
    people: { title: 'The agent is isolated', action: 'Contact your security team.' },
  },
  ENVIRONMENT_PAUSED: {
    status: 403,
    retry: 'never',
    message: 'Protected execution in this environment is paused.',
    when: 'An operator paused all protected actions of the environment.',
    remedy: 'Wait until an operator resumes the environment.',
    people: { title: 'The environment is paused', action: 'Resume the environment, or wait until an operator does.' },
  },
  TOOL_DISABLED: {
    status: 403,
    retry: 'never',
    message: 'The tool is disabled.',
    when: 'An operator disabled the tool for all agents.',
    remedy: 'Use another tool, or wait until the tool is enabled.',
    people: { title: 'The tool is disabled', action: 'Enable the tool, or use another one.' },
  },
  TOOL_NOT_AUTHORIZED: {
    status: 403,
    retry: 'never',
    message: 'The agent is not authorized for this tool.',
    when: 'The agent has the capability but is not authorized for the tool. A tool that does not exist in the environment returns NOT_FOUND.',
    remedy: 'Have the agent authorized for the tool with POST /v1/tools/{toolId}/agents.',
    people: { title: 'The agent may not use this tool', action: 'Authorize the agent for the tool.' },
  },
  DESTINATION_BLOCKED: {
    status: 403,
    retry: 'never',
    message: 'The destination is not allowed.',
    when: 'The target is outside the allowlist of the tool, or may not receive the request. An unreachable or never called target returns EXECUTION_FAILED.',
    remedy: 'Use an allowed destination, or have the allowlist changed.',
    people: { title: 'The destination is not allowed', action: 'Use an allowed destination, or change the allowlist.' },
  },
  APPROVAL_REQUIRED: {
    status: 403,
    retry: 'never',
    message: 'A person must approve this action first.',
    when: 'A policy requires approval, or a command-line sign-in is undecided; details contain the approval, its expiry and the poll interval.',
    remedy: 'Wait for the approval, then send the same request again: an action with its approval_id and a new idempotency key.',
    people: { title: 'Approval is required', action: 'Wait until an approver decides.' },
  },
  APPROVAL_NOT_GRANTED: {
    status: 403,
    retry: 'never',
    message: 'The approval does not permit this request.',
    when: 'The approval was denied, used, cancelled or issued for another request; for a command-line sign-in, it was denied or the approving session has ended.',
    remedy: 'Send exactly the approved request, or request a new approval.',
    people: { title: 'The approval does not cover this', action: 'Request a new approval.' },
  },
  APPROVAL_EXPIRED: {
    status: 403,
    retry: 'never',
    message: 'The approval has expired.',
    when: 'The approval was not decided in time, or not used in time.',
    remedy: 'Submit the request again to request a new approval.',
    people: { title: 'The approval has expired', action: 'Request a new approval.' },
  },
  TRUST_EVIDENCE_INSUFFICIENT: {
    status: 403,
    retry: 'never',
    message: 'The trust evidence of this agent is not sufficient.',
    when: 'The action requires evidence that is missing, expired or revoked.',
    remedy: 'Submit current evidence for the agent.',
    people: { title: 'Trust evidence is missing', action: 'Submit current evidence for the agent.' },
  },
  PASSPORT_INVALID: {
    status: 403,
    retry: 'never',
    message: 'The passport is not valid.',
    when: 'The passport is expired, revoked or replaced by a newer version, or its signature is invalid.',
    remedy: 'Obtain the current passport, or renew it; renewal keeps the key and the sessions of the agent.',
    people: { title: 'The passport is not valid', action: 'Renew the passport of the agent.' },
  },
  MCP_SERVER_NOT_TRUSTED: {
    status: 403,
    retry: 'never',
    message: 'The MCP server is not trusted.',
    when: 'The MCP server is pending, disabled or quarantined, or the tool of the server is not authorized.',
    remedy: 'Have the server reviewed and the tool authorized.',
    people: { title: 'The MCP server is not trusted', action: 'Review the server and authorize the tool.' },
  },
  A2A_CONNECTION_BLOCKED: {
    status: 403,
    retry: 'never',
    message: 'The connection to the other agent cannot be used.',
    when: 'The agent-to-agent connection is pending, unverified or blocked.',
    remedy: 'Have the connection verified by an operator.',
    people: { title: 'The connection cannot be used', action: 'Verify the connection first.' },
  },
  VELOCITY_LIMIT_EXCEEDED: {
    status: 403,
    retry: 'never',
    message: 'The agent exceeds the permitted rate of actions.',
    when: 'The number or amount of actions within a window exceeds the limit of a policy or a risk setting.',
    remedy: 'Wait until the window in details has passed, and slow down.',
    people: { title: 'The agent acts too fast', action: 'Wait until the window has passed, or raise the limit.' },
  },
  NOT_FOUND: {
    status: 404,
    retry: 'no',
    message: 'The resource does not exist.',
    when: 'The identifier or the named tool does not exist in the tenant of the caller. A resource of another tenant gives the same response.',
    remedy: 'Check the path and the identifiers in the request.',
    people: { title: 'Not found', action: 'Check the address, or go back to the list.' },
  },
  CONFLICT: {
    status: 409,
    retry: 'no',
    message: 'The request conflicts with the current state.',
    when: 'A concurrent change, or a constraint such as keeping the last owner, prevents the operation.',
    remedy: 'Read the resource again, then decide whether to repeat the operation.',
    people: { title: 'This changed in the meantime', action: 'Reload the page and try again.' },
  },
  ALREADY_EXISTS: {
    status: 409,
    retry: 'no',
    message: 'A resource with this name already exists.',
    when: 'The name, slug, address or key must be unique and is in use.',
    remedy: 'Choose another name, or use the existing resource.',
    people: { title: 'This name is already in use', action: 'Choose another name.' },
  },
  VERSION_CONFLICT: {
    status: 409,
    retry: 'no',
    message: 'The resource was changed by another request.',
    when: 'The version that the change is based on is no longer current.',
    remedy: 'Read the current version and apply the change to it.',
    people: { title: 'Someone else changed this', action: 'Reload the page and repeat your change.' },
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    retry: 'no',
    message: 'The idempotency key was already used for a different request.',
    when: 'The Idempotency-Key was sent before with another body; adding an approval_id also changes the body.',
    remedy: 'Use a new key for each new request, including a request repeated with its approval.',
    people: { title: 'This request was already sent', action: 'Reload the page and try again.' },
  },
  GONE: {
    status: 410,
    retry: 'no',
    message: 'The resource is no longer available.',
    when: 'A one-time link, challenge or invitation was used or has expired.',
    remedy: 'Request a new one.',
    people: { title: 'This link is no longer valid', action: 'Request a new one.' },
  },
  UNPROCESSABLE: {
    status: 422,
    retry: 'no',
    message: 'The request is well formed but cannot be processed.',
    when: 'Each value is valid, but not in this combination or not for this resource.',
    remedy: 'Read the message and details, and change the request.',
    people: { title: 'This is not possible', action: 'Change your input and try again.' },
  },
  RATE_LIMITED: {
    status: 429,
    retry: 'backoff',
    message: 'Too many requests.',
    when: 'The caller exceeded the request limit or the sign-in attempts, or its organization has too many requests in progress or waiting for approval.',
    remedy: 'Wait for the time in Retry-After, then retry with jitter.',
    people: { title: 'Too many requests', action: 'Wait a moment and try again.' },
  },
  INTERNAL_ERROR: {
    status: 500,
    retry: 'once',
    message: 'An internal error occurred.',
    when: 'The service failed in a way that no other code describes.',
    remedy: 'Retry once. If the error persists, report the request id.',
    people: { title: 'Something went wrong', action: 'Try again. If it happens again, report the request id below.' },
  },
  EXECUTION_FAILED: {
    status: 502,
    retry: 'depends_on_downstream',
    message: 'The action was permitted, but the downstream system rejected it.',
    when: 'The target of a permitted action returned an error or could not be reached.',
    remedy: 'Check the outcome in details; whether a retry is safe depends on the downstream system.',
    people: { title: 'The target system returned an error', action: 'Check the outcome before you try again.' },
  },
  DEPENDENCY_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    message: 'A dependency of the service is unavailable, so the request was refused.',
    when: 'A dependency without a code of its own does not respond; nothing was allowed.',
    remedy: 'Retry with backoff and honor Retry-After.',
    people: { title: 'The service is partly unavailable', action: 'Nothing was changed. Try again shortly.' },
  },
  IDENTITY_SERVICE_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    message: 'Identities cannot be checked at the moment, so the request was refused.',
    when: 'Sessions, keys, agents or nonces cannot be read or written; nothing was allowed.',
    remedy: 'Retry with backoff and honor Retry-After.',
    people: { title: 'Sign-in is unavailable', action: 'Nothing was changed. Try again shortly.' },
  },
  POLICY_SERVICE_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    message: 'Policies cannot be evaluated at the moment, so the request was refused.',
    when: 'The active policies cannot be loaded or compiled; nothing was allowed.',
    remedy: 'Retry with backoff and honor Retry-After.',
    people: { title: 'Policies are unavailable', action: 'Nothing was changed. Try again shortly.' },
  },
  APPROVAL_SERVICE_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    message: 'Approvals cannot be checked at the moment, so the request was refused.',
    when: 'Approvals cannot be read or written; nothing was allowed.',
    remedy: 'Retry with backoff and honor Retry-After.',
    people: { title: 'Approvals are unavailable', action: 'Nothing was changed. Try again shortly.' },
  },
  CREDENTIAL_SERVICE_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    message: 'Credentials cannot be leased at the moment, so the request was refused.',
    when: 'The credential store or its key is unavailable; nothing was allowed.',
    remedy: 'Retry with backoff and honor Retry-After.',
    people: { title: 'Credentials are unavailable', action: 'Nothing was changed. Try again shortly.' },
  },
  AUDIT_SERVICE_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    message: 'The decision cannot be recorded at the moment, so the request was refused.',
    when: 'The audit record cannot be written durably, or its queue is full; nothing was allowed.',
    remedy: 'Retry with backoff and honor Retry-After.',
    people: { title: 'The audit log is unavailable', action: 'Nothing was changed. Try again shortly.' },
  },
  EXECUTION_TIMEOUT: {
    status: 504,
    retry: 'idempotent_only_after_check',
    message: 'The downstream system did not respond in time; the outcome is unknown.',
    when: 'The target of a permitted action did not respond within the timeout, or its response was lost.',
    remedy: 'Check the state of the downstream system; retry only if the operation is idempotent.',
    people: { title: 'The target system did not respond', action: 'Check its state before you try again.' },
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
export type ErrorStatus = (typeof ERRORS)[ErrorCode]['status'];

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/** Path of the page with this table on every plane. */
export const ERRORS_PAGE_PATH = '/docs/errors';

/** Returns the address of a code on that page, relative to the plane, so that it works under any host name. */
export const getDocsUrl = (code: ErrorCode): string => `${ERRORS_PAGE_PATH}#${code}`;

/** What a client may do after an answer, decided by its status alone. */
export type RetryClass =
  | 'no'
  | 'once_after_reauthentication'
  | 'never'
  | 'backoff'
  | 'once'
  | 'depends_on_downstream'
  | 'idempotent_only_after_check';

/** One row of the table of codes. Every text is fit for people outside: no secrets, hosts or internals. */
export type ErrorRow = {
  readonly status: number;
  readonly retry: RetryClass;
  /** The sentence that answers when a refusal brings none of its own. */
  readonly message: string;
  /** When the code is answered. */
  readonly when: string;
  /** What the caller does about it. */
  readonly remedy: string;
};

/** The 57 stable codes. Clients branch on them, so a code is never renamed and never changes its status; INVALID_REQUEST alone comes with 405 besides, where a path does not take the method. */
export const ERRORS = {
  VALIDATION_FAILED: {
    status: 400,
    retry: 'no',
    message: 'The request has a field that is missing, unknown or of the wrong shape.',
    when: 'A body, query or path value does not fit the schema of the endpoint; details name each place with a JSON pointer.',
    remedy: 'Correct the named fields and send the request again.',
  },
  INVALID_REQUEST: {
    status: 400,
    retry: 'no',
    message: 'The request could not be understood.',
    when: 'The body is not JSON, is too large, has the wrong media type, the path does not take the method (then the status is 405), or the request contradicts itself.',
    remedy: 'Send what the endpoint description asks for: its method, and well-formed JSON.',
  },
  INVALID_STATE_TRANSITION: {
    status: 400,
    retry: 'no',
    message: 'The resource is in a state that does not allow this operation.',
    when: 'A lifecycle operation is asked for from a status outside the ones it starts from; details list them.',
    remedy: 'Read the current status and choose an operation that it allows.',
  },
  INVALID_POLICY: {
    status: 400,
    retry: 'no',
    message: 'The policy is not valid.',
    when: 'A rule, condition, test or invariant is not valid, a version that is to come into force lacks tests that all pass, or a rule does nothing and nobody accepts that.',
    remedy: 'Correct the place the JSON pointer names, or the failing test, and save again.',
  },
  INVALID_CREDENTIAL_REFERENCE: {
    status: 400,
    retry: 'no',
    message: 'The credential that was named cannot be used here.',
    when: 'A tool, runtime or integration points at a credential that does not exist in its scope, is revoked, or is of the wrong kind.',
    remedy: 'Name an active credential of the same environment and of the kind the target takes.',
  },
  NONCE_REPLAYED: {
    status: 400,
    retry: 'no',
    message: 'This assertion was already used.',
    when: 'The nonce of a signed assertion has been seen before.',
    remedy: 'Sign a fresh assertion with a new random nonce.',
  },
  TIMESTAMP_OUT_OF_WINDOW: {
    status: 400,
    retry: 'no',
    message: 'The time of the assertion is outside the accepted window.',
    when: 'The issue or expiry time of a signed assertion is too far from the clock of the service; details carry that clock.',
    remedy: 'Correct the local clock and sign a fresh assertion.',
  },
  UNAUTHENTICATED: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'Authentication is required.',
    when: 'No credential was sent, or it is unknown, malformed, revoked or of a kind this endpoint does not take, or an API key past its expiry.',
    remedy:
      'Send a valid credential in the header Authorization, after the word Bearer: a session or an API key to the control plane, the token of an agent to the gateway.',
  },
  INVALID_CREDENTIALS: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'The sign-in details are not correct.',
    when: 'The password at a sign-in or a step-up is wrong; an unknown account gives the same answer. When the attempts at signing in are used up the answer is RATE_LIMITED.',
    remedy: 'Check the details and try again.',
  },
  SESSION_EXPIRED: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'The session has ended.',
    when: 'A session passed its lifetime or idle limit; one that was signed out or revoked is UNAUTHENTICATED.',
    remedy: 'Sign in again.',
  },
  AGENT_AUTHENTICATION_FAILED: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'The agent could not be authenticated.',
    when: 'An assertion is malformed, names an unknown agent, has a wrong audience, or its signature does not verify.',
    remedy: 'Sign with the current private key for exactly the published audience.',
  },
  AGENT_TOKEN_EXPIRED: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'The agent token has expired.',
    when: 'A gateway call carries a token past its lifetime or whose session has ended.',
    remedy: 'Sign a fresh assertion, take a new token and retry once.',
  },
  AGENT_IDENTITY_REVOKED: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'The identity of this agent has been revoked.',
    when: 'An assertion or token belongs to an agent whose identity was ended for good.',
    remedy: 'Stop. Register a new agent if the work is to continue.',
  },
  IDENTITY_GENERATION_STALE: {
    status: 401,
    retry: 'once_after_reauthentication',
    message: 'The key of this agent has been rotated.',
    when: 'An assertion or token was made with a key generation that is no longer current.',
    remedy: 'Use the private key of the current generation.',
  },
  SUBSCRIPTION_REQUIRED: {
    status: 402,
    retry: 'no',
    message: 'The subscription does not cover this operation.',
    when: 'The subscription state of the organization excludes the feature or has lapsed.',
    remedy: 'Renew or extend the subscription.',
  },
  PERMISSION_DENIED: {
    status: 403,
    retry: 'never',
    message: 'The caller lacks the permission for this operation.',
    when: 'The role of the session or API key does not hold the permission of the endpoint; details name it.',
    remedy: 'Ask an administrator for a role that holds the permission.',
  },
  STEP_UP_REQUIRED: {
    status: 403,
    retry: 'never',
    message: 'This operation needs a fresh confirmation of identity.',
    when: 'A guarded permission is used without a recent step-up; an API key can never give one.',
    remedy:
      'A signed-in person confirms their password, or their second factor where they have one, with POST /v1/auth/step-up, then repeats the call.',
  },
  MFA_REQUIRED: {
    status: 403,
    retry: 'never',
    message: 'The organization requires a second factor.',
    when: 'The organization demands a second factor and the session has none.',
    remedy: 'Enrol a second factor with POST /v1/auth/mfa/totp or /v1/auth/mfa/passkeys, or step up with one you have.',
  },
  TENANT_MISMATCH: {
    status: 403,
    retry: 'never',
    message: 'The scope that was named is not accessible to the caller.',
    when: "A scope header, or a reference in a token, names a workspace or environment that is not the caller's.",
    remedy: 'Remove the scope header or name a scope of your own organization.',
  },
  NETWORK_RESTRICTED: {
    status: 403,
    retry: 'never',
    message: 'Calls from this network are not accepted.',
    when: 'The source address lies outside the networks that the organization or key admits.',
    remedy: 'Call from an admitted network or have the restriction changed.',
  },
  ACTION_BLOCKED: {
    status: 403,
    retry: 'never',
    message: 'A policy does not allow this action.',
    when: 'A rule with the effect BLOCK matched, or no rule allowed the action; the explanation names the rule and its reason.',
    remedy: 'Show the reason to the person concerned; do not retry unchanged.',
  },
  AUTHORITY_EXCEEDED: {
    status: 403,
    retry: 'never',
    message: 'The request lies outside the authority of the agent.',
    when: 'The delegation chain holds, but its scope or ceiling does not cover the request; details give capability, ceiling and what was asked.',
    remedy: 'Ask within the ceiling, or have a person widen the root delegation.',
  },
  CAPABILITY_NOT_GRANTED: {
    status: 403,
    retry: 'never',
    message: 'The agent does not hold the capability this needs.',
    when: 'The tool needs a capability that was never granted to the agent, or was withdrawn.',
    remedy: 'Have the capability granted to the agent, with POST /v1/agents/{agentId}/capabilities.',
  },
  DELEGATION_INVALID: {
    status: 403,
    retry: 'never',
    message: 'The delegation cannot be used.',
    when: 'The chain that was named is broken, revoked, circular, or not made out to this agent.',
    remedy: 'Obtain a valid delegation and name that one.',
  },
  DELEGATION_EXPIRED: {
    status: 403,
    retry: 'never',
    message: 'The delegation has expired.',
    when: 'A link of the delegation chain is past its expiry.',
    remedy: 'Obtain a new delegation.',
  },
  DELEGATION_ESCALATION: {
    status: 403,
    retry: 'never',
    message: 'A delegation cannot grant more than it was given.',
    when: 'A delegation asks for more scope, ceiling, depth or time than its parent has, or a reduction would widen it.',
    remedy: 'Ask for no more than each field of the parent shown in details.',
  },
  AGENT_NOT_OPERATIONAL: {
    status: 403,
    retry: 'never',
    message: 'The agent is not in operation.',
    when: 'The agent is paused, suspended, expired or decommissioned.',
    remedy: 'Wait for an operator to resume the agent.',
  },
  AGENT_ISOLATED: {
    status: 403,
    retry: 'never',
    message: 'The agent has been isolated.',
    when: 'An emergency control cut the agent off.',
    remedy: 'Stop, and contact the security team of the organization.',
  },
  ENVIRONMENT_PAUSED: {
    status: 403,
    retry: 'never',
    message: 'Protected execution in this environment is paused.',
    when: 'An operator stopped all protected actions of the environment.',
    remedy: 'Wait until an operator resumes the environment.',
  },
  TOOL_DISABLED: {
    status: 403,
    retry: 'never',
    message: 'The tool is disabled.',
    when: 'An operator disabled the tool for every agent.',
    remedy: 'Use another tool or wait until it is enabled.',
  },
  TOOL_NOT_AUTHORIZED: {
    status: 403,
    retry: 'never',
    message: 'The agent is not authorized for this tool.',
    when: 'The agent holds the capability, but nobody authorized it for this tool; a tool that is unknown in its environment is NOT_FOUND.',
    remedy: 'Have the agent authorized for the tool, with POST /v1/tools/{toolId}/agents.',
  },
  DESTINATION_BLOCKED: {
    status: 403,
    retry: 'never',
    message: 'The destination is not permitted.',
    when: 'The target of a call is outside the allowlist of the tool, or nothing may be sent to it as asked; one that cannot be reached, or is never called, is EXECUTION_FAILED.',
    remedy: 'Use a permitted destination or have the allowlist changed.',
  },
  APPROVAL_REQUIRED: {
    status: 403,
    retry: 'never',
    message: 'A person must approve this action first.',
    when: 'A policy asks for approval, or nobody has decided on a sign-in of the command line yet; details carry what is waited for, when it expires and how often to poll.',
    remedy:
      'Wait for the approval, then send the same request again with it: an action with its approval_id, under an idempotency key of its own.',
  },
  APPROVAL_NOT_GRANTED: {
    status: 403,
    retry: 'never',
    message: 'The approval does not permit this request.',
    when: 'The approval was denied, already used, cancelled, or belongs to a different request; at a sign-in of the command line, a person denied it or the session that approved it has ended.',
    remedy: 'Resubmit exactly what was approved, or ask for a new approval.',
  },
  APPROVAL_EXPIRED: {
    status: 403,
    retry: 'never',
    message: 'The approval has expired.',
    when: 'Nobody decided in time, or the approval was not used in time.',
    remedy: 'Submit the request again to ask for a new approval.',
  },
  TRUST_EVIDENCE_INSUFFICIENT: {
    status: 403,
    retry: 'never',
    message: 'The trust evidence for this agent is not sufficient.',
    when: 'The action demands evidence that is missing, expired or revoked.',
    remedy: 'Provide current evidence for the agent.',
  },
  PASSPORT_INVALID: {
    status: 403,
    retry: 'never',
    message: 'The passport is not valid.',
    when: 'A passport is expired, revoked, of an older version, or its signature does not verify.',
    remedy: 'Renew the passport of the agent, which keeps its key and its sessions; or obtain the current one.',
  },
  MCP_SERVER_NOT_TRUSTED: {
    status: 403,
    retry: 'never',
    message: 'The MCP server is not trusted.',
    when: 'A call names an MCP server that is pending, disabled or quarantined, or one of its tools that nobody authorized.',
    remedy: 'Have the server reviewed and the tool authorized.',
  },
  A2A_CONNECTION_BLOCKED: {
    status: 403,
    retry: 'never',
    message: 'The connection to the other agent is not usable.',
    when: 'An agent-to-agent connection is pending, was not verified, or was blocked.',
    remedy: 'Have the connection verified by an operator.',
  },
  VELOCITY_LIMIT_EXCEEDED: {
    status: 403,
    retry: 'never',
    message: 'The agent acts faster than policy permits.',
    when: 'Calls or amounts within a window passed the limit that a policy or a risk setting names.',
    remedy: 'Slow down; act again when the window named in details has passed.',
  },
  NOT_FOUND: {
    status: 404,
    retry: 'no',
    message: 'There is no such resource.',
    when: 'The identifier, or the tool that was named, does not exist in the tenant of the caller; one of another tenant gives the same answer.',
    remedy: 'Check the path, and the identifiers in it and in what was sent.',
  },
  CONFLICT: {
    status: 409,
    retry: 'no',
    message: 'The request conflicts with the current state.',
    when: 'A concurrent change, or a rule such as the last owner staying, stands against the operation.',
    remedy: 'Read the resource again and decide anew.',
  },
  ALREADY_EXISTS: {
    status: 409,
    retry: 'no',
    message: 'A resource with this name already exists.',
    when: 'A unique name, slug, address or key is already taken.',
    remedy: 'Choose another name, or use the resource that exists.',
  },
  VERSION_CONFLICT: {
    status: 409,
    retry: 'no',
    message: 'The resource was changed by somebody else.',
    when: 'The version that a change builds on is no longer the current one.',
    remedy: 'Read the current version and apply the change to it.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    retry: 'no',
    message: 'This idempotency key was already used for a different request.',
    when: 'An Idempotency-Key comes again with another body, be it the same request with the approval_id that it waited for.',
    remedy: 'Use a new key for a new request, and for one that goes ahead with an approval.',
  },
  GONE: {
    status: 410,
    retry: 'no',
    message: 'The resource is no longer available.',
    when: 'A one-time link, challenge or invitation was used or has run out.',
    remedy: 'Ask for a new one.',
  },
  UNPROCESSABLE: {
    status: 422,
    retry: 'no',
    message: 'The request is well formed but cannot be carried out.',
    when: 'Values are valid one by one, but not together or not for this resource.',
    remedy: 'Read the message and details, and change the request.',
  },
  RATE_LIMITED: {
    status: 429,
    retry: 'backoff',
    message: 'Too many requests.',
    when: 'The caller used up the requests of the current window or the attempts at signing in, its organization has as much under way as it may, or as many requests wait for people as may.',
    remedy: 'Wait as long as Retry-After says, then go on with jitter.',
  },
  INTERNAL_ERROR: {
    status: 500,
    retry: 'once',
    message: 'Something went wrong on our side.',
    when: 'A fault that no other code describes.',
    remedy: 'Retry once; if it stays, report the request id.',
  },
  EXECUTION_FAILED: {
    status: 502,
    retry: 'depends_on_downstream',
    message: 'The action was permitted, but the downstream system rejected it.',
    when: 'The target of a permitted action answered with an error or could not be reached.',
    remedy: 'Look at the outcome in details; whether to retry depends on the downstream system.',
  },
  DEPENDENCY_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    message: 'A part the service depends on is not available, so the request was refused.',
    when: 'A dependency without a code of its own does not answer; nothing was allowed.',
    remedy: 'Retry with backoff; honour Retry-After.',
  },
  IDENTITY_SERVICE_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    message: 'Identities cannot be checked now, so the request was refused.',
    when: 'Sessions, keys, agents or nonces cannot be read or written; nothing was allowed.',
    remedy: 'Retry with backoff; honour Retry-After.',
  },
  POLICY_SERVICE_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    message: 'Policies cannot be evaluated now, so the request was refused.',
    when: 'The active policies cannot be loaded or compiled; nothing was allowed.',
    remedy: 'Retry with backoff; honour Retry-After.',
  },
  APPROVAL_SERVICE_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    message: 'Approvals cannot be checked now, so the request was refused.',
    when: 'The store of approvals cannot be read or written; nothing was allowed.',
    remedy: 'Retry with backoff; honour Retry-After.',
  },
  CREDENTIAL_SERVICE_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    message: 'Credentials cannot be leased now, so the request was refused.',
    when: 'The credential store or its key cannot be reached; nothing was allowed.',
    remedy: 'Retry with backoff; honour Retry-After.',
  },
  AUDIT_SERVICE_UNAVAILABLE: {
    status: 503,
    retry: 'backoff',
    message: 'The decision cannot be recorded now, so the request was refused.',
    when: 'The record of a decision or change cannot be written durably, or its queue is full; nothing was allowed.',
    remedy: 'Retry with backoff; honour Retry-After.',
  },
  EXECUTION_TIMEOUT: {
    status: 504,
    retry: 'idempotent_only_after_check',
    message: 'The downstream system did not answer in time; whether it acted is unknown.',
    when: 'The target of a permitted action gave no answer within the time limit, or its outcome was lost.',
    remedy: 'Check the state downstream; retry only when the operation is idempotent.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
export type ErrorStatus = (typeof ERRORS)[ErrorCode]['status'];

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/** Where every plane serves this table as a page to read. */
export const ERRORS_PAGE_PATH = '/docs/errors';

/** A code's place on that page, relative to the plane that answered: right under whatever address it was reached. */
export const docsUrlOf = (code: ErrorCode): string => `${ERRORS_PAGE_PATH}#${code}`;

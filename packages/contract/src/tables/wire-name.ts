/** Name of the service on the wire: headers, settings, paths, secrets, the command. Defined only here. */
export const WIRE_NAME = 'svc';

/** The same name in environment settings: `SVC_...`. */
export const SETTINGS_PREFIX = 'SVC_' satisfies `${Uppercase<typeof WIRE_NAME>}_`;

/** Header names in lower case, as Node hands them over. Header names are not case-sensitive on the wire. */
export const HEADERS = {
  requestId: 'x-request-id',
  traceId: 'x-trace-id',
  traceParent: 'traceparent',
  idempotencyKey: 'idempotency-key',
  retryAfter: 'retry-after',
  /** Number of rows in a list. */
  totalCount: 'x-total-count',
  /** Both scope headers narrow inside the caller's organization; neither ever selects a tenant. */
  workspaceScope: `x-${WIRE_NAME}-workspace`,
  environmentScope: `x-${WIRE_NAME}-environment`,
  /** Sent by the control plane's own pages, with a token that proves knowledge of the session whose cookie they send (CSRF). */
  ownPage: `x-${WIRE_NAME}-page`,
  csrf: `x-${WIRE_NAME}-csrf`,
} as const;

/** Session cookie of a browser; over HTTPS with the `__Host-` prefix. */
export const SESSION_COOKIE = `${WIRE_NAME}-session`;

/** Cookie that remembers past sign-ins of a browser, so that guesses of others do not lock its user out. It grants no access. */
export const DEVICE_COOKIE = `${WIRE_NAME}-device`;

/** Headers on every webhook delivery. The signature is `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`. */
export const WEBHOOK_HEADERS = {
  signature: `${WIRE_NAME}-signature`,
  eventId: `${WIRE_NAME}-event-id`,
  eventType: `${WIRE_NAME}-event-type`,
  deliveryId: `${WIRE_NAME}-delivery-id`,
  deliveryAttempt: `${WIRE_NAME}-delivery-attempt`,
} as const;

/** Path at which the gateway publishes the platform's public key, its id and the audience of agents' assertions. */
export const PLATFORM_KEY_PATH = `/.well-known/${WIRE_NAME}-platform-key`;

/** `typ` of the signed assertion by which an agent authenticates. */
export const ASSERTION_TYPE = `${WIRE_NAME}-assertion+jws`;

/** `$id` of the JSON Schema of a policy version, the same wherever it is served. */
export const POLICY_SCHEMA_ID = `urn:${WIRE_NAME}:policy-version`;

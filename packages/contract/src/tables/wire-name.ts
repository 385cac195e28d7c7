/** The service's own name wherever it shows on the wire: headers, settings, paths, secrets, the command. Only this line says it. */
export const WIRE_NAME = 'svc';

/** The same name as environment settings spell it: `SVC_...`. */
export const SETTINGS_PREFIX = 'SVC_' satisfies `${Uppercase<typeof WIRE_NAME>}_`;

/** Header names in lower case, as Node hands them over. Header names are not case-sensitive on the wire. */
export const HEADERS = {
  requestId: 'x-request-id',
  traceId: 'x-trace-id',
  traceParent: 'traceparent',
  idempotencyKey: 'idempotency-key',
  retryAfter: 'retry-after',
  /** How many there are of what is listed. */
  totalCount: 'x-total-count',
  /** Both scope headers narrow inside the caller's organization; neither ever selects a tenant. */
  workspaceScope: `x-${WIRE_NAME}-workspace`,
  environmentScope: `x-${WIRE_NAME}-environment`,
  /** By which the control plane's own pages say that they are such, and prove that they know the session whose cookie they send. */
  ownPage: `x-${WIRE_NAME}-page`,
  csrf: `x-${WIRE_NAME}-csrf`,
} as const;

/** The cookie of a session in a browser; over https with the prefix that keeps it to its host. */
export const SESSION_COOKIE = `${WIRE_NAME}-session`;

/** What a browser keeps of who has signed in with it, so that strangers' guesses do not lock them out. It opens nothing. */
export const DEVICE_COOKIE = `${WIRE_NAME}-device`;

/** Headers on every webhook delivery. The signature is `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`. */
export const WEBHOOK_HEADERS = {
  signature: `${WIRE_NAME}-signature`,
  eventId: `${WIRE_NAME}-event-id`,
  eventType: `${WIRE_NAME}-event-type`,
  deliveryId: `${WIRE_NAME}-delivery-id`,
  deliveryAttempt: `${WIRE_NAME}-delivery-attempt`,
} as const;

/** Where the gateway publishes the platform's public key, its id and the audience that agents sign for. */
export const PLATFORM_KEY_PATH = `/.well-known/${WIRE_NAME}-platform-key`;

/** `typ` of the signed assertion by which an agent proves who it is. */
export const ASSERTION_TYPE = `${WIRE_NAME}-assertion+jws`;

/** `$id` of the JSON Schema of a policy version, the same wherever it is served. */
export const POLICY_SCHEMA_ID = `urn:${WIRE_NAME}:policy-version`;

import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import { toWire, type WireError } from '../answers/error-to-wire.ts';
import { formatErrorText } from '../answers/format-error-text.ts';
import { send } from '../answers/reply.ts';
import { JSON_TYPE } from './json.ts';
import type { Wire } from './wire.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** OAuth error codes of RFC 6749: section 5.2, and section 4.1.2.1 for errors of the server. */
const OAUTH_ERRORS: Readonly<Partial<Record<ErrorCode, string>>> = {
  UNAUTHENTICATED: 'invalid_client',
  AGENT_AUTHENTICATION_FAILED: 'invalid_client',
  TIMESTAMP_OUT_OF_WINDOW: 'invalid_client',
  NONCE_REPLAYED: 'invalid_client',
  IDENTITY_GENERATION_STALE: 'invalid_client',
  AGENT_IDENTITY_REVOKED: 'invalid_client',
  AGENT_NOT_OPERATIONAL: 'invalid_client',
  AGENT_ISOLATED: 'invalid_client',
  A2A_CONNECTION_BLOCKED: 'unauthorized_client',
  PASSPORT_INVALID: 'unauthorized_client',
  PERMISSION_DENIED: 'unauthorized_client',
  RATE_LIMITED: 'temporarily_unavailable',
  INTERNAL_ERROR: 'server_error',
};

/** Returns the OAuth error code; a handler can set it in the detail `oauth_error`. */
const getOAuthError = ({ code, details }: WireError['body']['error'], status: number): string => {
  if (typeof details?.oauth_error === 'string') return details.oauth_error;
  return OAUTH_ERRORS[code] ?? (status >= 500 ? 'temporarily_unavailable' : 'invalid_request');
};

/** Errors of an authenticated caller, sent with their details. Other errors of a token endpoint have status 400 (RFC 6749, section 5.2). */
const CALLER_ERRORS: ReadonlySet<ErrorCode> = new Set(['PERMISSION_DENIED', 'TENANT_MISMATCH', 'NETWORK_RESTRICTED', 'MFA_REQUIRED']);

/** Replaces characters that RFC 6749 forbids in a description: all but printable ASCII, quotation marks and backslashes. */
const sanitizeDescription = (text: string): string => text.replaceAll(/["\\]/g, "'").replaceAll(/[^ -~]/g, '?');

/** Decodes a form; each parameter occurs once (RFC 6749, section 3.2), and one without a value is ignored. */
const decodeForm = (text: string): { readonly body: Readonly<Record<string, string>> } | Refusal => {
  const members = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (members.has(name)) return buildRefusal('INVALID_REQUEST', 'A form parameter is given more than once.');
    members.set(name, value);
  }
  // Object.fromEntries defines own members, so none of them becomes the prototype.
  return { body: Object.fromEntries([...members].filter(([, value]) => value !== '')) };
};

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string' },
    error_description: { type: 'string' },
    error_uri: { type: 'string', format: 'uri-reference' },
    request_id: { type: 'string' },
    details: { type: 'object', description: 'Set if a permission is missing.' },
  },
};

/** Wire of an OAuth token endpoint: a form, a JSON response, and errors in the format of RFC 6749. */
export const form: Wire = {
  reads: [FORM_TYPE],
  decode: decodeForm,
  answer: (reply, status, result) => send(reply.header('pragma', 'no-cache'), status, result),
  refuse: (reply, refused) => {
    const { status, retryAfterSeconds, body } = toWire(refused, reply.request.id);
    const { code, docs_url, request_id, details } = body.error;
    const isCallerError = CALLER_ERRORS.has(code);
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    const description = sanitizeDescription(`${code}: ${formatErrorText(body.error)}`);
    const oauthError = { error: getOAuthError(body.error, status), error_description: description, error_uri: docs_url, request_id };
    const keepsStatus = isCallerError || status === 401 || status === 429 || status >= 500;
    return send(reply, keepsStatus ? status : 400, isCallerError && details !== undefined ? { ...oauthError, details } : oauthError);
  },
  told: () => ({ body: FORM_TYPE, answer: JSON_TYPE, error: JSON_TYPE, errorSchema: ERROR_SCHEMA }),
};

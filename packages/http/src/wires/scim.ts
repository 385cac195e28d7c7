import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import { toWire } from '../answers/error-to-wire.ts';
import { formatErrorText } from '../answers/format-error-text.ts';
import { serializeJson } from '../answers/written.ts';
import { JSON_TYPE } from './json.ts';
import type { Wire } from './wire.ts';

const SCIM_TYPE = 'application/scim+json';
const ERROR_ID = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** Error types of RFC 7644, table 9, by code if one fits. */
const TYPES: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_REQUEST: 'invalidSyntax',
  VALIDATION_FAILED: 'invalidValue',
  ALREADY_EXISTS: 'uniqueness',
};

const ERROR_SCHEMA = {
  type: 'object',
  required: ['schemas', 'status'],
  properties: {
    schemas: { type: 'array', items: { type: 'string', const: ERROR_ID } },
    status: { type: 'string', description: 'The HTTP status.' },
    scimType: { type: 'string' },
    detail: { type: 'string' },
  },
};

const CREATED = 201;

/** Returns the address of a resource, which is also the Location header of its creation (RFC 7644, section 3.3). */
const getLocation = (result: unknown): string | undefined => {
  const { location } = (result as { readonly meta?: { readonly location?: unknown } } | null)?.meta ?? {};
  return typeof location === 'string' ? location : undefined;
};

/** SCIM wire: its media type, and errors in the format of RFC 7644, section 3.12. */
export const scim: Wire = {
  reads: [SCIM_TYPE, JSON_TYPE],
  answer: (reply, status, result) => {
    const location = status === CREATED ? getLocation(result) : undefined;
    if (location !== undefined) reply.header('location', location);
    return reply.code(status).header('content-type', `${SCIM_TYPE}; charset=utf-8`).send(serializeJson(result));
  },
  refuse: (reply, refused) => {
    const { status, retryAfterSeconds, body } = toWire(refused, reply.request.id);
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    // If the codes of the service are too coarse, the handler names the error type of RFC 7644.
    const { scim_type: own } = (refused.details ?? {}) as { readonly scim_type?: string };
    const scimType = own ?? TYPES[body.error.code];
    const told = {
      schemas: [ERROR_ID],
      status: String(status),
      ...(scimType === undefined ? {} : { scimType }),
      detail: formatErrorText(body.error),
    };
    return reply.code(status).header('content-type', `${SCIM_TYPE}; charset=utf-8`).send(JSON.stringify(told));
  },
  told: () => ({ body: SCIM_TYPE, answer: SCIM_TYPE, error: SCIM_TYPE, errorSchema: ERROR_SCHEMA }),
};

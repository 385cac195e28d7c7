import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import { toWire } from '../answers/error-to-wire.ts';
import { send } from '../answers/reply.ts';
import { JSON_TYPE } from './json.ts';
import type { Wire } from './wire.ts';

type Message = { readonly jsonrpc?: unknown; readonly id?: unknown; readonly method?: unknown };

const ACCEPTED = 202;

const asMessage = (body: unknown): Message => (typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {});
const isMessage = ({ jsonrpc, method }: Message): boolean => jsonrpc === '2.0' && typeof method === 'string';

/** Returns the id of a message; null if it is unknown. */
const getId = ({ id }: Message): string | number | null => (typeof id === 'string' || typeof id === 'number' ? id : null);

const UNREAD = -32_700;
const NO_REQUEST = -32_600;
const SERVER_ERROR = -32_000;
const CODES: Readonly<Partial<Record<ErrorCode, number>>> = { VALIDATION_FAILED: -32_602, INTERNAL_ERROR: -32_603 };

/** Returns the JSON-RPC error code. Batches are not supported, as in the Model Context Protocol since 2025-06-18. */
const getCode = ({ refused }: Refusal, body: unknown): number => {
  if (refused === 'INVALID_REQUEST' && body === undefined) return UNREAD;
  if ((refused === 'INVALID_REQUEST' || refused === 'VALIDATION_FAILED') && !isMessage(asMessage(body))) return NO_REQUEST;
  return CODES[refused] ?? SERVER_ERROR;
};

const ERROR_SCHEMA = {
  type: 'object',
  required: ['jsonrpc', 'id', 'error'],
  properties: {
    jsonrpc: { type: 'string', const: '2.0' },
    id: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    error: {
      type: 'object',
      required: ['code', 'message', 'data'],
      properties: {
        code: { type: 'integer' },
        message: { type: 'string' },
        data: { type: 'object', description: 'The error in the format of all other endpoints.' },
      },
    },
  },
};

/** JSON-RPC 2.0, one message per request: without an id it is a notification, which gets 202 without a body. */
export const rpc: Wire = {
  reads: [JSON_TYPE],
  answer: (reply, status, result) => {
    const message = asMessage(reply.request.body);
    if (!('id' in message)) return reply.code(ACCEPTED).send();
    return send(reply, status, { jsonrpc: '2.0', id: getId(message), result });
  },
  refuse: (reply, refused) => {
    const { body } = reply.request;
    const { status, retryAfterSeconds, body: told } = toWire(refused, reply.request.id);
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    const { message, ...data } = told.error;
    return send(reply, status, { jsonrpc: '2.0', id: getId(asMessage(body)), error: { code: getCode(refused, body), message, data } });
  },
  told: () => ({ body: JSON_TYPE, answer: JSON_TYPE, error: JSON_TYPE, errorSchema: ERROR_SCHEMA }),
};

import type { AccessDecision } from '@svc/contract/actions/access.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import type { FastifyReply } from 'fastify';
import { toWire } from '../answers/error-to-wire.ts';
import { send } from '../answers/reply.ts';
import { json } from './json.ts';
import type { Wire } from './wire.ts';

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const SERVER_FAULT = 500;
const REASON_CHARS_MAX = 500;

/** Text as a header value: printable ASCII, everything else percent-encoded. */
const headerText = (text: string): string =>
  text
    .slice(0, REASON_CHARS_MAX)
    .toWellFormed()
    .replace(/[^ -$&-~]/gu, encodeURIComponent);

type Facts = { readonly code: string; readonly reason: string; readonly action: unknown };

const addHeaders = (reply: FastifyReply, { code, reason, action }: Facts): void => {
  reply.header(`x-${WIRE_NAME}-code`, code).header(`x-${WIRE_NAME}-reason`, headerText(reason));
  if (typeof action === 'string') reply.header(`x-${WIRE_NAME}-action-id`, action);
};

/** Proxies that state the request in headers know three answers: 2xx, 401 and 403. */
const readStatus = ({ request }: FastifyReply, status: number): number =>
  request.routeOptions.url?.endsWith('*') || status === UNAUTHORIZED || status >= SERVER_FAULT ? status : FORBIDDEN;

/** Answers of external authorization: the status decides, headers and the body explain. */
export const extAuthz: Wire = {
  ...json,
  takesAnyQuery: true,
  answer: (reply, status, result) => {
    const { context } = result as AccessDecision;
    addHeaders(reply, { code: 'ALLOWED', reason: String(context?.reason ?? ''), action: context?.action_id });
    if (typeof context?.agent_id === 'string') reply.header(`x-${WIRE_NAME}-agent-id`, context.agent_id);
    return send(reply, status, result);
  },
  refuse: (reply, refused: Refusal) => {
    reply.request.refusedWith = refused.refused;
    const { status, retryAfterSeconds, body } = toWire(refused, reply.request.id);
    const { code, message, details } = body.error;
    const decision = details?.decision as { readonly action_id?: unknown } | undefined;
    addHeaders(reply, { code, reason: message, action: decision?.action_id });
    if (status === UNAUTHORIZED) reply.header('www-authenticate', 'Bearer');
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    return send(reply, readStatus(reply, status), body);
  },
};

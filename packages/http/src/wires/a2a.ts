import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { toWire } from '../answers/error-to-wire.ts';
import { send } from '../answers/reply.ts';
import { newChallenge } from './challenge.ts';
import { JSON_TYPE } from './json.ts';
import { rpc } from './rpc.ts';
import { type MessageStream, newMessageStreams } from './stream/message-streams.ts';
import type { Wire } from './wire.ts';

type Members = Readonly<Record<string, unknown>>;

/** Result of a handler: one JSON-RPC message, or a stream that ends with one. */
export type A2aAnswer = { readonly message: Members } | MessageStream;

const UNAUTHORIZED = 401;
/** Outside the ranges that JSON-RPC and the protocol reserve: the service refused the request. */
const REFUSED = -31_000;
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';

const readId = (body: unknown): string | number | null => {
  const { id } = (typeof body === 'object' && body !== null ? body : {}) as { readonly id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

/** Agent2Agent over JSON-RPC. Errors of the service are JSON-RPC errors with details of the type ErrorInfo. */
export const newA2a = (): Wire => {
  const streams = newMessageStreams({ waitingMax: LIMITS.a2a.eventsWaitingMax, isLossy: false });
  const refuse: Wire['refuse'] = (reply, refused: Refusal) => {
    const { status, retryAfterSeconds, body } = toWire(refused, reply.request.id);
    reply.request.refusedWith = refused.refused;
    if (status === UNAUTHORIZED) reply.header('www-authenticate', newChallenge(reply));
    if (status === UNAUTHORIZED || refused.refused === 'INVALID_REQUEST' || refused.refused === 'VALIDATION_FAILED')
      return rpc.refuse(reply, refused);
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    const { code, message, details } = body.error;
    const info = { '@type': ERROR_INFO, reason: code, domain: 'svc', metadata: { request_id: reply.request.id } };
    const data = [info, ...(details === undefined ? [] : [details])];
    return send(reply, status, { jsonrpc: '2.0', id: readId(reply.request.body), error: { code: REFUSED, message, data } });
  };
  return {
    reads: [JSON_TYPE],
    answer: (reply, _status, result, still) => {
      const answer = result as A2aAnswer;
      if (!('last' in answer)) return send(reply, 200, answer.message);
      const begun = streams.answer(reply, answer, still);
      if (begun !== undefined) return begun;
      answer.cancel();
      return refuse(reply, buildRefusal('RATE_LIMITED', 'Too many streams are open. Close one, or try again later.'));
    },
    refuse,
    told: rpc.told,
    drain: streams.closeAll,
    close: streams.closeAll,
  };
};

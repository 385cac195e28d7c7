import { HEADERS } from '@svc/contract/tables/wire-name.ts';
import type { FastifyReply } from 'fastify';
import { send, sendJsonRefusal } from '../answers/reply.ts';
import { json } from './json.ts';
import type { Wire } from './wire.ts';

/** Caller's request ids that are returned: printable ASCII without spaces. Others are replaced by the id of the service. */
const REPEATABLE = /^[!-~]{1,128}$/;

/**
 * AuthZEN 1.0, section 10.1.3: the response has the X-Request-ID of the request. The id of the service is in the log and in the decision.
 */
const repeatRequestId = (reply: FastifyReply): FastifyReply => {
  const given = reply.request.headers[HEADERS.requestId];
  return typeof given === 'string' && REPEATABLE.test(given) ? reply.header(HEADERS.requestId, given) : reply;
};

/** JSON wire with the request id of the caller. */
export const authzen: Wire = {
  ...json,
  answer: (reply, status, result) => send(repeatRequestId(reply), status, result),
  refuse: (reply, refused) => sendJsonRefusal(repeatRequestId(reply), refused),
};

import { HEADERS } from '@svc/contract/tables/wire-name.ts';
import type { FastifyReply } from 'fastify';
import { toWire } from '../answers/error-to-wire.ts';
import { inOneText } from '../answers/in-one-text.ts';
import { send } from '../answers/reply.ts';
import { JSON_TYPE } from './json.ts';
import type { Wire } from './wire.ts';

const TEXT_TYPE = 'text/plain';
const UNAUTHORIZED = 401;

/** Request ids of callers that are repeated: printable ASCII without spaces. Others keep the id of the service. */
const REPEATABLE = /^[!-~]{1,128}$/;

/** AuthZEN 1.0, section 10.1.3: the answer has the X-Request-ID of the request. The id of the service is in the log and in the decision. */
const repeatRequestId = (reply: FastifyReply): FastifyReply => {
  const given = reply.request.headers[HEADERS.requestId];
  return typeof given === 'string' && REPEATABLE.test(given) ? reply.header(HEADERS.requestId, given) : reply;
};

/** JSON requests and answers of AuthZEN 1.0; an error is a text that starts with the error code. */
export const authzen: Wire = {
  reads: [JSON_TYPE],
  answer: (reply, status, result) => send(repeatRequestId(reply), status, result),
  refuse: (reply, refused) => {
    reply.request.refusedWith = refused.refused;
    const { status, retryAfterSeconds, body } = toWire(refused, reply.request.id);
    if (status === UNAUTHORIZED) reply.header('www-authenticate', 'Bearer');
    if (retryAfterSeconds !== undefined) reply.header(HEADERS.retryAfter, String(retryAfterSeconds));
    const { code, remedy } = body.error;
    return repeatRequestId(reply)
      .code(status)
      .header('content-type', `${TEXT_TYPE}; charset=utf-8`)
      .send(`${code}: ${inOneText(body.error)} ${remedy}`);
  },
  told: () => ({ body: JSON_TYPE, answer: JSON_TYPE, error: TEXT_TYPE, errorSchema: { type: 'string' } }),
};

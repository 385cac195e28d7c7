import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FastifyReply } from 'fastify';
import { chooseEncoding } from './choose-encoding.ts';
import { toWire } from './error-to-wire.ts';
import { findCompressed, getHeldResources, type HeldBytes, serializeJson } from './written.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of its refusal. */
    refusedWith: ErrorCode | null;
  }
}

const UNAUTHORIZED = 401;
const JSON_TYPE = 'application/json; charset=utf-8';

/** A caller that does not read its response holds the capacity for it only for a bounded time. */
const releaseWhenTaken = ({ raw }: FastifyReply, held: HeldBytes): void => {
  // If the caller disconnected during the work, no close event follows.
  if (raw.closed) {
    held.release();
    return;
  }
  const timer = setTimeout(() => raw.destroy(), LIMITS.egress.largeAnswerTakenWithinMs);
  raw.once('close', () => {
    clearTimeout(timer);
    held.release();
  });
};

export const send = (reply: FastifyReply, status: number, value: unknown): FastifyReply => {
  reply.code(status).header('content-type', JSON_TYPE);
  const held = getHeldResources(value);
  if (held !== undefined) releaseWhenTaken(reply, held);
  const compressed = findCompressed(value);
  if (compressed === undefined) return reply.send(serializeJson(value));
  reply.header('vary', 'accept-encoding');
  const encoding = chooseEncoding(reply.request.headers['accept-encoding'], compressed);
  return encoding === undefined ? reply.send(serializeJson(value)) : reply.header('content-encoding', encoding).send(compressed[encoding]);
};

export const sendJsonRefusal = (reply: FastifyReply, refused: Refusal): FastifyReply => {
  reply.request.refusedWith = refused.refused;
  const wire = toWire(refused, reply.request.id);
  if (wire.status === UNAUTHORIZED) reply.header('www-authenticate', 'Bearer');
  if (wire.retryAfterSeconds !== undefined) reply.header('retry-after', String(wire.retryAfterSeconds));
  return send(reply, wire.status, wire.body);
};

/** Formats a refusal for the wire of the request; as JSON without a route. */
export const sendRefusal = (reply: FastifyReply, refused: Refusal): FastifyReply =>
  (reply.request.routeOptions.config.wire?.refuse ?? sendJsonRefusal)(reply, refused);

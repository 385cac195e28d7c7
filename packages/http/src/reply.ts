import type { Refusal } from '@svc/contract/refusal.ts';
import type { FastifyReply } from 'fastify';
import { toWire } from './error-to-wire.ts';
import { jsonTextOf } from './written.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

export const send = (reply: FastifyReply, status: number, value: unknown): FastifyReply => {
  reply.code(status).header('content-type', JSON_TYPE);
  return reply.send(jsonTextOf(value));
};

export const sendRefusal = (reply: FastifyReply, refused: Refusal): FastifyReply => {
  const wire = toWire(refused, reply.request.id);
  if (wire.retryAfterSeconds !== undefined) reply.header('retry-after', String(wire.retryAfterSeconds));
  return send(reply, wire.status, wire.body);
};

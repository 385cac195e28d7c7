import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FastifyReply } from 'fastify';
import { sendRefusal } from '../answers/reply.ts';

const EXCESS: ReadonlySet<Refusal['refused']> = new Set(['RATE_LIMITED', 'DEPENDENCY_UNAVAILABLE']);

/**
 * Refuses a request before its body is read. If the reason is an exceeded limit, the response is delayed, and nothing more is read from
 * that connection meanwhile: a client that ignores Retry-After would otherwise cost processor time with refusals.
 */
export const refuseUnread = (reply: FastifyReply, refused: Refusal): void => {
  if (EXCESS.has(refused.refused)) setTimeout(() => sendRefusal(reply, refused), LIMITS.admission.excessPauseMs);
  else sendRefusal(reply, refused);
};

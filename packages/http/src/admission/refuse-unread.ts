import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FastifyReply } from 'fastify';
import { sendRefusal } from '../answers/reply.ts';

const EXCESS: ReadonlySet<Refusal['refused']> = new Set(['RATE_LIMITED', 'DEPENDENCY_UNAVAILABLE']);

/**
 * Answers what was refused before its body was read. Where the reason is that there is too much of it, the answer comes after a pause, during
 * which nothing more is read from that connection: a client that waits for no Retry-After would otherwise spend the processor on refusals.
 */
export const refuseUnread = (reply: FastifyReply, refused: Refusal): void => {
  if (EXCESS.has(refused.refused)) setTimeout(() => sendRefusal(reply, refused), LIMITS.admission.excessPauseMs);
  else sendRefusal(reply, refused);
};

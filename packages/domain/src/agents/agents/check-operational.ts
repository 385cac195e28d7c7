import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';

export type NotOperational = 'AGENT_IDENTITY_REVOKED' | 'AGENT_ISOLATED' | 'AGENT_NOT_OPERATIONAL';

/**
 * Returns why an agent in this status may not act; null if it may. Only ACTIVE passes, so that a status added later is refused by default.
 */
export const checkOperational = (status: AgentStatus): Refusal<NotOperational> | null => {
  if (status === 'ACTIVE') return null;
  if (status === 'REVOKED') return refusal('AGENT_IDENTITY_REVOKED');
  if (status === 'ISOLATED') return refusal('AGENT_ISOLATED');
  return refusal('AGENT_NOT_OPERATIONAL', undefined, { status });
};

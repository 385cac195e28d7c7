import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';

export type NotOperational = 'AGENT_IDENTITY_REVOKED' | 'AGENT_ISOLATED' | 'AGENT_NOT_OPERATIONAL';

/**
 * Returns why an agent in this status may not act; null if it may. Only ACTIVE passes, so that a status added later is refused by default.
 */
export const checkOperational = (status: AgentStatus): Refusal<NotOperational> | null => {
  if (status === 'ACTIVE') return null;
  if (status === 'REVOKED') return buildRefusal('AGENT_IDENTITY_REVOKED');
  if (status === 'ISOLATED') return buildRefusal('AGENT_ISOLATED');
  return buildRefusal('AGENT_NOT_OPERATIONAL', undefined, { status });
};

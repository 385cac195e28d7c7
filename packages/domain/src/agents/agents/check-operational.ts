import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';

export type NotOperational = 'AGENT_IDENTITY_REVOKED' | 'AGENT_ISOLATED' | 'AGENT_NOT_OPERATIONAL';

/** Whether an agent in this status may act at all; null when it may. Only ACTIVE passes, so that a status added later is refused until decided. */
export const checkOperational = (status: AgentStatus): Refusal<NotOperational> | null => {
  if (status === 'ACTIVE') return null;
  if (status === 'REVOKED') return refusal('AGENT_IDENTITY_REVOKED');
  if (status === 'ISOLATED') return refusal('AGENT_ISOLATED');
  return refusal('AGENT_NOT_OPERATIONAL', undefined, { status });
};

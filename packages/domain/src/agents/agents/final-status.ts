import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { AGENT_STATUSES, type AgentStatus } from '@svc/contract/tables/vocabulary.ts';

const FINAL: readonly AgentStatus[] = ['EXPIRED', 'DECOMMISSIONED', 'REVOKED'];
const CHANGEABLE = AGENT_STATUSES.filter((status) => !FINAL.includes(status));

/** Returns true if an identity ended: it never acts again, and receives no grants and no statements. */
export const isFinal = (status: AgentStatus): boolean => FINAL.includes(status);

/** Refuses a change of an agent's data or grants once its identity ended; null before. */
export const refuseFinalStatus = (operation: string, from: AgentStatus): Refusal<'INVALID_STATE_TRANSITION'> | null =>
  isFinal(from)
    ? buildRefusal('INVALID_STATE_TRANSITION', `The agent is ${from}, which is final.`, { operation, from, allowed_from: CHANGEABLE })
    : null;

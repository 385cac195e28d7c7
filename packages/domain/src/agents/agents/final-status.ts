import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { AGENT_STATUSES, type AgentStatus } from '@svc/contract/tables/vocabulary.ts';

const FINAL: readonly AgentStatus[] = ['EXPIRED', 'DECOMMISSIONED', 'REVOKED'];
const CHANGEABLE = AGENT_STATUSES.filter((status) => !FINAL.includes(status));

/** Whether an identity is over: it never acts again, and nothing is granted to it or stated of it any more. */
export const isFinal = (status: AgentStatus): boolean => FINAL.includes(status);

/** Refuses a change of what an agent is or holds once its identity is over; null while it is not. */
export const finalStatusRefusal = (operation: string, from: AgentStatus): Refusal<'INVALID_STATE_TRANSITION'> | null =>
  isFinal(from)
    ? refusal('INVALID_STATE_TRANSITION', `The agent is ${from}, which is final.`, { operation, from, allowed_from: CHANGEABLE })
    : null;

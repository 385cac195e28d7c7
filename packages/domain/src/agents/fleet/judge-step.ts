import type { BulkOperation, BulkOutcome } from '@svc/contract/agents/fleet/bulk.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { agentTransition, type Restriction } from '../agents/lifecycle.ts';

/** What an operation leaves an agent in. */
export const BECOMES = { pause: 'PAUSED', resume: 'ACTIVE', suspend: 'SUSPENDED', revoke: 'REVOKED' } as const satisfies Record<
  BulkOperation,
  AgentStatus
>;

export type JudgedStep = {
  readonly outcome: Exclude<BulkOutcome, 'NOT_DONE'>;
  readonly from: AgentStatus | null;
  readonly to: AgentStatus | null;
  readonly code: ErrorCode | null;
  readonly reason: string | null;
};

const refused = (from: AgentStatus | null, code: ErrorCode, reason: string | null = null): JudgedStep => ({
  outcome: 'REFUSED',
  from,
  to: null,
  code,
  reason,
});

/** The permission that lifting a restriction requires besides that of the operation. */
const LIFT_PERMISSIONS = { SUSPENSION: 'agent:suspend', ISOLATION: 'emergency:execute' } as const satisfies Record<Restriction, string>;

/** Which restrictions the caller may lift. */
export type MayLift = Readonly<Record<Restriction, boolean>>;

/**
 * What one operation of many does to an agent in a given status; null is one that is not there for the caller. Told to become what it is
 * already, it stays that without an error, so that a call that broke off is repeated as it was.
 */
export const judgeStep = (operation: BulkOperation, from: AgentStatus | null, mayLift: MayLift): JudgedStep => {
  if (from === null) return refused(null, 'NOT_FOUND', 'There is no such agent.');
  if (from === BECOMES[operation]) return { outcome: 'UNCHANGED', from, to: null, code: null, reason: `The agent is already ${from}.` };
  const transition = agentTransition(operation, from);
  if (isRefusal(transition)) return refused(from, 'INVALID_STATE_TRANSITION', transition.message);
  const { lifts } = transition;
  if (lifts && !mayLift[lifts])
    return refused(from, 'PERMISSION_DENIED', `This lifts a restriction, which requires ${LIFT_PERMISSIONS[lifts]}.`);
  return { outcome: 'CHANGED', from, to: transition.to, code: null, reason: null };
};

import type { BulkOperation, BulkOutcome } from '@svc/contract/agents/fleet/bulk.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { getAgentTransition, type Restriction } from '../agents/lifecycle.ts';

/** The status of an agent after an operation. */
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

/** The additional permission for lifting a restriction. */
const LIFT_PERMISSIONS = { SUSPENSION: 'agent:suspend', ISOLATION: 'emergency:execute' } as const satisfies Record<Restriction, string>;

/** Which restrictions the caller may lift. */
export type MayLift = Readonly<Record<Restriction, boolean>>;

/**
 * Returns the effect of one operation of a bulk request on an agent in a given status; null is an agent that the caller cannot see. A
 * change to
 * the current status succeeds without an effect, so that an interrupted call can be repeated.
 */
export const judgeStep = (operation: BulkOperation, from: AgentStatus | null, mayLift: MayLift): JudgedStep => {
  if (from === null) return refused(null, 'NOT_FOUND', 'The agent does not exist.');
  if (from === BECOMES[operation]) return { outcome: 'UNCHANGED', from, to: null, code: null, reason: `The agent is already ${from}.` };
  const transition = getAgentTransition(operation, from);
  if (isRefusal(transition)) return refused(from, 'INVALID_STATE_TRANSITION', transition.message);
  const { lifts } = transition;
  if (lifts && !mayLift[lifts])
    return refused(from, 'PERMISSION_DENIED', `This lifts a restriction, which requires ${LIFT_PERMISSIONS[lifts]}.`);
  return { outcome: 'CHANGED', from, to: transition.to, code: null, reason: null };
};

import type { Action } from '@svc/contract/actions/actions.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Stop } from '@svc/enforcement/govern/stop-now.ts';
import type { Call, HandlerResult } from '@svc/http/calls/call.ts';
import { formatReplayedAction } from '@svc/operations/actions/actions/replayed-decision.ts';
import { findAction } from '@svc/postgres/actions/actions/actions.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findApproval } from '@svc/postgres/governance/open-governance.ts';

const LOOK_EVERY_MS = 50;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Members of a call that sending an earlier response needs. */
export type ReplayCall = Pick<Call<Endpoints['act']>, 'database' | 'agent' | 'refuse'>;

const read = (call: ReplayCall, actionId: string): Promise<Action | undefined> =>
  readInTenant(call.database, { organization_id: call.agent.organizationId }, (tx) => findAction(tx, call.agent.organizationId, actionId));

/** The first request may still be executing: wait for its outcome instead of returning a state that is not final. */
const readSettled = async (call: ReplayCall, actionId: string): Promise<Action | undefined> => {
  const until = performance.now() + LIMITS.idempotency.concurrentWaitMs;
  let action = await read(call, actionId);
  while (action?.status === 'EXECUTING' && performance.now() < until) {
    await pause(LOOK_EVERY_MS);
    action = await read(call, actionId);
  }
  return action;
};

/**
 * Repeats the first response to an idempotency key, but not to an agent that is stopped by now: that is refused like a new request, unless
 * the first response was a refusal.
 */
export const answerAgain = async (
  call: ReplayCall,
  actionId: string,
  stopNow: () => Promise<Stop | 'unknown' | undefined>,
): Promise<HandlerResult<Endpoints['act']>> => {
  const action = await readSettled(call, actionId);
  if (!action) return call.refuse('NOT_FOUND');
  if (action.status === 'EXECUTING')
    return call.refuse('CONFLICT', 'The first request with this key is still running.', { retry_after_seconds: 1 });
  const stop = action.status === 'BLOCKED' ? undefined : await stopNow();
  if (stop === 'unknown') return call.refuse('IDENTITY_SERVICE_UNAVAILABLE');
  if (stop !== undefined) return call.refuse(stop.code, stop.reason, stop.details);
  const approval = action.approval_id === null ? null : await findApproval(call.database, call.agent.organizationId, action.approval_id);
  return formatReplayedAction(action, approval);
};

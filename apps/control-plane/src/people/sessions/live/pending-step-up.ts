import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call } from '@svc/http/calls/call.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findStepUpRequest, type StepUpRequestRow } from '@svc/postgres/people/sessions/step-up-requests.ts';

const { lifetimeSeconds } = LIMITS.stepUpRequests;

type StepUpCall = Pick<Call<never>, 'caller' | 'now'> & { readonly params: { readonly sessionId: string } };

/** Returns the query for the pending step-up requests of a session: the session, its user, and the earliest request time. */
export const buildStepUpQuery = ({ caller, now, params }: StepUpCall) => ({
  session: { organization_id: caller.organizationId, id: params.sessionId },
  userId: caller.actor.id,
  since: new Date(now.getTime() - lifetimeSeconds * 1000),
});

/** Returns the pending step-up request of a session; NOT_FOUND for a session of another user or organization. */
export const findPendingStepUp = async (tx: TenantTransaction, call: StepUpCall): Promise<StepUpRequestRow | Refusal<'NOT_FOUND'>> => {
  const { session, userId, since } = buildStepUpQuery(call);
  const found = await findStepUpRequest(tx, { ...session, userId, since });
  return found ?? buildRefusal('NOT_FOUND', 'This session has no pending step-up request. Start again in the terminal.');
};

/** Returns the time at which a step-up request expires. */
export const getStepUpExpiry = ({ requested_at }: StepUpRequestRow): string =>
  new Date(Date.parse(requested_at) + lifetimeSeconds * 1000).toISOString();

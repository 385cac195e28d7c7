import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call } from '@svc/http/calls/call.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findStepUpRequest, type StepUpRequestRow } from '@svc/postgres/people/sessions/step-up-requests.ts';

const { lifetimeSeconds } = LIMITS.stepUpRequests;

type Asked = Pick<Call<never>, 'caller' | 'now'> & { readonly params: { readonly sessionId: string } };

/** The session of a step-up request, for its person in its organization, and the time from which requests are pending. */
export const listedStepUp = ({ caller, now, params }: Asked) => ({
  session: { organization_id: caller.organizationId, id: params.sessionId },
  userId: caller.actor.id,
  since: new Date(now.getTime() - lifetimeSeconds * 1000),
});

/** The pending step-up request of a session; sessions of other people and of other organizations have none. */
export const findPendingStepUp = async (tx: TenantTransaction, call: Asked): Promise<StepUpRequestRow | Refusal<'NOT_FOUND'>> => {
  const { session, userId, since } = listedStepUp(call);
  const found = await findStepUpRequest(tx, { ...session, userId, since });
  return found ?? buildRefusal('NOT_FOUND', 'No step-up of this session is requested. Start again in the terminal.');
};

/** The time at which a request expires. */
export const stepUpExpiry = ({ requested_at }: StepUpRequestRow): string =>
  new Date(Date.parse(requested_at) + lifetimeSeconds * 1000).toISOString();

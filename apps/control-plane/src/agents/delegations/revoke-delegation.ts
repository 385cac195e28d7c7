import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { tellOfRevoked } from '@svc/operations/agents/delegations/tell-of-ended.ts';
import { takeDelegation } from '@svc/postgres/agents/delegations/change-delegations.ts';
import { endBelow, endDelegation } from '@svc/postgres/agents/delegations/end-delegations.ts';
import { inWholeOrganization } from '@svc/postgres/agents/delegations/in-whole-organization.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { ControlDeps } from '../../deps.ts';

type Revoke = Endpoints['revokeDelegation'];
type Writing = Change<Revoke['emits'][number]>;

const BATCH_MAX = 1_000;

/** Answers whether there may be more. */
const revokeBelow = async ({ scope, now }: Call<Revoke>, { tx, emit }: Writing): Promise<boolean> => {
  const ended = await inWholeOrganization(tx, scope, () => endBelow(tx, scope.organization_id, now, BATCH_MAX, 'REVOKED'));
  tellOfRevoked(emit, ended ?? []);
  return ended !== undefined;
};

const revokeOne = async (call: Call<Revoke>, { tx, emit }: Writing) => {
  const { scope, now, body } = call;
  const { organization_id } = scope;
  const { delegationId } = call.params;
  const taken = await takeDelegation(tx, organization_id, delegationId, now, true);
  if (!taken) return call.refuse('NOT_FOUND');
  const from = taken.delegation.status;
  const end = { status: 'REVOKED', reason: body.reason, now } as const;
  const ended = await inWholeOrganization(tx, scope, () => endDelegation(tx, organization_id, delegationId, BATCH_MAX, end));
  if (ended.length === 0) {
    const details = { operation: 'revoke', from, allowed_from: ['ACTIVE'] };
    return call.refuse('INVALID_STATE_TRANSITION', `The delegation is ${from}, which is final.`, details);
  }
  tellOfRevoked(emit, ended, { reason: body.reason });
  return (await takeDelegation(tx, organization_id, delegationId, now, false))?.delegation ?? call.refuse('NOT_FOUND');
};

/** Ends a delegation and all that hangs below it: no decision that starts after the answer rests on any of it. */
export const revokeDelegation: Handler<Revoke, ControlDeps> = async (call) => {
  const revoked = await call.change((change) => revokeOne(call, change));
  if (isRefusal(revoked)) return revoked;
  // Nothing below holds any more. What is left is to write that down where there is very much of it.
  while (await call.change((change) => revokeBelow(call, change)));
  return revoked;
};

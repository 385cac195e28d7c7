import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { askOf } from '@svc/operations/agents/delegations/ask-of.ts';
import { makeDelegation } from '@svc/operations/agents/delegations/make-delegation.ts';
import { standingOf } from '@svc/operations/people/members/take-standing.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { holdStaff } from '@svc/postgres/people/members/staff.ts';
import type { AgentsDeps } from '../deps.ts';

type Create = Endpoints['createDelegation'];

/**
 * What somebody delegates holds while they may delegate. They were let in before, and whoever changes what they may do finds this delegation, or is
 * found by it.
 */
const mayStill = async (tx: TenantTransaction, { scope, caller, now }: Call<Create>): Promise<boolean> => {
  await holdStaff(tx, scope.organization_id);
  const standing = await inWholeOrganization(tx, scope, () => standingOf(tx, scope.organization_id, caller.actor, now));
  return standing?.permissions.includes('delegation:create') ?? false;
};

export const createDelegation: Handler<Create, AgentsDeps> = (call) =>
  call.change(async (change) => {
    if (!(await mayStill(change.tx, call))) return call.refuse('PERMISSION_DENIED');
    const ask = await askOf(change.tx, call);
    if (isRefusal(ask)) return ask;
    const { scope, now, caller } = call;
    return await makeDelegation(change, { scope, ask, actor: caller.actor, now });
  });

import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { reduceDelegation as reduce } from '@svc/operations/agents/delegations/reduce-delegation.ts';
import { takeDelegation } from '@svc/postgres/agents/delegations/change-delegations.ts';
import { inTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

/** Narrows a delegation. The row is read before the change, outside the transaction, to distinguish a concurrent change from a widening. */
export const reduceDelegation: Handler<Endpoints['reduceDelegation'], AgentsDeps> = async (call) => {
  const { scope, now } = call;
  const { delegationId } = call.params;
  const { version, ...asked } = call.body;
  const found = await inTenant(call.database, scope, (tx) => takeDelegation(tx, scope.organization_id, delegationId, now, false));
  const seen = found?.delegation.version;
  return await call.change((change) => reduce(change, { scope, delegationId, asked, version, seen, now }));
};

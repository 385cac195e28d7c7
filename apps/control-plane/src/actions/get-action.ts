import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { findAction } from '@svc/postgres/find-action.ts';
import { readInTenant } from '@svc/postgres/in-tenant.ts';
import { listGivers } from '@svc/postgres/used-approval.ts';
import type { ControlDeps } from '../deps.ts';

export const getAction: Handler<Endpoints['getAction'], ControlDeps> = (call) => {
  const { organization_id } = call.scope;
  return readInTenant(call.database, call.scope, async (tx) => {
    const action = await findAction(tx, organization_id, call.params.actionId);
    if (!action) return call.refuse('NOT_FOUND');
    const { approval } = action;
    return approval === null
      ? action
      : { ...action, approval: { ...approval, given_by: await listGivers(tx, organization_id, approval.id) } };
  });
};

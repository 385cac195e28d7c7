import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findAction } from '@svc/postgres/actions/actions/actions.ts';
import { listGivers } from '@svc/postgres/actions/actions/used-approval.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ActionsDeps } from '../deps.ts';

export const getAction: Handler<Endpoints['getAction'], ActionsDeps> = (call) => {
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

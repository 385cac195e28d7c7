import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findAction } from '@svc/postgres/actions/actions/actions.ts';
import { readApprovers } from '@svc/postgres/actions/actions/used-approval.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ActionsDeps } from '../deps.ts';

/** Handles GET /v1/actions/{actionId}: returns the action, and the approvers of the approval that it used. */
export const getAction: Handler<Endpoints['getAction'], ActionsDeps> = (call) => {
  const { organization_id } = call.scope;
  return readInTenant(call.database, call.scope, async (tx) => {
    const action = await findAction(tx, organization_id, call.params.actionId);
    if (!action) return call.refuse('NOT_FOUND');
    const { approval } = action;
    return approval === null
      ? action
      : { ...action, approval: { ...approval, given_by: await readApprovers(tx, organization_id, approval.id) } };
  });
};

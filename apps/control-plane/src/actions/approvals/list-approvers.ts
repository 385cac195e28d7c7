import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findApprovers } from '@svc/operations/actions/approvals/find-approvers.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ActionsDeps } from '../deps.ts';

export const listApprovers: Handler<Endpoints['listApprovers'], ActionsDeps> = async (call) => {
  const approvers = await readInTenant(call.database, call.scope, (tx) =>
    findApprovers(tx, call.scope.organization_id, call.params.approvalId),
  );
  return approvers ?? call.refuse('NOT_FOUND');
};

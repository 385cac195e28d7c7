import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findApprovalCard } from '@svc/postgres/actions/approvals/approvals.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ActionsDeps } from '../deps.ts';

export const getApproval: Handler<Endpoints['getApproval'], ActionsDeps> = async (call) => {
  const card = await readInTenant(call.database, call.scope, (tx) =>
    findApprovalCard(tx, call.scope.organization_id, call.params.approvalId),
  );
  return card ?? call.refuse('NOT_FOUND');
};

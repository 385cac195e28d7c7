import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findOwnApproval } from '@svc/postgres/actions/approvals/find-own-approval.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { GatewayDeps } from '../../deps.ts';

const POLL_AFTER_SECONDS = 2;

export const getOwnApproval: Handler<Endpoints['getOwnApproval'], GatewayDeps> = async (call) => {
  const { organizationId, agentId } = call.agent;
  const approval = await readInTenant(call.database, call.scope, (tx) =>
    findOwnApproval(tx, organizationId, agentId, call.params.approvalId, call.now),
  );
  return approval ? { ...approval, poll_after_seconds: POLL_AFTER_SECONDS } : call.refuse('NOT_FOUND');
};

import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { findApprovalCard } from '@svc/postgres/approvals.ts';
import { readInTenant } from '@svc/postgres/in-tenant.ts';
import type { ControlDeps } from '../deps.ts';

export const getApproval: Handler<Endpoints['getApproval'], ControlDeps> = async (call) =>
  (await readInTenant(call.database, call.scope, (tx) => findApprovalCard(tx, call.scope.organization_id, call.params.approvalId))) ??
  call.refuse('NOT_FOUND');

import type { Endpoints } from '@svc/contract/endpoints.ts';
import { countApprovers, withoutRequesters } from '@svc/domain/actions/approvals/quorum.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readRequesters } from '@svc/operations/actions/approvals/take-vote.ts';
import { findApprovalCard } from '@svc/postgres/actions/approvals/approvals.ts';
import { listCouldApprove } from '@svc/postgres/actions/approvals/handovers.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ControlDeps } from '../../deps.ts';

export const getApproval: Handler<Endpoints['getApproval'], ControlDeps> = async (call) => {
  const { organization_id } = call.scope;
  const { approvalId } = call.params;
  const found = await readInTenant(call.database, call.scope, async (tx) => {
    const card = await findApprovalCard(tx, organization_id, approvalId);
    return card && { card, could: await listCouldApprove(tx, organization_id, approvalId) };
  });
  if (!found) return call.refuse('NOT_FOUND');
  const { card, could } = found;
  const asked = await readRequesters(call.database, call.scope, approvalId);
  const approvable = card.status === 'PENDING' && countApprovers(card, withoutRequesters(could, asked)).granted;
  return { ...card, approvable };
};

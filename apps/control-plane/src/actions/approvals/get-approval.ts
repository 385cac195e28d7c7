import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { judgeDecidable } from '@svc/operations/actions/approvals/judge-decidable.ts';
import { findApprovalCard } from '@svc/postgres/actions/approvals/approvals.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ActionsDeps } from '../deps.ts';
import { toPossibleVoter } from './votes/possible-voter.ts';

export const getApproval: Handler<Endpoints['getApproval'], ActionsDeps> = async (call) => {
  const person = await toPossibleVoter(call);
  const card = await readInTenant(call.database, call.scope, async (tx) => {
    const found = await findApprovalCard(tx, call.scope.organization_id, call.params.approvalId);
    const decidable = found && (await judgeDecidable(tx, found.id, person));
    return found && { ...found, ...(decidable ? { decidable } : {}) };
  });
  return card ?? call.refuse('NOT_FOUND');
};

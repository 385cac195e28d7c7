import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { refuseStaleVote } from '@svc/domain/actions/approvals/vote-refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { editApproval as edit } from '@svc/operations/actions/approvals/editing/edit-approval.ts';
import { judgeEdit } from '@svc/operations/actions/approvals/editing/judge-edit.ts';
import { mayVote } from '@svc/operations/actions/approvals/may-vote.ts';
import { findHeldRequest } from '@svc/postgres/actions/approvals/wordings.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ActionsDeps } from '../deps.ts';
import { readVote } from './votes/build-ballot.ts';

/** Edits a request and approves the edited version. */
export const editApproval: Handler<Endpoints['editApproval'], ActionsDeps> = async (call, deps) => {
  const { parameters, amount, comment, wording: seen = 1 } = call.body;
  const { organization_id } = call.scope;
  const ballot = await readVote(call, comment);
  // A caller who may not vote must not learn what the rules or the tool say about the edit.
  const refused = await readInTenant(call.database, call.scope, (tx) => mayVote(tx, ballot));
  if (refused) return refused;
  const held = await readInTenant(call.database, call.scope, (tx) => findHeldRequest(tx, organization_id, call.params.approvalId));
  if (held === undefined) return call.refuse('NOT_FOUND');
  const stale = refuseStaleVote(held, seen);
  if (stale) return stale;
  const judging = { organizationId: organization_id, requestId: call.requestId, traceId: call.traceId };
  const judged = await judgeEdit(deps.pipeline, judging, held, { parameters, amount });
  if (isRefusal(judged)) return judged;
  const before = { parameters: held.parameters, amount: held.amount };
  return call.change((change) => edit(change, ballot, { ...judged, seen, before }));
};

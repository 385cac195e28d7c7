import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { buildDecisionResponse } from '@svc/enforcement/govern/answer.ts';
import { govern } from '@svc/enforcement/govern/govern.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatReplayedDecision } from '@svc/operations/actions/actions/replayed-decision.ts';
import { findAction } from '@svc/postgres/actions/actions/actions.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findApproval } from '@svc/postgres/governance/open-governance.ts';
import type { ActionsDeps } from '../deps.ts';
import { buildEvaluationCommand } from '../pipeline/evaluation-command.ts';
import { isInScope } from '../pipeline/is-in-scope.ts';

/** Decides and records for an agent on behalf of the caller. The response is the decision, also if it is a refusal. */
export const evaluateAction: Handler<Endpoints['evaluateAction'], ActionsDeps> = async (call, deps) => {
  const { agent_id, ...request } = call.body;
  const inScope = await isInScope(deps.pipeline, call, call.scope, agent_id);
  if (isRefusal(inScope)) return inScope;
  if (!inScope) return call.refuse('NOT_FOUND', 'The agent does not exist.');
  const key = request.dry_run ? undefined : call.idempotencyKey;
  const idempotency = key === undefined ? null : { key, hash: deps.requestHashes(JSON.stringify(call.body)) };
  const command = buildEvaluationCommand(call, agent_id, request, idempotency);
  const governed = await call.inTurn(() => govern(deps.pipeline, command));
  if (isRefusal(governed)) return governed;
  if (!('replayed' in governed)) return buildDecisionResponse(governed);
  const action = await readInTenant(call.database, call.scope, (tx) => findAction(tx, call.caller.organizationId, governed.replayed));
  if (!action) return call.refuse('NOT_FOUND');
  const approval = action.approval_id && (await findApproval(call.database, call.caller.organizationId, action.approval_id));
  return formatReplayedDecision(action, approval || null);
};

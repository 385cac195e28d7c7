import type { Endpoints } from '@svc/contract/endpoints.ts';
import { stopNow } from '@svc/enforcement/govern/stop-now.ts';
import { withholdResult } from '@svc/enforcement/govern/withhold.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findAction } from '@svc/postgres/actions/actions/actions.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { GatewayDeps } from '../../deps.ts';

/** Returns an own action. A stopped agent does not see the response of its call; it does once it may act again. */
export const getOwnAction: Handler<Endpoints['getOwnAction'], GatewayDeps> = async (call, deps) => {
  const { organizationId, agentId, sessionId, generation, sessionSeries, context } = call.agent;
  const action = await readInTenant(call.database, call.scope, (tx) => findAction(tx, organizationId, call.params.actionId, agentId));
  if (!action) return call.refuse('NOT_FOUND');
  if (action.execution?.result === undefined) return action;
  const session = { id: sessionId, generation, series: sessionSeries, context };
  const stop = await stopNow(deps.pipeline, { organizationId, agentId, session, requestId: call.requestId, traceId: call.traceId });
  return stop === undefined ? action : { ...action, execution: withholdResult(action.execution) };
};

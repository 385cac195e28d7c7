import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { listAgents as list } from '@svc/postgres/agents/agents/agent-activity.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ControlDeps } from '../../deps.ts';
import { lately } from './views/lately.ts';

export const listAgents: Handler<Endpoints['listAgents'], ControlDeps> = (call) => {
  const { status, q, limit = LIMITS.pages.defaultCount, offset = 0 } = call.query;
  const filter = { status, q, limit, offset };
  return searchInTenant(call.database, call.scope, (tx) => list(tx, call.scope.organization_id, filter, lately(call.now)));
};

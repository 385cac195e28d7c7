import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { parseStrictTime } from '@svc/domain/agents/agents/strict-time.ts';
import { readLabelFilter } from '@svc/domain/agents/fleet/label-filter.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { listAgents as list } from '@svc/postgres/agents/agents/agent-activity.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';
import { getLookBackWindow } from './views/lately.ts';

export const listAgents: Handler<Endpoints['listAgents'], AgentsDeps> = (call) => {
  const { label, limit = LIMITS.pages.defaultCount, offset = 0, ...query } = call.query;
  const labels = label === undefined ? undefined : readLabelFilter(label);
  if (labels && 'fault' in labels) return call.fault('/label', labels.fault);
  if (query.expires_before !== undefined && parseStrictTime(query.expires_before) === null)
    return call.fault('/expires_before', 'Must be a UTC time such as 2026-01-31T09:30:00.000Z.');
  const filter = { ...query, labels, limit, offset };
  return searchInTenant(call.database, call.scope, (tx) => list(tx, call.scope.organization_id, filter, getLookBackWindow(call.now)));
};

import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildPage, readPage } from '@svc/http/lists/page.ts';
import { findChainNodes, pageOfDelegations } from '@svc/postgres/agents/delegations/delegations.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

/** A page of edges, and every node that one of them touches. */
export const getDelegationGraph: Handler<Endpoints['getDelegationGraph'], AgentsDeps> = async (call, deps) => {
  const { cursor: _, limit = LIMITS.delegations.graphEdgesDefaultCount, ...filter } = call.query;
  const page = readPage({ scope: call.scope, query: { ...call.query, limit } }, deps.cursorKey, 'delegation-graph');
  if (isRefusal(page)) return page;
  const { organization_id } = call.scope;
  return await searchInTenant(call.database, call.scope, async (tx) => {
    const rows = await pageOfDelegations(tx, organization_id, filter, page, call.now);
    const { data, page: next } = buildPage(rows, page, deps.cursorKey);
    const edges = data.map(({ id, delegator, delegate_agent_id, parent_id, status, scope, ceiling, expires_at }) => ({
      id,
      from: delegator.id,
      to: delegate_agent_id,
      parent_id,
      status,
      scope,
      ceiling,
      expires_at,
    }));
    return { nodes: await findChainNodes(tx, organization_id, data), edges, page: next };
  });
};

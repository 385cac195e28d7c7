import type { ControlClient } from '@svc/client/client.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';

type Example = readonly [name: string, path: string];

/** Returns a page of one resource of each kind in the demo data, and views that a link may open. */
export const getExamplePaths = async (client: ControlClient): Promise<readonly Example[]> => {
  const found: Example[] = [
    ['delegations-table', `${buildConsolePath('delegations')}?view=table&status=ANY`],
    ['approvals-any', `${buildConsolePath('approvals')}?status=ANY`],
    ['actions-blocked', `${buildConsolePath('actions')}?decision=BLOCK`],
  ];
  const add = (name: string, id: string | undefined, path: (id: string) => string): void => {
    if (id !== undefined) found.push([name, path(id)]);
  };
  const [approval] = await client.listApprovals({ query: { status: 'PENDING' } });
  add('approval', approval?.id, (approvalId) => buildConsolePath('approval', { approvalId }));
  const blocked = await client.searchActions({ query: { decision: 'BLOCK', limit: 1 } });
  add('action', blocked.data[0]?.id, (actionId) => buildConsolePath('action', { actionId }));
  const agents = await client.listAgents({ query: { q: 'billing-bot' } });
  add('agent', agents.items[0]?.id, (agentId) => buildConsolePath('agent', { agentId }));
  const tools = await client.listTools({ query: { q: 'refund.create' } });
  add('tool', tools.items[0]?.id, (toolId) => buildConsolePath('tool', { toolId }));
  const [policy] = await client.listPolicies({});
  add('policy', policy?.id, (policyId) => buildConsolePath('policy', { policyId }));
  add('policyEditor', policy?.id, (policyId) => buildConsolePath('policyEditor', { policyId }));
  const servers = await client.listMcpServers({});
  add('mcpServer', servers.find(({ name }) => name === 'Knowledge base')?.id, (serverId) => buildConsolePath('mcpServer', { serverId }));
  const incidents = await client.listIncidents({});
  add('incident', incidents.find(({ severity }) => severity === 'HIGH')?.id, (incidentId) => buildConsolePath('incident', { incidentId }));
  const runtimes = await client.listRuntimes({});
  add('runtime', runtimes.items[0]?.id, (runtimeId) => buildConsolePath('runtime', { runtimeId }));
  const { edges } = await client.getDelegationGraph({});
  const root = edges.find(({ parent_id, id }) => parent_id === null && edges.some((each) => each.parent_id === id));
  add('delegation', root?.id, (delegationId) => buildConsolePath('delegation', { delegationId }));
  add('delegations-selected', root?.id, (id) => `${buildConsolePath('delegations')}?selected=${id}`);
  const [connection] = await client.listA2aConnections({});
  add('a2aConnection', connection?.id, (a2aConnectionId) => buildConsolePath('a2aConnection', { a2aConnectionId }));
  return found;
};

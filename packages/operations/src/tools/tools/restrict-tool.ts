import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { findChangeFaults, pickDeclared } from '@svc/domain/tools/declaration/change-declaration.ts';
import { parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { destinationsWithin } from '@svc/domain/tools/destinations/destinations-within.ts';
import { holdEpochs } from '@svc/postgres/agents/fleet/lock-agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findTool, readStoredTool, type StoredTool, withdrawAgents } from '@svc/postgres/tools/tools.ts';
import { recordStops } from '../../agents/stops-by-people.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatChange, writeChange } from './write-change.ts';

type RestrictToolRequest = CallContext & { readonly body: EndpointBody<Endpoints['restrictTool']>; readonly toolId: string };

/** Returns every invalid entry of the new allowlist: one that widens it, or an empty list that leaves no destination. */
const allowlistFault = (tool: StoredTool, staying: readonly string[]) => {
  for (const [index, text] of staying.entries()) {
    const entry = parseAllowlistEntry(text);
    if ('fault' in entry) return refuseBody(`/destination_allowlist/${index}`, entry.fault);
    if (!destinationsWithin([text], tool.destination_allowlist))
      return refuseBody(`/destination_allowlist/${index}`, 'must lie within what the tool may reach now');
  }
  const after = { ...pickDeclared(tool), destination_allowlist: [...staying] };
  const isCut = findChangeFaults(tool.kind, after, {}).some(({ pointer }) => pointer === '/execution/url');
  return isCut ? refuseBody('/destination_allowlist', 'must cover where the tool calls; disable the tool to stop it') : undefined;
};

export const restrictTool = async ({ tx, emit }: Change<'tool.restricted'>, request: RestrictToolRequest) => {
  const { organization_id } = request.scope;
  const { destination_allowlist: staying, agent_ids, reason } = request.body;
  const tool = await readStoredTool(tx, organization_id, request.toolId, { isLocked: true });
  if (!tool) return buildRefusal('NOT_FOUND');
  const fault = staying && allowlistFault(tool, staying);
  if (fault) return fault;
  const authorized = new Set(tool.authorized_agent_ids);
  const unknown = agent_ids?.findIndex((agentId) => !authorized.has(agentId)) ?? -1;
  if (unknown >= 0) return refuseBody(`/agent_ids/${unknown}`, 'must be authorized for the tool now');
  const keeping = new Set(agent_ids ?? authorized);
  const withdrawn = tool.authorized_agent_ids.filter((agentId) => !keeping.has(agentId));
  // In a fixed order, so that concurrent requests for the same agents cannot deadlock.
  await holdEpochs(tx, organization_id, withdrawn);
  // One statement: while it runs, the event feed is blocked for everyone.
  await withdrawAgents(tx, organization_id, tool.id, withdrawn);
  const stops = withdrawn.map((agentId) => ({ subject_id: tool.id, stop: `agent ${agentId}` }) as const);
  await recordStops(tx, organization_id, stops, { by: request.actor, now: request.now });
  const after = { ...pickDeclared(tool), destination_allowlist: staying ?? tool.destination_allowlist };
  const writing = { tool, after, description: tool.description };
  const version = await writeChange(tx, writing, { organization_id, by: request.actor.id, now: request.now });
  const isNarrower = withdrawn.length > 0 || version !== tool.declaration_version;
  if (isNarrower)
    emit('tool.restricted', { ...about.tool(tool), data: { name: tool.name, withdrawn, ...formatChange(writing, version), reason } });
  const restricted = (await findTool(tx, organization_id, tool.id)) ?? buildRefusal('NOT_FOUND');
  return isRefusal(restricted) ? restricted : { restricted, isDeclared: version !== tool.declaration_version };
};

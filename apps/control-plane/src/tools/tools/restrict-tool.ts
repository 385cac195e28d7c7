import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { changeFaults, declaredOf } from '@svc/domain/tools/declaration/change-declaration.ts';
import { parseAllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import { destinationsWithin } from '@svc/domain/tools/destinations/destinations-within.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { recordStops } from '@svc/operations/agents/stops-by-people.ts';
import { holdEpochs } from '@svc/postgres/agents/fleet/lock-agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findTool, readStoredTool, type StoredTool, withdrawAgents } from '@svc/postgres/tools/tools.ts';
import type { ControlDeps } from '../../deps.ts';
import { withdrawApprovals } from './declaration/withdraw-approvals.ts';
import { toldChange, writeChange } from './declaration/write-change.ts';

type RestrictCall = Call<Endpoints['restrictTool']>;

/** Every faulty entry of what is to stay: one that widens is refused, and so is a list that leaves the tool nowhere to call. */
const allowlistFault = (call: RestrictCall, tool: StoredTool, staying: readonly string[]) => {
  for (const [index, text] of staying.entries()) {
    const entry = parseAllowlistEntry(text);
    if ('fault' in entry) return call.fault(`/destination_allowlist/${index}`, entry.fault);
    if (!destinationsWithin([text], tool.destination_allowlist))
      return call.fault(`/destination_allowlist/${index}`, 'must lie within what the tool may reach now');
  }
  const after = { ...declaredOf(tool), destination_allowlist: [...staying] };
  const isCut = changeFaults(tool.kind, after, {}).some(({ pointer }) => pointer === '/execution/url');
  return isCut ? call.fault('/destination_allowlist', 'must cover where the tool calls; disable the tool to stop it') : undefined;
};

const restrict = (call: RestrictCall) =>
  call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const { destination_allowlist: staying, agent_ids, reason } = call.body;
    const tool = await readStoredTool(tx, organization_id, call.params.toolId, { isLocked: true });
    if (!tool) return call.refuse('NOT_FOUND');
    const fault = staying && allowlistFault(call, tool, staying);
    if (fault) return fault;
    const authorized = new Set(tool.authorized_agent_ids);
    const unknown = agent_ids?.findIndex((agentId) => !authorized.has(agentId)) ?? -1;
    if (unknown >= 0) return call.fault(`/agent_ids/${unknown}`, 'must be authorized for the tool now');
    const keeping = new Set(agent_ids ?? authorized);
    const withdrawn = tool.authorized_agent_ids.filter((agentId) => !keeping.has(agentId));
    // So that two who do this to the same agents wait for each other and never in a circle.
    await holdEpochs(tx, organization_id, withdrawn);
    // In one statement: while this goes on, nobody's events are read of the feed.
    await withdrawAgents(tx, organization_id, tool.id, withdrawn);
    const stops = withdrawn.map((agentId) => ({ subject_id: tool.id, stop: `agent ${agentId}` }) as const);
    await recordStops(tx, organization_id, stops, { by: call.caller.actor, now: call.now });
    const after = { ...declaredOf(tool), destination_allowlist: staying ?? tool.destination_allowlist };
    const writing = { tool, after, description: tool.description };
    const version = await writeChange(tx, writing, { organization_id, by: call.caller.actor.id, now: call.now });
    const isNarrower = withdrawn.length > 0 || version !== tool.declaration_version;
    if (isNarrower)
      emit('tool.restricted', { ...about.tool(tool), data: { name: tool.name, withdrawn, ...toldChange(writing, version), reason } });
    const restricted = (await findTool(tx, organization_id, tool.id)) ?? call.refuse('NOT_FOUND');
    return isRefusal(restricted) ? restricted : { restricted, isDeclared: version !== tool.declaration_version };
  });

/** Narrows where a tool may reach, or who may use it. What is asked for has to lie within what there is, so that nothing is widened by it. */
export const restrictTool: Handler<Endpoints['restrictTool'], ControlDeps> = async (call) => {
  const { destination_allowlist, agent_ids, reason } = call.body;
  if (destination_allowlist === undefined && agent_ids === undefined)
    return call.fault('', 'Name the destinations or the agents that stay.');
  const done = await restrict(call);
  if (isRefusal(done)) return done;
  if (done.isDeclared) await withdrawApprovals(call, done.restricted, reason);
  return done.restricted;
};

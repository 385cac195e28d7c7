import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findNearestName } from '@svc/policy/values/nearest-name.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import type { Facts } from '../facts/facts.ts';
import type { ToolSnapshot } from '../facts/snapshots.ts';
import { defineStage, refuseStage, type StageAnswer } from '../facts/stage.ts';

const REFUSES = [
  'NOT_FOUND',
  'MCP_SERVER_NOT_TRUSTED',
  'A2A_CONNECTION_BLOCKED',
  'TOOL_DISABLED',
  'CAPABILITY_NOT_GRANTED',
  'TOOL_NOT_AUTHORIZED',
] as const;
/** Tools whose names are compared with an unknown one, and characters of it that are shown. */
const COMPARED_MAX = 500;
const NAME_SHOWN_MAX = 120;

type Answer = StageAnswer<(typeof REFUSES)[number]>;

const REMOVED = 'The MCP server of the tool was removed.';

const serverReasons = {
  PENDING: 'The MCP server was registered or moved, and no tool of it was authorized since.',
  QUARANTINED: 'The MCP server is quarantined, because the definition of an authorized tool changed.',
  DISABLED: 'The MCP server is disabled.',
} as const;

const toolReasons = {
  DISCOVERED: ['NOT_AUTHORIZED', 'The definition of the tool was not authorized.'],
  DISABLED: ['TOOL_DISABLED', 'The tool was disabled at its MCP server.'],
  CHANGED: ['TOOL_CHANGED', 'The definition of the tool changed since it was authorized.'],
  GONE: ['TOOL_GONE', 'The MCP server no longer offers the tool.'],
} as const;

const TOO_OLD =
  'The last complete listing of the MCP server is too old, so its tools may have changed since. Check that the server can be reached.';

/** Returns why a tool of an MCP server is not trusted; undefined if it is. */
const distrust = ({ mcp }: ToolSnapshot, now: Date): { readonly why: string; readonly reason: string } | undefined => {
  if (mcp === null) return { why: 'SERVER_REMOVED', reason: REMOVED };
  const { server_status, tool_status, listing_checked_at } = mcp;
  if (server_status !== 'ACTIVE') return { why: server_status, reason: serverReasons[server_status] };
  if (tool_status !== 'AUTHORIZED') {
    const [why, reason] = toolReasons[tool_status];
    return { why, reason };
  }
  const isOld = listing_checked_at === null || now.getTime() - Date.parse(listing_checked_at) > LIMITS.mcpServers.listingAgeMaxMs;
  return isOld ? { why: 'LISTING_TOO_OLD', reason: TOO_OLD } : undefined;
};

const connectionReasons = {
  PENDING: 'The connection to the remote agent is not verified yet.',
  STALE: 'The last verification of the remote agent failed.',
  BLOCKED: 'The connection to the remote agent is blocked.',
} as const;

/** Refuses a tool whose connection cannot be used; undefined if it can. */
const connectionRefusal = ({ a2a, name }: ToolSnapshot) => {
  if (a2a?.status === 'VERIFIED') return undefined;
  const reason = a2a === null ? 'The connection to the remote agent was removed.' : connectionReasons[a2a.status];
  const details = { connection_id: a2a?.connection_id ?? null, tool: name, why: a2a?.status ?? 'REMOVED' };
  return refuseStage('A2A_CONNECTION_BLOCKED', reason, details);
};

const NOT_THE_PEER = 'Only the remote agent of the connection uses this tool, through the endpoint of the agent.';

/** Refuses the tool of an inbound connection to everyone but its remote agent; undefined if it may be used. */
const directionRefusal = ({ a2a, name }: ToolSnapshot, { principal, agent }: Pick<Facts, 'principal' | 'agent'>) => {
  if (a2a?.direction !== 'INBOUND') return undefined;
  if (principal.id === a2a.connection_id && agent.agent_id === a2a.agent_id) return undefined;
  return refuseStage('TOOL_NOT_AUTHORIZED', NOT_THE_PEER, { tool: name });
};

/** Refuses an unknown tool and suggests the nearest one that the agent is authorized for: names of other tools are not disclosed. */
const unknownTool = (tools: ReadonlyMap<string, ToolSnapshot>, allowed: ReadonlySet<string>, name: string): Answer => {
  const own = [...new Set(tools.values())].filter(({ id }) => allowed.has(id)).slice(0, COMPARED_MAX);
  const nearest = findNearestName(
    name,
    own.map((each) => each.name),
  );
  const hint = nearest === null ? '' : ` The nearest one that the agent may use is ${nearest}.`;
  const details = { tool: name, ...(nearest === null ? {} : { nearest }) };
  return refuseStage(
    'NOT_FOUND',
    `There is no tool ${truncateText(JSON.stringify(name), NAME_SHOWN_MAX)} in this environment.${hint}`,
    details,
  );
};

/**
 * Checks in this order that the tool is known, its MCP server trusted or its connection verified, that it is enabled, that the agent has
 * its capability, and that the agent is authorized for it.
 */
const checkTool = (facts: Facts): Answer => {
  const { environment, agent, request, now } = facts;
  const tool = environment.tools.get(request.tool);
  if (!tool) return unknownTool(environment.tools, agent.tool_ids, request.tool);
  const learned = { tool };
  const distrusted = tool.kind === 'MCP' ? distrust(tool, now) : undefined;
  if (distrusted) {
    const { why, reason } = distrusted;
    const details = { server_id: tool.mcp?.server_id ?? null, tool: tool.name, why, since: tool.mcp?.listing_checked_at ?? null };
    return { ...refuseStage('MCP_SERVER_NOT_TRUSTED', reason, details), learned };
  }
  const unconnected = tool.kind === 'A2A' ? connectionRefusal(tool) : undefined;
  if (unconnected) return { ...unconnected, learned };
  const misdirected = directionRefusal(tool, facts);
  if (misdirected) return { ...misdirected, learned };
  if (tool.status === 'DISABLED')
    return { ...refuseStage('TOOL_DISABLED', `The tool is disabled: ${tool.disabled_reason ?? 'no reason given'}`), learned };
  if (!agent.capabilities.has(tool.required_capability)) {
    const details = { capability: tool.required_capability };
    return {
      ...refuseStage('CAPABILITY_NOT_GRANTED', `The agent does not have the capability ${tool.required_capability}.`, details),
      learned,
    };
  }
  if (!agent.tool_ids.has(tool.id)) {
    return {
      ...refuseStage('TOOL_NOT_AUTHORIZED', `The agent has the capability, but is not authorized for ${tool.name}.`, { tool: tool.name }),
      learned,
    };
  }
  return { outcome: 'passed', learned };
};

export const tool = defineStage({ name: 'tool', relaxedByObserve: false, refuses: REFUSES, check: checkTool });

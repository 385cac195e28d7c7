import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { A2aSnapshot, AgentSnapshot, ToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import type { GatewayDeps } from '../../../deps.ts';

export type A2aTool = ToolSnapshot & { readonly a2a: A2aSnapshot };
type Known = { readonly tool: A2aTool; readonly agent: AgentSnapshot };
/** The agent that a request is decided for. */
export type MessageSender = { readonly organizationId: string; readonly environmentId: string; readonly agentId: string };

const isConnected = (tool: ToolSnapshot): tool is A2aTool => tool.a2a !== null;
const NONE = 'There is no such A2A connection for this agent.';

/** Finds the tool of a connection. For an agent that may not use it the connection does not exist. */
export const findConnectedTool = async (
  { pipeline: { governance } }: GatewayDeps,
  { organizationId, environmentId, agentId }: MessageSender,
  connectionId: string,
): Promise<Known | Refusal<'NOT_FOUND'>> => {
  const environment = await governance.environment(organizationId, environmentId);
  const agent = await governance.agent(organizationId, agentId);
  if (!environment || !agent) return buildRefusal('NOT_FOUND');
  const tools = [...environment.tools.values()];
  const connected = tools.filter(isConnected).find(({ a2a }) => a2a.connection_id === connectionId);
  // The remote agent of an inbound connection is not reached over it.
  const tool = connected?.a2a.direction === 'INBOUND' ? undefined : connected;
  if (tool === undefined || !agent.tool_ids.has(tool.id)) return buildRefusal('NOT_FOUND', NONE);
  return { tool, agent };
};

/** True if the connection of a tool can be used now. */
export const isStillVerified = async (deps: GatewayDeps, asking: MessageSender, connectionId: string): Promise<boolean> => {
  const environment = await deps.pipeline.governance.environment(asking.organizationId, asking.environmentId);
  return [...(environment?.tools.values() ?? [])].some(({ a2a }) => a2a?.connection_id === connectionId && a2a.status === 'VERIFIED');
};

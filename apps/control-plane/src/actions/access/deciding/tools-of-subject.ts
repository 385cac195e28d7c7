import type { AccessDecision } from '@svc/contract/actions/access.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { ToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { loadSnapshots } from '@svc/enforcement/ports/gather-facts.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import { type AccessCall, findAgentOfSubject } from './decide-access.ts';

export type SubjectTools = { readonly agentId: string; readonly tools: readonly ToolSnapshot[] };

/** Returns the tools in the environment of the agent that a subject names, by name; undefined if it names no agent. */
export const listToolsOfSubject = async (call: AccessCall, pipeline: Ports, subject: { readonly type: string; readonly id: string }) => {
  const agentId: string | AccessDecision = await findAgentOfSubject(call, subject);
  if (typeof agentId !== 'string') return undefined;
  const { requestId, traceId } = call;
  const snapshots = await loadSnapshots(pipeline, { organizationId: call.caller.organizationId, agentId, requestId, traceId });
  if (isRefusal(snapshots))
    return snapshots.refused === 'NOT_FOUND' ? undefined : (snapshots as typeof snapshots & { refused: 'POLICY_SERVICE_UNAVAILABLE' });
  const tools = [...new Set(snapshots.environment.tools.values())].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { agentId, tools } satisfies SubjectTools;
};

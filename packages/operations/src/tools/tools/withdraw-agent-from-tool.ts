import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findTool, withdrawAgent } from '@svc/postgres/tools/tools.ts';
import { recordStops } from '../../agents/stops-by-people.ts';
import type { CallContext } from '../../people/auth/acting.ts';

export const withdrawAgentFromTool = async (
  { tx, emit }: Change<'tool.restricted'>,
  request: CallContext & { readonly toolId: string; readonly agentId: string },
) => {
  const { organization_id } = request.scope;
  const { toolId, agentId } = request;
  const tool = await findTool(tx, organization_id, toolId);
  const agent = tool && (await lockAgent(tx, organization_id, agentId));
  if (!tool || !agent || !(await withdrawAgent(tx, organization_id, toolId, agentId))) return buildRefusal('NOT_FOUND');
  const stop = { subject_id: toolId, stop: `agent ${agentId}` } as const;
  await recordStops(tx, organization_id, [stop], { by: request.actor, now: request.now });
  emit('tool.restricted', {
    ...about.tool({ ...tool, workspace_id: agent.workspace_id }),
    data: { name: tool.name, withdrawn: agent.id },
  });
  return (await findTool(tx, organization_id, toolId)) ?? buildRefusal('NOT_FOUND');
};

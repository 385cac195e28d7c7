import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { recordStops } from '@svc/operations/agents/stops-by-people.ts';
import { lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findTool, withdrawAgent } from '@svc/postgres/tools/tools.ts';
import type { ControlDeps } from '../../deps.ts';

export const withdrawAgentFromTool: Handler<Endpoints['withdrawAgentFromTool'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const { toolId, agentId } = call.params;
    const tool = await findTool(tx, organization_id, toolId);
    const agent = tool && (await lockAgent(tx, organization_id, agentId));
    if (!tool || !agent || !(await withdrawAgent(tx, organization_id, toolId, agentId))) return call.refuse('NOT_FOUND');
    const stop = { subject_id: toolId, stop: `agent ${agentId}` } as const;
    await recordStops(tx, organization_id, [stop], { by: call.caller.actor, now: call.now });
    emit('tool.restricted', {
      ...about.tool({ ...tool, workspace_id: agent.workspace_id }),
      data: { name: tool.name, withdrawn: agent.id },
    });
    return (await findTool(tx, organization_id, toolId)) ?? call.refuse('NOT_FOUND');
  });

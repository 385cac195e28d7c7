import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { changeToolStatus } from './change-tool-status.ts';

type DisableToolRequest = CallContext & { readonly body: EndpointBody<Endpoints['disableTool']>; readonly toolId: string };

/** Disables a tool for all agents, with a reason. */
export const disableTool = async ({ tx, emit }: Change<'tool.disabled'>, request: DisableToolRequest) => {
  const { reason } = request.body;
  const step = { to: 'DISABLED', reason, by: request.actor, now: request.now } as const;
  const changed = await changeToolStatus(tx, request.scope.organization_id, request.toolId, step);
  if (isRefusal(changed)) return changed;
  const { tool, workspace_id } = changed;
  emit('tool.disabled', {
    ...about.tool({ ...tool, workspace_id }),
    data: {
      name: tool.name,
      before: { status: 'ACTIVE', disabled_reason: null },
      after: { status: 'DISABLED', disabled_reason: reason },
      reason,
    },
  });
  return tool;
};

import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { liftStop } from '../../agents/stops-by-people.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { changeToolStatus } from './change-tool-status.ts';

type EnableToolRequest = CallContext & { readonly body: EndpointBody<Endpoints['enableTool']>; readonly toolId: string };

export const enableTool = async ({ tx, emit }: Change<'tool.enabled'>, request: EnableToolRequest) => {
  const { reason } = request.body;
  const step = { to: 'ACTIVE', reason, by: request.actor, now: request.now } as const;
  const changed = await changeToolStatus(tx, request.scope.organization_id, request.toolId, step);
  if (isRefusal(changed)) return changed;
  const stop = { subject_id: changed.tool.id, stop: 'STATUS' } as const;
  const stopped = await liftStop(tx, request.scope.organization_id, stop, request.actor);
  if (stopped) return stopped;
  const { tool, workspace_id } = changed;
  emit('tool.enabled', {
    ...about.tool({ ...tool, workspace_id }),
    data: {
      name: tool.name,
      before: { status: 'DISABLED', disabled_reason: changed.before.disabled_reason },
      after: { status: 'ACTIVE', disabled_reason: null },
      reason,
    },
  });
  return tool;
};

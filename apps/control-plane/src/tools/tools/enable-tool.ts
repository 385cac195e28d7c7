import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { liftStop } from '@svc/operations/agents/stops-by-people.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { ControlDeps } from '../../deps.ts';
import { changeToolStatus } from './status/change-tool-status.ts';

export const enableTool: Handler<Endpoints['enableTool'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { reason } = call.body;
    const step = { to: 'ACTIVE', reason, by: call.caller.actor, now: call.now } as const;
    const changed = await changeToolStatus(tx, call.scope.organization_id, call.params.toolId, step);
    if (isRefusal(changed)) return changed;
    const stop = { subject_id: changed.tool.id, stop: 'STATUS' } as const;
    const stopped = await liftStop(tx, call.scope.organization_id, stop, call.caller.actor);
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
  });

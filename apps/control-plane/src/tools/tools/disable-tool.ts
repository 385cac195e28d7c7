import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { ControlDeps } from '../../deps.ts';
import { changeToolStatus } from './status/change-tool-status.ts';

export const disableTool: Handler<Endpoints['disableTool'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { reason } = call.body;
    const step = { to: 'DISABLED', reason, by: call.caller.actor, now: call.now } as const;
    const changed = await changeToolStatus(tx, call.scope.organization_id, call.params.toolId, step);
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
  });

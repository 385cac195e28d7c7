import type { Endpoints } from '@svc/contract/endpoints.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/http/admission/authorize.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockWorkspace, updateWorkspace as update } from '@svc/postgres/tenancy/workspaces.ts';
import type { ControlDeps } from '../../deps.ts';

type UpdateWorkspace = Endpoints['updateWorkspace'];

/** Why the caller may not let agents act here again: it needs the permission to stop them, a fresh proof and a reason. */
const returningRefusal = (call: Call<UpdateWorkspace>) => {
  if (!call.holds('environment:pause'))
    return call.refuse('PERMISSION_DENIED', 'To bring a workspace back needs the permission to stop what is in it.', {
      permission: 'environment:pause',
    });
  if (!hasFreshStepUp(call.caller, call.now)) return stepUpRefusal(call.caller);
  return call.body.reason === undefined ? call.fault('/reason', 'Unarchiving a workspace requires a reason.') : undefined;
};

/** Renames a workspace, or brings an archived one back. */
export const updateWorkspace: Handler<UpdateWorkspace, ControlDeps> = (call) => {
  const { body, params, scope, now } = call;
  const { reason, ...asked } = body;
  if (Object.keys(asked).length === 0) return call.fault('', 'Send at least one member to change.');
  if (scope.environment_id) return call.refuse('PERMISSION_DENIED', 'This call is limited to one environment, and the workspace is more.');
  return call.change(async ({ tx, emit }) => {
    const stored = await lockWorkspace(tx, scope.organization_id, params.workspaceId);
    if (!stored) return call.refuse('NOT_FOUND');
    const renamed = asked.name !== undefined && asked.name !== stored.name;
    const returning = asked.archived === false && stored.archived_at !== null;
    if (!renamed && !returning) return stored;
    const refused = returning ? returningRefusal(call) : undefined;
    if (refused) return refused;
    const pick = (name: string | undefined, archived_at: string | null) => ({
      ...(renamed && name !== undefined ? { name } : {}),
      ...(returning ? { archived_at } : {}),
    });
    const { name } = asked;
    const changed = { ...(renamed && name !== undefined ? { name } : {}), ...(returning ? { archived_at: null } : {}) };
    const updated = await update(tx, scope.organization_id, stored.id, changed, now);
    const data = { before: pick(stored.name, stored.archived_at), after: pick(name, null), reason: reason ?? null };
    emit('workspace.updated', { ...about.workspace(stored), data });
    return updated;
  });
};

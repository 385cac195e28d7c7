import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { cancelApprovalsOfPlace } from '@svc/operations/tenancy/environments/cancel-approvals-of-place.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockWorkspace, updateWorkspace } from '@svc/postgres/tenancy/workspaces.ts';
import type { ControlDeps } from '../../deps.ts';

/** Puts a workspace out of use: the agents of all its environments are refused from the commit on, and whatever waits for people is withdrawn. */
export const archiveWorkspace: Handler<Endpoints['archiveWorkspace'], ControlDeps> = async (call) => {
  const { params, scope, now } = call;
  const { organization_id: organizationId } = scope;
  const { reason } = call.body;
  if (scope.environment_id) return call.refuse('PERMISSION_DENIED', 'This call is limited to one environment, and the workspace is more.');
  const archived = await call.change(async ({ tx, emit }) => {
    const stored = await lockWorkspace(tx, organizationId, params.workspaceId);
    if (!stored) return call.refuse('NOT_FOUND');
    if (stored.archived_at !== null) {
      const details = { operation: 'archive', from: 'ARCHIVED', allowed_from: ['ACTIVE'] };
      return call.refuse('INVALID_STATE_TRANSITION', 'The workspace is already archived.', details);
    }
    const updated = await updateWorkspace(tx, organizationId, stored.id, { archived_at: now }, now);
    const data = { before: { archived_at: null }, after: { archived_at: updated.archived_at }, reason };
    emit('workspace.updated', { ...about.workspace(stored), severity: 'critical', data });
    return updated;
  });
  if (isRefusal(archived)) return archived;
  const place = { column: 'workspace_id', id: archived.id } as const;
  while (await call.change((change) => cancelApprovalsOfPlace(change, { organizationId, place, reason, now })));
  return archived;
};

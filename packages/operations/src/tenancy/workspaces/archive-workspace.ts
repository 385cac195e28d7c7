import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockWorkspace, updateWorkspace } from '@svc/postgres/tenancy/workspaces.ts';
import type { CallContext } from '../../people/auth/acting.ts';

type ArchiveWorkspaceRequest = CallContext & { readonly workspaceId: string; readonly body: EndpointBody<Endpoints['archiveWorkspace']> };

/** Archives a workspace: the agents of all its environments are refused from the commit on, and everything pending is withdrawn. */
export const archiveWorkspace = async ({ tx, emit }: Change<'workspace.updated'>, request: ArchiveWorkspaceRequest) => {
  const { scope, now, workspaceId } = request;
  const { organization_id: organizationId } = scope;
  const { reason } = request.body;
  const stored = await lockWorkspace(tx, organizationId, workspaceId);
  if (!stored) return buildRefusal('NOT_FOUND');
  if (stored.archived_at !== null) {
    const details = { operation: 'archive', from: 'ARCHIVED', allowed_from: ['ACTIVE'] };
    return buildRefusal('INVALID_STATE_TRANSITION', 'The workspace is already archived.', details);
  }
  const updated = await updateWorkspace(tx, organizationId, stored.id, { archived_at: now }, now);
  const data = { before: { archived_at: null }, after: { archived_at: updated.archived_at }, reason };
  emit('workspace.updated', { ...about.workspace(stored), severity: 'critical', data });
  return updated;
};

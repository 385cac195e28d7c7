import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockWorkspace, updateWorkspace as update } from '@svc/postgres/tenancy/workspaces.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { hasFreshStepUp, stepUpRefusal } from '../../people/auth/step-up.ts';

type UpdateWorkspaceRequest = CallContext & {
  readonly workspaceId: string;
  readonly holds: (permission: 'environment:pause') => boolean;
  readonly steppedUpUntil: string | null;
  readonly body: EndpointBody<Endpoints['updateWorkspace']>;
};

/** Returns why the caller may not let agents act here again: it needs the permission to stop them, a step-up and a reason. */
const returningRefusal = (request: UpdateWorkspaceRequest) => {
  if (!request.holds('environment:pause'))
    return buildRefusal('PERMISSION_DENIED', 'To bring a workspace back needs the permission to stop what is in it.', {
      permission: 'environment:pause',
    });
  if (!hasFreshStepUp(request, request.now)) return stepUpRefusal(request);
  return request.body.reason === undefined ? refuseBody('/reason', 'Unarchiving a workspace requires a reason.') : undefined;
};

/** Renames a workspace, or restores an archived one. */
export const updateWorkspace = async ({ tx, emit }: Change<'workspace.updated'>, request: UpdateWorkspaceRequest) => {
  const { scope, body, now, workspaceId } = request;
  const { reason, ...asked } = body;
  const stored = await lockWorkspace(tx, scope.organization_id, workspaceId);
  if (!stored) return buildRefusal('NOT_FOUND');
  const renamed = asked.name !== undefined && asked.name !== stored.name;
  const returning = asked.archived === false && stored.archived_at !== null;
  if (!renamed && !returning) return stored;
  const refused = returning ? returningRefusal(request) : undefined;
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
};

import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { cancelApprovalsOfPlace } from '@svc/operations/tenancy/environments/cancel-approvals-of-place.ts';
import { archiveWorkspace as archive } from '@svc/operations/tenancy/workspaces/archive-workspace.ts';
import type { TenancyDeps } from '../deps.ts';

export const archiveWorkspace: Handler<Endpoints['archiveWorkspace'], TenancyDeps> = async (call) => {
  const { scope, now } = call;
  const { organization_id: organizationId } = scope;
  const { reason } = call.body;
  if (scope.environment_id) return call.refuse('PERMISSION_DENIED', 'This call is limited to one environment, and the workspace is more.');
  const archived = await call.change((change) =>
    archive(change, { ...asActing(call), workspaceId: call.params.workspaceId, body: call.body }),
  );
  if (isRefusal(archived)) return archived;
  const place = { column: 'workspace_id', id: archived.id } as const;
  while (await call.change((change) => cancelApprovalsOfPlace(change, { organizationId, place, reason, now })));
  return archived;
};

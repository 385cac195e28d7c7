import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { updateWorkspace as update } from '@svc/operations/tenancy/workspaces/update-workspace.ts';
import type { TenancyDeps } from '../deps.ts';

type UpdateWorkspace = Endpoints['updateWorkspace'];

export const updateWorkspace: Handler<UpdateWorkspace, TenancyDeps> = (call) => {
  const { body, scope } = call;
  const { reason, ...asked } = body;
  if (Object.keys(asked).length === 0) return call.fault('', 'Name at least one member to change.');
  if (scope.environment_id) return call.refuse('PERMISSION_DENIED', 'This call is limited to one environment, and the workspace is more.');
  return call.change((change) =>
    update(change, {
      ...asActing(call),
      workspaceId: call.params.workspaceId,
      holds: call.holds,
      steppedUpUntil: call.caller.steppedUpUntil,
      body: call.body,
    }),
  );
};

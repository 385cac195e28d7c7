import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { createWorkspace as create } from '@svc/operations/tenancy/workspaces/create-workspace.ts';
import type { TenancyDeps } from '../deps.ts';

export const createWorkspace: Handler<Endpoints['createWorkspace'], TenancyDeps> = (call) => {
  const { scope } = call;
  if (scope.workspace_ids)
    return call.refuse('PERMISSION_DENIED', 'This call is limited to a part of the organization, so it cannot make a workspace.');
  return call.change((change) => create(change, { ...asActing(call), body: call.body }), {
    workspaces_slug_is_unique: () => call.refuse('ALREADY_EXISTS', 'A workspace with this slug already exists.'),
  });
};

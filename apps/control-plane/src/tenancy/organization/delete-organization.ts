import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteOrganization as remove } from '@svc/operations/tenancy/organization/delete-organization.ts';
import type { TenancyDeps } from '../deps.ts';

export const deleteOrganization: Handler<Endpoints['deleteOrganization'], TenancyDeps> = (call) => {
  const { scope } = call;
  if (scope.workspace_ids) return call.refuse('PERMISSION_DENIED', 'This call is limited to a part of the organization, which is more.');
  return call.change((change) => remove(change, { ...asActing(call), body: call.body }));
};

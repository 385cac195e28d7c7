import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { restoreOrganization as restore } from '@svc/operations/tenancy/organization/restore-organization.ts';
import type { TenancyDeps } from '../deps.ts';

export const restoreOrganization: Handler<Endpoints['restoreOrganization'], TenancyDeps> = (call) => {
  const { scope } = call;
  if (scope.workspace_ids) return call.refuse('PERMISSION_DENIED', 'This call is limited to a part of the organization, which is more.');
  return call.change((change) => restore(change, { ...asActing(call), body: call.body }));
};

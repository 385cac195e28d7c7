import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteRole as remove } from '@svc/operations/people/roles/delete-role.ts';
import type { PeopleDeps } from '../deps.ts';

export const deleteRole: Handler<Endpoints['deleteRole'], PeopleDeps> = (call) => {
  return call.change((change) => remove(change, { ...asActing(call), roleId: call.params.roleId }));
};

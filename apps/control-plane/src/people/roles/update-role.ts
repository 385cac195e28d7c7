import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { updateRole as update } from '@svc/operations/people/roles/update-role.ts';
import type { PeopleDeps } from '../deps.ts';

export const updateRole: Handler<Endpoints['updateRole'], PeopleDeps> = (call) => {
  return call.change((change) => update(change, { ...asActing(call), roleId: call.params.roleId, body: call.body }), {
    roles_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A role of this name exists already.'),
  });
};

import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { createRole as create } from '@svc/operations/people/roles/create-role.ts';
import type { PeopleDeps } from '../deps.ts';

export const createRole: Handler<Endpoints['createRole'], PeopleDeps> = (call) => {
  return call.change((change) => create(change, { ...asActing(call), body: call.body }), {
    roles_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A role of this name exists already.'),
  });
};

import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { createEnvironment as create } from '@svc/operations/tenancy/environments/create-environment.ts';
import type { TenancyDeps } from '../deps.ts';

export const createEnvironment: Handler<Endpoints['createEnvironment'], TenancyDeps> = (call) => {
  const { scope } = call;
  if (scope.environment_id) return call.refuse('PERMISSION_DENIED', 'This call is limited to one environment, so it cannot make another.');
  return call.change((change) => create(change, { ...asActing(call), body: call.body }), {
    environments_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'The workspace already has an environment of this name.'),
  });
};

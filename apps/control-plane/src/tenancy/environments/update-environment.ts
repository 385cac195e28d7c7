import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { updateEnvironment as update } from '@svc/operations/tenancy/environments/update-environment.ts';
import type { TenancyDeps } from '../deps.ts';

type UpdateEnvironment = Endpoints['updateEnvironment'];

export const updateEnvironment: Handler<UpdateEnvironment, TenancyDeps> = (call) => {
  const { body } = call;
  const { reason, ...asked } = body;
  if (Object.keys(asked).length === 0) return call.fault('', 'Name at least one member to change.');
  return call.change(
    (change) =>
      update(change, {
        ...asActing(call),
        environmentId: call.params.environmentId,
        holds: call.holds,
        steppedUpUntil: call.caller.steppedUpUntil,
        body: call.body,
      }),
    { environments_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'The workspace already has an environment of this name.') },
  );
};

import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asRuntime } from '@svc/operations/runtimes/runtimes/as-runtime.ts';
import { registerRuntime as register } from '@svc/operations/runtimes/runtimes/register-runtime.ts';
import type { RuntimesDeps } from '../deps.ts';
import { TAKEN } from './names/name-taken.ts';

const NEEDS_CREDENTIAL = 'Storing an API key also requires credential:create.';

export const registerRuntime: Handler<Endpoints['registerRuntime'], RuntimesDeps> = async (call, deps) => {
  const { body, caller } = call;
  if (body.api_key !== undefined && !call.holds('credential:create'))
    return call.refuse('PERMISSION_DENIED', NEEDS_CREDENTIAL, { permissions: ['credential:create'] });
  const id = call.newId('runtime');
  return call.change(
    async (change) => {
      const registered = await register(change, { ...asActing(call), body, steppedUpUntil: caller.steppedUpUntil }, id, deps);
      return isRefusal(registered) ? registered : asRuntime(registered, call.now);
    },
    { runtimes_name_is_unique: () => call.refuse('ALREADY_EXISTS', TAKEN) },
  );
};

import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { countRecoveryCodes } from '@svc/postgres/people/second-factors/recovery-codes.ts';
import { listFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { ControlDeps } from '../../deps.ts';

export const getMfa: Handler<Endpoints['getMfa'], ControlDeps> = async ({ caller }, { identity }) => ({
  required: caller.lacksFactor,
  amr: [...caller.amr],
  factors: await listFactors(identity, caller.actor.id),
  recovery_codes_left: await countRecoveryCodes(identity, caller.actor.id),
});

import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatFactor } from '@svc/operations/people/second-factors/format-factor.ts';
import { countRecoveryCodes } from '@svc/postgres/people/second-factors/recovery-codes.ts';
import { listFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { PeopleDeps } from '../deps.ts';

/** Lists second factors. A session that only one organization's provider vouched for sees the factors that count there. */
export const getMfa: Handler<Endpoints['getMfa'], PeopleDeps> = async ({ caller }, { identity }) => {
  const factors = await listFactors(identity, { userId: caller.actor.id, organizationId: findOnlyOrganization(caller) });
  return {
    required: caller.lacksFactor,
    amr: [...caller.amr],
    factors: factors.map(formatFactor),
    recovery_codes_left: await countRecoveryCodes(identity, caller.actor.id, caller.organizationId),
  };
};

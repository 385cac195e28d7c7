import type { Endpoints } from '@svc/contract/endpoints.ts';
import { createFullRefusal } from '@svc/domain/people/second-factors/full-refusal.ts';
import { getVouchingOrganization } from '@svc/domain/people/second-factors/vouching-organization.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { recordEnrolledFactor } from '@svc/operations/people/second-factors/enrolled.ts';
import { OWN_PROOF } from '@svc/operations/people/second-factors/own-proof.ts';
import { claimFactor, lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { PeopleDeps } from '../deps.ts';
import { enrolRequest } from './enrolment/enrol-request.ts';
import { isIsStillSigned } from './enrolment/still-signed-in.ts';

/** Confirms a factor that was enrolled in a session which rests on a provider. The provider that vouched for it cannot confirm it. */
export const confirmFactor: Handler<Endpoints['confirmFactor'], PeopleDeps> = (call, deps) => {
  const { caller, now } = call;
  const userId = caller.actor.id;
  return call.change(async (change) => {
    const factors = await lockFactors(change.tx, userId);
    const only = getVouchingOrganization(caller, factors);
    const held = factors.find(({ id }) => id === call.params.factorId);
    const isSeen = held?.isConfirmed && (only === null || held.vouchedBy === null || held.vouchedBy === only);
    if (!isSeen || !(await isIsStillSigned(change.tx, caller, now))) return call.refuse('NOT_FOUND');
    if (held.vouchedBy === null) return call.refuse('CONFLICT', 'This second factor counts in every organization already.');
    if (only !== null) return call.refuse('PERMISSION_DENIED', OWN_PROOF);
    const full = createFullRefusal(factors, null);
    if (full) return full;
    const factor = await claimFactor(change.tx, userId, held.id);
    if (!factor) return call.refuse('NOT_FOUND');
    return recordEnrolledFactor(
      change,
      { factor, factors: factors.filter(({ vouchedBy }) => vouchedBy === null), now },
      enrolRequest(call),
      deps,
    );
  });
};

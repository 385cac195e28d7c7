import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newAssertionOptions, newAttestationOptions } from '@svc/keyring/factors/passkeys.ts';
import { readPasskeys } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { PeopleDeps } from '../deps.ts';
import { findFreshProofRefusal } from './enrolment/fresh-proof.ts';
import { NO_PARTY } from './enrolment/no-party.ts';

export const preparePasskey: Handler<Endpoints['preparePasskey'], PeopleDeps> = async (call, deps) => {
  const { caller, now } = call;
  const isStepUp = call.body?.purpose === 'STEP_UP';
  const refused = isStepUp ? undefined : await findFreshProofRefusal(caller, now, deps);
  if (refused) return refused;
  const { party, keys } = deps.factors;
  if (!party) return call.refuse('CONFLICT', NO_PARTY);
  const organizationId = isStepUp ? caller.organizationId : findOnlyOrganization(caller);
  const enrolled = await readPasskeys(deps.identity, { userId: caller.actor.id, organizationId });
  const asking = { key: keys.passkeyChallenges, party, now };
  if (isStepUp) {
    if (enrolled.length === 0) return call.refuse('CONFLICT', 'No passkey is enrolled: step up with another proof.');
    const ceremony = { of: 'step-up', sessionId: caller.credentialId } as const;
    return { public_key: await newAssertionOptions({ ...asking, ceremony }, enrolled) };
  }
  const ceremony = { of: 'enrolment', sessionId: caller.credentialId } as const;
  const person = { id: caller.actor.id, name: caller.actor.name ?? '', email: caller.email ?? '' };
  return { public_key: await newAttestationOptions({ ...asking, ceremony }, person, enrolled) };
};

import type { Endpoints } from '@svc/contract/endpoints.ts';
import { createFullRefusal } from '@svc/domain/people/second-factors/full-refusal.ts';
import { getVouchingOrganization } from '@svc/domain/people/second-factors/vouching-organization.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readAttestation } from '@svc/keyring/factors/passkeys.ts';
import { recordEnrolledFactor } from '@svc/operations/people/second-factors/enrolled.ts';
import { insertFactor, lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import { takePasskeyChallenge } from '@svc/postgres/people/second-factors/take-factor.ts';
import type { PeopleDeps } from '../deps.ts';
import { enrolRequest } from './enrolment/enrol-request.ts';
import { findFreshProofRefusal } from './enrolment/fresh-proof.ts';
import { NO_PARTY } from './enrolment/no-party.ts';
import { isIsStillSigned } from './enrolment/still-signed-in.ts';

const WRONG = 'This is no passkey for this service that was made for the options this session was given: ask for new ones.';
const KNOWN = 'This passkey is enrolled already.';

/**
 * Starts enrolling a passkey. In a session that one organization's provider vouched for, it is a second factor there, and cannot begin a
 * sign-in.
 */
export const enrolPasskey: Handler<Endpoints['enrolPasskey'], PeopleDeps> = async (call, deps) => {
  const { caller, now, body } = call;
  const refused = await findFreshProofRefusal(caller, now, deps);
  if (refused) return refused;
  const { party, keys } = deps.factors;
  if (!party) return call.refuse('CONFLICT', NO_PARTY);
  const ceremony = { of: 'enrolment', sessionId: caller.credentialId } as const;
  const made = await readAttestation({ key: keys.passkeyChallenges, party, ceremony, now }, body.passkey);
  if (!made) return call.fault('/passkey', WRONG);
  const { met, ...passkey } = made;
  const user_id = caller.actor.id;
  return call.change(
    async (change) => {
      const factors = await lockFactors(change.tx, user_id);
      if (!(await isIsStillSigned(change.tx, caller, now)))
        return call.refuse('CONFLICT', 'This session has ended meanwhile: sign in again.');
      const vouched_by = getVouchingOrganization(caller, factors);
      const full = createFullRefusal(factors, vouched_by);
      if (full) return full;
      if (!(await takePasskeyChallenge(change.tx, met))) return call.fault('/passkey', WRONG);
      const row = { id: call.newId('second_factor'), kind: 'PASSKEY' as const, name: body.name ?? 'Passkey' };
      await insertFactor(change.tx, { ...row, ...passkey, vouched_by, user_id, enrolled_in: caller.credentialId, now });
      const factor = { ...row, created_at: now.toISOString(), last_used_at: null, vouched_by };
      return recordEnrolledFactor(change, { factor, factors, proof: 'PASSKEY', now }, enrolRequest(call), deps);
    },
    { second_factors_credential_is_unique: () => call.refuse('CONFLICT', KNOWN) },
  );
};

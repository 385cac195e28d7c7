import type { Endpoints } from '@svc/contract/endpoints.ts';
import { getVouchingOrganization } from '@svc/domain/people/second-factors/vouching-organization.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findTotpStep } from '@svc/keyring/factors/totp.ts';
import { recordEnrolledFactor } from '@svc/operations/people/second-factors/enrolled.ts';
import { confirmFactor, findUnconfirmed, lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { PeopleDeps } from '../deps.ts';
import { enrolRequest } from './enrolment/enrol-request.ts';
import { isIsStillSigned } from './enrolment/still-signed-in.ts';

const NONE = 'No authenticator app with this id is being enrolled in this session. Start the enrollment again.';
const WRONG = 'The code is wrong. Check that the clock of the device is correct.';

export const confirmTotp: Handler<Endpoints['confirmTotp'], PeopleDeps> = async (call, deps) => {
  const { caller, now } = call;
  const place = { user_id: caller.actor.id, id: call.params.factorId };
  const mine = { userId: place.user_id, id: place.id, now };
  const sealed = await findUnconfirmed(deps.identity, { ...mine, sessionId: caller.credentialId });
  if (!sealed) return call.refuse('NOT_FOUND', NONE);
  const step = findTotpStep(deps.factors.keys.sealing, place, sealed, call.body.code, now);
  if (step === undefined) return call.refuse('INVALID_CREDENTIALS', WRONG);
  return call.change(async (change) => {
    const factors = await lockFactors(change.tx, place.user_id);
    if (!(await isIsStillSigned(change.tx, caller, now))) return call.refuse('NOT_FOUND', NONE);
    const vouchedBy = getVouchingOrganization(caller, factors);
    const factor = await confirmFactor(change.tx, { ...mine, vouchedBy }, step);
    if (!factor) return call.refuse('NOT_FOUND', NONE);
    return recordEnrolledFactor(change, { factor, factors, proof: 'TOTP', now }, enrolRequest(call), deps);
  });
};

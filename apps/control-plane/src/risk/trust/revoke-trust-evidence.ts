import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { asTrustEvidence } from '@svc/operations/risk/trust/as-trust-evidence.ts';
import { revokeTrustEvidence as revoke } from '@svc/operations/risk/trust/revoke-trust-evidence.ts';
import type { RiskDeps } from '../deps.ts';

export const revokeTrustEvidence: Handler<Endpoints['revokeTrustEvidence'], RiskDeps> = (call) => {
  const { caller, now } = call;
  const refuseLoosening = () => (hasFreshStepUp(caller, now) ? undefined : stepUpRefusal(caller));
  const request = { ...asActing(call), evidenceId: call.params.trustEvidenceId, reason: call.body.reason, refuseLoosening };
  return call.change(async (change) => {
    const revoked = await revoke(change, request);
    return isRefusal(revoked) ? revoked : asTrustEvidence(revoked, now);
  });
};

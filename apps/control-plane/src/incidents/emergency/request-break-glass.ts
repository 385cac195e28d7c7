import type { Endpoints } from '@svc/contract/endpoints.ts';
import { hasSecondFactor } from '@svc/contract/tables/proofs.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { requestBreakGlass as requestGrant } from '@svc/operations/incidents/emergency/request-break-glass.ts';
import type { IncidentsDeps } from '../deps.ts';

export const requestBreakGlass: Handler<Endpoints['requestBreakGlass'], IncidentsDeps> = (call) => {
  const { caller, body } = call;
  if (!hasSecondFactor(caller.amr)) return call.refuse('MFA_REQUIRED', 'Emergency access requires a session with a second factor.');
  const { reason, minutes, drill = false } = body;
  const request = { ...asActing(call), sessionId: caller.credentialId, reason, minutes, drill, newId: call.newId };
  return call.change((change) => requestGrant(change, request));
};

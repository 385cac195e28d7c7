import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { denyBreakGlass as deny } from '@svc/operations/incidents/emergency/decide-break-glass.ts';
import type { IncidentsDeps } from '../deps.ts';
import { findPartialRefusal } from './partial/partial-refusal.ts';

export const denyBreakGlass: Handler<Endpoints['denyBreakGlass'], IncidentsDeps> = (call) => {
  const partial = findPartialRefusal(call.scope);
  if (partial) return partial;
  const { caller, params, body } = call;
  const decision = { ...asActing(call), grantId: params.breakGlassId, reason: body.reason, isUnderGrant: caller.breakGlassId !== null };
  return call.change((change) => deny(change, decision));
};

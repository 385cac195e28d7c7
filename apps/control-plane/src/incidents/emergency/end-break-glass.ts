import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { endBreakGlass as end } from '@svc/operations/incidents/emergency/decide-break-glass.ts';
import type { IncidentsDeps } from '../deps.ts';

export const endBreakGlass: Handler<Endpoints['endBreakGlass'], IncidentsDeps> = (call) => {
  const { params, body } = call;
  const mayEndOthers = call.holds('emergency:execute') && !call.scope.workspace_ids;
  return call.change((change) => end(change, { ...asActing(call), grantId: params.breakGlassId, reason: body.reason, mayEndOthers }));
};

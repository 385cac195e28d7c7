import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { updateBreakGlassSettings as update } from '@svc/operations/incidents/emergency/decide-break-glass.ts';
import type { IncidentsDeps } from '../deps.ts';
import { findPartialRefusal } from './partial/partial-refusal.ts';

export const updateBreakGlassSettings: Handler<Endpoints['updateBreakGlassSettings'], IncidentsDeps> = (call) =>
  findPartialRefusal(call.scope) ?? call.change((change) => update(change, { ...asActing(call), ...call.body }));

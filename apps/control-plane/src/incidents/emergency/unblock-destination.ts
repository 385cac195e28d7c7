import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { unblockDestination as unblock } from '@svc/operations/incidents/emergency/unblock-destination.ts';
import type { IncidentsDeps } from '../deps.ts';
import { findPartialRefusal } from './partial/partial-refusal.ts';

export const unblockDestination: Handler<Endpoints['unblockDestination'], IncidentsDeps> = (call) =>
  findPartialRefusal(call.scope) ??
  call.change((change) => unblock(change, { ...asActing(call), blockId: call.params.blockId, reason: call.body.reason }));

import type { Endpoints } from '@svc/contract/endpoints.ts';
import { parseStrictTime } from '@svc/domain/agents/agents/strict-time.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { redeliverFailed as redeliver } from '@svc/operations/events/deliveries/redeliver-failed.ts';
import type { EventsDeps } from '../deps.ts';

export const redeliverFailed: Handler<Endpoints['redeliverFailed'], EventsDeps> = (call) => {
  const { body } = call;
  const since = parseStrictTime(body.since);
  if (since === null) return call.fault('/since', 'Must be a UTC time such as 2026-01-31T09:30:00.000Z.');
  return call.change((change) =>
    redeliver(change, { ...asActing(call), subscriptionId: call.params.subscriptionId, body: call.body }, since),
  );
};

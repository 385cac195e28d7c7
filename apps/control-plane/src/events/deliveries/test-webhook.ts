import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { testWebhook as test } from '@svc/operations/events/deliveries/test-webhook.ts';
import type { EventsDeps } from '../deps.ts';

export const testWebhook: Handler<Endpoints['testWebhook'], EventsDeps> = (call) => {
  return call.change((change) => test(change, { ...asActing(call), subscriptionId: call.params.subscriptionId, body: call.body }));
};

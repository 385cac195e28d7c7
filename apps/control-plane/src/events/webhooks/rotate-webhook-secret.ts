import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { rotateWebhookSecret as rotate } from '@svc/operations/events/webhooks/rotate-webhook-secret.ts';
import type { EventsDeps } from '../deps.ts';

export const rotateWebhookSecret: Handler<Endpoints['rotateWebhookSecret'], EventsDeps> = (call, { webhooks }) => {
  return call.change((change) =>
    rotate(change, { ...asActing(call), subscriptionId: call.params.subscriptionId, body: call.body }, webhooks),
  );
};

import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteWebhook as remove } from '@svc/operations/events/webhooks/delete-webhook.ts';
import type { EventsDeps } from '../deps.ts';

export const deleteWebhook: Handler<Endpoints['deleteWebhook'], EventsDeps> = (call) => {
  return call.change((change) => remove(change, { ...asActing(call), subscriptionId: call.params.subscriptionId }));
};

import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findUrlFault } from '@svc/domain/events/webhooks/url-fault.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { NAME_TAKEN } from '@svc/operations/events/webhooks/name-taken.ts';
import { updateWebhook as update } from '@svc/operations/events/webhooks/update-webhook.ts';
import type { EventsDeps } from '../deps.ts';

export const updateWebhook: Handler<Endpoints['updateWebhook'], EventsDeps> = (call, { webhooks }) => {
  const { body } = call;
  if (Object.keys(body).length === 0) return call.fault('', 'Name at least one member to change.');
  const wrongUrl = body.url === undefined ? undefined : findUrlFault(body.url, webhooks);
  if (wrongUrl !== undefined) return call.fault('/url', wrongUrl);
  return call.change(
    (change) =>
      update(change, {
        ...asActing(call),
        subscriptionId: call.params.subscriptionId,
        body: call.body,
        credentialId: call.caller.credentialId,
        lacks: call.lacks,
      }),
    { webhook_subscriptions_name_is_unique: () => call.refuse('ALREADY_EXISTS', NAME_TAKEN) },
  );
};

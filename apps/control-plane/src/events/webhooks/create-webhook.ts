import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findUrlFault } from '@svc/domain/events/webhooks/url-fault.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { createWebhook as create } from '@svc/operations/events/webhooks/create-webhook.ts';
import { listLackedReads } from '@svc/operations/events/webhooks/lacked-reads.ts';
import { NAME_TAKEN } from '@svc/operations/events/webhooks/name-taken.ts';
import type { EventsDeps } from '../deps.ts';

export const createWebhook: Handler<Endpoints['createWebhook'], EventsDeps> = (call, { webhooks }) => {
  const { body } = call;
  const wrongUrl = findUrlFault(body.url, webhooks);
  if (wrongUrl !== undefined) return call.fault('/url', wrongUrl);
  const lacked = listLackedReads(call, body.event_types);
  if (lacked) return lacked;
  return call.change((change) => create(change, { ...asActing(call), body: call.body, credentialId: call.caller.credentialId }, webhooks), {
    webhook_subscriptions_name_is_unique: () => call.refuse('ALREADY_EXISTS', NAME_TAKEN),
  });
};

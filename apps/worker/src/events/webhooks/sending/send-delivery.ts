import type { DeliveryAttempt } from '@svc/contract/events/deliveries.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { buildDeliveryBody, CONTENT_TYPES, type TellableEvent, testEvent } from '@svc/domain/events/webhooks/body.ts';
import type { ReceiverRequest } from '@svc/domain/events/webhooks/receiver-request.ts';
import { buildDeliveryHeaders, buildSignedText, buildStandardSignedText } from '@svc/domain/events/webhooks/signed-text.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import { API_VERSION } from '@svc/http/documents/version.ts';
import type { ClaimedDelivery } from '@svc/postgres/events/webhooks/claim-deliveries.ts';
import { judgeAttempt } from './judge-attempt.ts';
import type { Signatures } from './sign-delivery.ts';

export type SendDeps = { readonly egress: Egress; readonly signatures: Signatures; readonly clock: () => Date };

/** Recorded result of an attempt, and the receiver's requests. */
export type SentDelivery = { readonly attempt: DeliveryAttempt; readonly asked: ReceiverRequest };

const USER_AGENT = `${WIRE_NAME}-webhook/${API_VERSION}`;

/** Returns the event of a delivery; undefined if the record no longer has it. */
export const readEvent = (delivery: ClaimedDelivery): TellableEvent | undefined =>
  delivery.is_test
    ? testEvent({
        id: delivery.event_id,
        type: delivery.event_type,
        occurred_at: delivery.created_at,
        organization_id: delivery.organization_id,
        workspace_id: delivery.workspace_id,
        environment_id: delivery.environment_id,
        subscription_id: delivery.subscription_id,
      })
    : delivery.event;

/** Makes one attempt, with a new signature over the bytes that are sent. */
export const sendDelivery = async (
  { egress, signatures, clock }: SendDeps,
  delivery: ClaimedDelivery,
  event: TellableEvent,
): Promise<SentDelivery> => {
  const body = buildDeliveryBody(event, delivery.body_format);
  const now = clock();
  const unixSeconds = Math.floor(now.getTime() / 1_000);
  const [own, standard] = [buildSignedText(unixSeconds, body), buildStandardSignedText(delivery.event_id, unixSeconds, body)];
  const begun = performance.now();
  const result = await egress.call({
    method: 'POST',
    url: delivery.url,
    headers: {
      'content-type': CONTENT_TYPES[delivery.body_format],
      'user-agent': USER_AGENT,
      ...buildDeliveryHeaders({
        eventId: delivery.event_id,
        eventType: delivery.event_type,
        deliveryId: delivery.id,
        attempt: delivery.attempt,
        unixSeconds,
        signatures: signatures(delivery, own, standard),
      }),
    },
    body,
    timeoutMs: LIMITS.webhooks.deliveryTimeoutMs,
    tenant: delivery.organization_id,
    keepFor: delivery.subscription_id,
  });
  const { asked, ...verdict } = judgeAttempt(result);
  const duration_ms = Math.round(performance.now() - begun);
  return { attempt: { attempt: delivery.attempt, at: now.toISOString(), duration_ms, ...verdict }, asked };
};

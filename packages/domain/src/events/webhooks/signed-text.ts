import { WEBHOOK_HEADERS } from '@svc/contract/tables/wire-name.ts';

/** Returns the input of our own signature: the raw body after the time in unix seconds. */
export const buildSignedText = (unixSeconds: number, body: string): string => `${unixSeconds}.${body}`;

/** Returns the input of a Standard Webhooks signature. Its id is that of the event, since receivers deduplicate on it. */
export const buildStandardSignedText = (eventId: string, unixSeconds: number, body: string): string => `${eventId}.${unixSeconds}.${body}`;

/** Signatures by one secret: ours in hex, and that of Standard Webhooks in base64. */
export type DeliverySignature = { readonly hex: string; readonly base64: string };

export type Signed = {
  readonly eventId: string;
  readonly eventType: string;
  readonly deliveryId: string;
  readonly attempt: number;
  readonly unixSeconds: number;
  /** Signatures by the newest secret first; by two of them during a rotation. */
  readonly signatures: readonly DeliverySignature[];
};

/** Returns the headers by which a receiver verifies a delivery: ours, and those of Standard Webhooks. */
export const buildDeliveryHeaders = ({
  eventId,
  eventType,
  deliveryId,
  attempt,
  unixSeconds,
  signatures,
}: Signed): Record<string, string> => ({
  [WEBHOOK_HEADERS.signature]: [`t=${unixSeconds}`, ...signatures.map(({ hex }) => `v1=${hex}`)].join(','),
  [WEBHOOK_HEADERS.eventId]: eventId,
  [WEBHOOK_HEADERS.eventType]: eventType,
  [WEBHOOK_HEADERS.deliveryId]: deliveryId,
  [WEBHOOK_HEADERS.deliveryAttempt]: String(attempt),
  'webhook-id': eventId,
  'webhook-timestamp': String(unixSeconds),
  'webhook-signature': signatures.map(({ base64 }) => `v1,${base64}`).join(' '),
});

import { WEBHOOK_HEADERS } from '@svc/contract/tables/wire-name.ts';

/** What our own signature is over: the raw body with the time in unix seconds before it. */
export const signedText = (unixSeconds: number, body: string): string => `${unixSeconds}.${body}`;

/** What a signature by Standard Webhooks is over. Its id is that of the event, since receivers deduplicate on it. */
export const standardSignedText = (eventId: string, unixSeconds: number, body: string): string => `${eventId}.${unixSeconds}.${body}`;

/** By one secret: our own digest in hex, and that of Standard Webhooks in base64. */
export type Signature = { readonly hex: string; readonly base64: string };

export type Signed = {
  readonly eventId: string;
  readonly eventType: string;
  readonly deliveryId: string;
  readonly attempt: number;
  readonly unixSeconds: number;
  /** By the newest secret first; by two of them while a rotation goes on. */
  readonly signatures: readonly Signature[];
};

/** Every header by which a receiver tells who sent a delivery, and which: ours, and those of Standard Webhooks beside them. */
export const headersOf = ({ eventId, eventType, deliveryId, attempt, unixSeconds, signatures }: Signed): Record<string, string> => ({
  [WEBHOOK_HEADERS.signature]: [`t=${unixSeconds}`, ...signatures.map(({ hex }) => `v1=${hex}`)].join(','),
  [WEBHOOK_HEADERS.eventId]: eventId,
  [WEBHOOK_HEADERS.eventType]: eventType,
  [WEBHOOK_HEADERS.deliveryId]: deliveryId,
  [WEBHOOK_HEADERS.deliveryAttempt]: String(attempt),
  'webhook-id': eventId,
  'webhook-timestamp': String(unixSeconds),
  'webhook-signature': signatures.map(({ base64 }) => `v1,${base64}`).join(' '),
});

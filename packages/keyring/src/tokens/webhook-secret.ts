import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { openEnvelope, sealEnvelope } from '../sealed/envelope.ts';

const prefix = SECRET_PREFIXES.webhook_secret;

type Place = { readonly organization_id: string; readonly id: string };

const getPlace = ({ organization_id, id }: Place): string => `webhook_subscriptions/${organization_id}/${id}/secret`;

/** Seals the secret of a subscription, which is read back for each delivery, bound to its row. */
export const sealWebhookSecret = (key: KeyObject, secret: string, place: Place): Buffer =>
  sealEnvelope(key, Buffer.from(secret, 'utf8'), getPlace(place));

export const openWebhookSecret = (key: KeyObject, sealed: Uint8Array, place: Place): string =>
  openEnvelope(key, sealed, getPlace(place)).toString('utf8');

const digest = (key: KeyObject, text: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(text, 'utf8').digest(encoding);

export type WebhookSigner = (own: string, standard: string) => { readonly hex: string; readonly base64: string };

/**
 * Computes the HMAC-SHA256 of two texts with one secret: of the first keyed with the secret as written, of the second with its
 * base64-decoded bytes.
 */
export const newWebhookSigner = (secret: string): WebhookSigner => {
  const own = createSecretKey(secret, 'utf8');
  const standard = createSecretKey(secret.slice(prefix.length), 'base64');
  return (ownText, standardText) => ({ hex: digest(own, ownText, 'hex'), base64: digest(standard, standardText, 'base64') });
};

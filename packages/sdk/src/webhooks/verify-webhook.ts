import { WEBHOOK_HEADERS, WEBHOOK_WINDOW_SECONDS } from '../wire/wire-format.ts';

/** Headers as `fetch` or Node provide them, names in lower case. */
export type WebhookRequestHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Content of a verified delivery. */
export type WebhookDelivery = {
  /** Stable over all attempts: deduplicate on it. */
  readonly eventId: string;
  readonly eventType: string;
  /** Not signed, like the attempt: for logs and questions only, not for decisions. */
  readonly deliveryId: string;
  /** From 1. */
  readonly attempt: number;
};

/** A delivery that must not be trusted. `message` states why, without its content. */
export class WebhookNotVerified extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

const encoder = new TextEncoder();
const asBytes = (body: string | Uint8Array): Uint8Array => (typeof body === 'string' ? encoder.encode(body) : body);

const getHeader = (headers: WebhookRequestHeaders, name: string): string => {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'string') return value;
  throw new WebhookNotVerified(`The header ${name} is missing or occurs more than once.`);
};

const FORM = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64}){1,8})$/;

const readSignature = (header: string): { readonly unixSeconds: number; readonly digests: readonly string[] } => {
  const [, time, digests = ''] = FORM.exec(header) ?? [];
  if (time === undefined) throw new WebhookNotVerified('The signature does not have the form t=...,v1=....');
  return { unixSeconds: Number(time), digests: digests.split(',v1=').slice(1) };
};

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const signedBytes = (time: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const head = encoder.encode(`${time}.`);
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
};

/** True if one of the digests is that of the bytes with this secret; compared in constant time by the platform. */
const isSignedBy = async (secret: string, bytes: Uint8Array<ArrayBuffer>, digests: readonly string[]): Promise<boolean> => {
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const found = await Promise.all(digests.map((digest) => crypto.subtle.verify('HMAC', key, bytesOfHex(digest), bytes)));
  return found.includes(true);
};

/** Returns what the body states about itself, in either format; this is signed. */
const saidBy = (body: string | Uint8Array): { readonly id?: unknown; readonly type?: unknown } => {
  try {
    const said: unknown = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
    return typeof said === 'object' && said !== null ? said : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
};

/** Returns a header that must equal the body's statement: someone who once saw a delivery could replace it. */
const confirmedBy = (said: unknown, headers: WebhookRequestHeaders, name: string): string => {
  if (said === getHeader(headers, name)) return said as string;
  throw new WebhookNotVerified(`The header ${name} does not match the body.`);
};

/**
 * Verifies a delivery by its raw body, its headers, and the signing secret; pass both secrets during a rotation. Throws {@link
 * WebhookNotVerified} for a time more than 300 s from this clock, before anything is computed, and for any other signature. A delivery is a
 * notification: read the resource before acting on it.
 */
export const verifyWebhook = async (
  body: string | Uint8Array,
  headers: WebhookRequestHeaders,
  secret: string | readonly string[],
  nowMs: number = Date.now(),
): Promise<WebhookDelivery> => {
  const header = getHeader(headers, WEBHOOK_HEADERS.signature);
  const { unixSeconds, digests } = readSignature(header);
  if (Math.abs(nowMs / 1_000 - unixSeconds) > WEBHOOK_WINDOW_SECONDS)
    throw new WebhookNotVerified('The timestamp of the signature is too old or in the future.');
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || secrets.includes('')) throw new WebhookNotVerified('No secret was given to verify the signature.');
  const bytes = signedBytes(header.slice(2, header.indexOf(',')), asBytes(body));
  const verified = await Promise.all(secrets.map((each) => isSignedBy(each, bytes, digests)));
  if (!verified.includes(true)) throw new WebhookNotVerified('The signature does not match the body and the secret.');
  const { id, type } = saidBy(body);
  return {
    eventId: confirmedBy(id, headers, WEBHOOK_HEADERS.eventId),
    eventType: confirmedBy(type, headers, WEBHOOK_HEADERS.eventType),
    deliveryId: getHeader(headers, WEBHOOK_HEADERS.deliveryId),
    attempt: Number(getHeader(headers, WEBHOOK_HEADERS.deliveryAttempt)),
  };
};

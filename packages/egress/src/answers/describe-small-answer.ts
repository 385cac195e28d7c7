import { type Hider, newHider } from '@svc/domain/credentials/hide-secret.ts';
import type { Hidden } from '../requests/prove-request.ts';
import { decodeText, readJson } from './read-json.ts';

/** A response to be returned whole. */
export type SmallAnswer = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly saysJson: boolean;
  /** Secrets masked in it. */
  readonly hidden: Hidden;
};

/** `bodyJson` if the body is JSON and its media type says so. */
export type SmallText = { readonly headers: Record<string, string>; readonly body: string; readonly bodyJson?: unknown };

export const maskHeaders = (headers: SmallAnswer['headers'], hider: Hider): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [hider.inText(name), hider.inText([value].flat().join(', '))]));

const SAID_OTHERWISE = /\\|\d[eE][+-]?\d/;

/** Reads a small response. */
export const describeSmallAnswer = ({ headers, body: bytes, saysJson, hidden: { secrets, sent } }: SmallAnswer): SmallText => {
  const hider = newHider(secrets, sent);
  const base = { headers: maskHeaders(headers, hider) };
  const text = decodeText(bytes);
  const told = saysJson ? readJson(text) : undefined;
  // A secret that does not occur in the text occurs in none of its values, unless these are escaped, or numbers in another notation.
  if (told !== undefined && SAID_OTHERWISE.test(text)) {
    const bodyJson = hider.inJson(told);
    return { ...base, body: JSON.stringify(bodyJson), bodyJson };
  }
  const body = hider.inText(text);
  return { ...base, body, ...(told === undefined ? {} : { bodyJson: body === text ? told : hider.inJson(told) }) };
};

import { newHider } from '@svc/domain/credentials/hide-secret.ts';
import type { Expectations } from '@svc/domain/tools/terms/call-terms.ts';
import { judgeBody, type ReadBody, readsBody, UNREADABLE } from '@svc/domain/tools/terms/judge-answer.ts';
import { maskPaths } from '@svc/policy/masks/mask-paths.ts';
import type { Hidden } from '../requests/prove-request.ts';
import { hasFewValues, readJson, textOf } from './read-json.ts';

/** A body to be told as JSON. */
export type LargeBody = {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly saysJson: boolean;
  /** Paths hidden in it. */
  readonly masks: readonly string[];
  /** Secrets that are hidden in it. */
  readonly hidden: Hidden;
  /** More values than this are not built; the body is then told as the text it is. */
  readonly valuesMax: number;
  /** What is kept of it, and what in it is a failure. */
  readonly expects?: Expectations | null;
  /** Of the JSON text told. */
  readonly bytesMax: number;
};

export type Told =
  /** JSON text in UTF-8. */
  | { readonly kind: 'told'; readonly json: Uint8Array<ArrayBuffer>; readonly read?: Omit<ReadBody, 'value'> }
  /** Masks apply, and there are no members in which they could be found. */
  | { readonly kind: 'unmaskable' }
  | { readonly kind: 'too_large' };

const encoder = new TextEncoder();

/** Escaped in JSON a text may become six times as long: what this function may need is known before it is begun. */
const ESCAPED_TIMES_MAX = 6;

const countEscapes = (body: Uint8Array): number => {
  let escapes = 0;
  for (const byte of body) if (byte < 0x20) escapes += 1;
  return escapes;
};

const hasMembers = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** What a large body is told as. May take long: it belongs into a thread of its own. */
export const tellLarge = ({ body, saysJson, masks, hidden: { secrets, sent }, valuesMax, bytesMax, expects = null }: LargeBody): Told => {
  if (body.length + countEscapes(body) * (ESCAPED_TIMES_MAX - 1) > bytesMax) return { kind: 'too_large' };
  const text = textOf(body);
  const value = saysJson && hasFewValues(body, valuesMax) ? readJson(text) : undefined;
  const hider = newHider(secrets, sent);
  const hidden = value === undefined ? undefined : hider.inJson(value);
  const { value: kept = hider.inText(text), ...read } = readsBody(expects)
    ? hidden === undefined
      ? UNREADABLE
      : judgeBody(expects, hidden)
    : { value: hidden };
  // Kept parts stand where they stood, so that masks find them.
  if (masks.length > 0 && kept !== null && !hasMembers(kept)) return { kind: 'unmaskable' };
  const json = encoder.encode(JSON.stringify(masks.length > 0 ? maskPaths(kept, masks) : kept));
  if (json.length > bytesMax) return { kind: 'too_large' };
  return { kind: 'told', json, ...(readsBody(expects) ? { read } : {}) };
};

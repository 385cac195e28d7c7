import { newHider } from '@svc/domain/credentials/hide-secret.ts';
import type { Expectations } from '@svc/domain/tools/terms/call-terms.ts';
import { judgeBody, type KeptBody, readsBody, UNREADABLE } from '@svc/domain/tools/terms/judge-answer.ts';
import { maskPaths } from '@svc/policy/masks/mask-paths.ts';
import type { Hidden } from '../requests/prove-request.ts';
import { decodeText, hasFewValues, readJson } from './read-json.ts';

/** A body to be parsed as JSON. */
export type LargeBody = {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly saysJson: boolean;
  /** Paths masked in it. */
  readonly masks: readonly string[];
  /** Secrets masked in it. */
  readonly hidden: Hidden;
  /** Beyond this number of values the body is not parsed and is returned as text. */
  readonly valuesMax: number;
  /** The parts of it to keep, and what in it indicates a failure. */
  readonly expects?: Expectations | null;
  /** Maximum size of the resulting JSON text. */
  readonly bytesMax: number;
};

export type LargeText =
  /** JSON text in UTF-8. */
  | { readonly kind: 'told'; readonly json: Uint8Array<ArrayBuffer>; readonly read?: Omit<KeptBody, 'value'> }
  /** Masks apply, but there are no members in which they could be found. */
  | { readonly kind: 'unmaskable' }
  | { readonly kind: 'too_large' };

const encoder = new TextEncoder();

/** Escaped in JSON a text may become six times as long: the memory needed here is known beforehand. */
const ESCAPED_TIMES_MAX = 6;

const countEscapes = (body: Uint8Array): number => {
  let escapes = 0;
  for (const byte of body) if (byte < 0x20) escapes += 1;
  return escapes;
};

const hasMembers = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Converts a large body to JSON text. May take long: call it in a worker thread. */
export const describeLargeAnswer = ({
  body,
  saysJson,
  masks,
  hidden: { secrets, sent },
  valuesMax,
  bytesMax,
  expects = null,
}: LargeBody): LargeText => {
  if (body.length + countEscapes(body) * (ESCAPED_TIMES_MAX - 1) > bytesMax) return { kind: 'too_large' };
  const text = decodeText(body);
  const value = saysJson && hasFewValues(body, valuesMax) ? readJson(text) : undefined;
  const hider = newHider(secrets, sent);
  const hidden = value === undefined ? undefined : hider.inJson(value);
  const { value: kept = hider.inText(text), ...read } = readsBody(expects)
    ? hidden === undefined
      ? UNREADABLE
      : judgeBody(expects, hidden)
    : { value: hidden };
  // Kept parts keep their paths, so that masks find them.
  if (masks.length > 0 && kept !== null && !hasMembers(kept)) return { kind: 'unmaskable' };
  const json = encoder.encode(JSON.stringify(masks.length > 0 ? maskPaths(kept, masks) : kept));
  if (json.length > bytesMax) return { kind: 'too_large' };
  return { kind: 'told', json, ...(readsBody(expects) ? { read } : {}) };
};

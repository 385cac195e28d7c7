import { LIMITS } from '@svc/contract/tables/limits.ts';
import { readReceiverRequest } from '../webhooks/receiver-request.ts';
import type { ChannelReceiver } from './kinds/receiver.ts';

/** The failure of a post. */
export type PostFailure = {
  readonly reason: string;
  /** True if the receiver reports that the webhook no longer exists. */
  readonly gone: boolean;
  /** The requested Retry-After, in milliseconds. */
  readonly askedMs: number | null;
};

const { retryDelaysSeconds, disableAfterFailingSeconds, goneResponsesMax } = LIMITS.channels;
/** Extra wait, as a fraction, so that simultaneous failures are not retried together (jitter). */
const JITTER = 0.3;

/** Classifies a status that is not a success. */
export const classifyFailure = (receiver: ChannelReceiver, status: number, retryAfter: string | undefined, reason: string): PostFailure => {
  const asked = readReceiverRequest(status, retryAfter);
  return { reason, gone: receiver.gone.has(status), askedMs: typeof asked === 'number' ? asked : null };
};

/** Returns the backoff in milliseconds after consecutive failures, with a random fraction from 0 to 1; never less than requested. */
export const waitMs = (failures: number, askedMs: number | null, fraction: number): number => {
  const seconds = retryDelaysSeconds[Math.min(Math.max(failures, 1), retryDelaysSeconds.length) - 1] ?? 0;
  const ownMs = Math.round(seconds * 1_000 * (1 + JITTER * fraction));
  return askedMs === null ? ownMs : Math.max(askedMs, LIMITS.channels.everyMs);
};

type Standing = { readonly gone_answers: number; readonly failing_since: string | null };

/** Returns why a channel is disabled until a person looks at it; undefined if it is not. */
export const reasonToDisable = ({ gone_answers, failing_since }: Standing, nowMs: number): 'RECEIVER_GONE' | 'FAILING' | undefined => {
  if (gone_answers >= goneResponsesMax) return 'RECEIVER_GONE';
  const isOver = failing_since !== null && nowMs - Date.parse(failing_since) >= disableAfterFailingSeconds * 1_000;
  return isOver ? 'FAILING' : undefined;
};

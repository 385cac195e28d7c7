import { LIMITS } from '@svc/contract/tables/limits.ts';
import { askedOf } from '../webhooks/asked-of.ts';
import type { Receiver } from './kinds/receiver.ts';

/** How a post went that did not arrive. */
export type PostFailure = {
  readonly reason: string;
  /** Whether the receiver says that there is no such webhook any more. */
  readonly gone: boolean;
  /** For how long it asked to be left alone. */
  readonly askedMs: number | null;
};

const { retryDelaysSeconds, disableAfterFailingSeconds, goneAnswersMax } = LIMITS.channels;
/** A wait is up to so much longer, so that what failed together does not come back together. */
const JITTER = 0.3;

/** What a status says that is none of success. */
export const failureOf = (receiver: Receiver, status: number, retryAfter: string | undefined, reason: string): PostFailure => {
  const asked = askedOf(status, retryAfter);
  return { reason, gone: receiver.gone.has(status), askedMs: typeof asked === 'number' ? asked : null };
};

/** Milliseconds until the post after so many in a row that did not arrive, by a fraction from 0 to 1; never less than was asked for. */
export const waitMs = (failures: number, askedMs: number | null, fraction: number): number => {
  const seconds = retryDelaysSeconds[Math.min(Math.max(failures, 1), retryDelaysSeconds.length) - 1] ?? 0;
  const ownMs = Math.round(seconds * 1_000 * (1 + JITTER * fraction));
  return askedMs === null ? ownMs : Math.max(askedMs, LIMITS.channels.everyMs);
};

type Standing = { readonly gone_answers: number; readonly failing_since: string | null };

/** Why nothing is sent to a channel any more until somebody looks; undefined where it is. */
export const reasonToDisable = ({ gone_answers, failing_since }: Standing, nowMs: number): 'RECEIVER_GONE' | 'FAILING' | undefined => {
  if (gone_answers >= goneAnswersMax) return 'RECEIVER_GONE';
  const isOver = failing_since !== null && nowMs - Date.parse(failing_since) >= disableAfterFailingSeconds * 1_000;
  return isOver ? 'FAILING' : undefined;
};

import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { LargeBody, LargeText } from './describe-large-answer.ts';
import type { SmallAnswer, SmallText } from './describe-small-answer.ts';
import { openReadingThread, type ReadingThread } from './open-reading-thread.ts';

export type LargeAnswers = ReadingThread<LargeBody, LargeText>;
export type SlowResponses = ReadingThread<SmallAnswer, SmallText>;

/**
 * Opens the worker thread for responses too large to read in the decision thread. Callers hold a slot for it, so the queue is as short as
 * the
 * number of slots.
 */
export const openLargeAnswers = (): LargeAnswers => openReadingThread(new URL('./large-answers-thread.ts', import.meta.url));

/**
 * Opens the worker thread for small responses whose secrets take long to mask: separate from large ones, which take longer still. Callers
 * hold
 * the slot of their call, so the queue is bounded by the slots, and the wait by what the record of a call allows for a large response.
 */
export const openSlowResponses = (): SlowResponses =>
  openReadingThread(new URL('./slow-answers-thread.ts', import.meta.url), LIMITS.egress.largeAnswerMs);

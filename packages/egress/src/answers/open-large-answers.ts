import { LIMITS } from '@svc/contract/tables/limits.ts';
import { openReadingThread, type ReadingThread } from './open-reading-thread.ts';
import type { LargeBody, Told } from './tell-large.ts';
import type { SmallAnswer, ToldSmall } from './tell-small.ts';

export type LargeAnswers = ReadingThread<LargeBody, Told>;
export type DearAnswers = ReadingThread<SmallAnswer, ToldSmall>;

/** For answers that are too large to be read where decisions are made. Whoever calls holds a slot for it, so that the queue is as short as there are slots. */
export const openLargeAnswers = (): LargeAnswers => openReadingThread(new URL('./large-answers-thread.ts', import.meta.url));

/**
 * For small answers whose secrets take long to hide: apart from large ones, each of which takes longer still. Whoever calls holds the place of its
 * call, so that the queue is as short as there are places; and for no longer than the record of the call allows for what a large answer takes.
 */
export const openDearAnswers = (): DearAnswers =>
  openReadingThread(new URL('./dear-answers-thread.ts', import.meta.url), LIMITS.egress.largeAnswerMs);

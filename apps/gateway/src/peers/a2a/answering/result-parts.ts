import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { OnProgress } from '@svc/enforcement/facts/progress.ts';
import { type A2aMessage, a2aResult } from '@svc/peers/a2a/front/read-request.ts';
import type { Members } from './decide-message.ts';

/** Parts of a result, queued for a subscriber. */
export const newResultParts = (id: A2aMessage['id']) => {
  const early: Members[] = [];
  let listener: ((message: Members) => void) | undefined;
  const pass = (part: Members): void => {
    const message = a2aResult(id, part);
    if (listener !== undefined) listener(message);
    else if (early.length < LIMITS.a2a.eventsWaitingMax) early.push(message);
  };
  const onProgress: OnProgress = ({ part }) => {
    if (part !== undefined) pass(part);
  };
  return {
    pass,
    onProgress,
    subscribe: (next: (message: Members) => void): void => {
      listener = next;
      for (const message of early.splice(0)) next(message);
    },
  };
};

export type ResultParts = ReturnType<typeof newResultParts>;

import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { OnProgress } from '@svc/enforcement/facts/progress.ts';
import { type A2aMessage, a2aResult } from '@svc/peers/a2a/front/read-request.ts';

/** Parts of a result, queued for a subscriber. */
export const newResultParts = (id: A2aMessage['id']) => {
  const early: JsonObject[] = [];
  let listener: ((message: JsonObject) => void) | undefined;
  const pass = (part: JsonObject): void => {
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
    subscribe: (next: (message: JsonObject) => void): void => {
      listener = next;
      for (const message of early.splice(0)) next(message);
    },
  };
};

export type ResultParts = ReturnType<typeof newResultParts>;

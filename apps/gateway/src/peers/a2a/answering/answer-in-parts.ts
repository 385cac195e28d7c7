import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { OnProgress } from '@svc/enforcement/facts/progress.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import type { A2aAnswer } from '@svc/http/wires/a2a.ts';
import { A2A_CODES, type A2aMessage, a2aError } from '@svc/peers/a2a/front/read-request.ts';
import { STREAMING_METHODS } from '@svc/peers/a2a/upstream/call.ts';
import type { A2aCall } from './decide-message.ts';
import { newResultParts, type ResultParts } from './result-parts.ts';

/** Input of an answer. `parts` is undefined for a method that does not stream. */
export type A2aAnswerInput = {
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress | undefined;
  readonly parts: ResultParts | undefined;
};

/** Answers one message, as a stream if its method streams. The work ends when the client closes a stream. */
export const answerInParts = async (
  call: Pick<A2aCall, 'log' | 'requestId'>,
  message: A2aMessage,
  work: (answering: A2aAnswerInput) => Promise<JsonObject>,
): Promise<A2aAnswer> => {
  const gone = new AbortController();
  const isStream = STREAMING_METHODS.includes(message.method);
  const parts = newResultParts(message.id);
  const answering = isStream
    ? { signal: gone.signal, onProgress: parts.onProgress, parts }
    : { signal: gone.signal, onProgress: undefined, parts: undefined };
  const last = runOrRefuse(
    () => work(answering),
    (error) => call.log.error({ err: error, request_id: call.requestId }, 'an A2A call failed'),
  ).then((result) =>
    isRefusal(result) ? a2aError(message.id, { code: A2A_CODES.internalError, message: 'The service failed. Try again.' }) : result,
  );
  return isStream ? { last, subscribe: parts.subscribe, cancel: () => gone.abort() } : { message: await last };
};

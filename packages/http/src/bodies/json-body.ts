import { isUtf8 } from 'node:buffer';
import { refusal } from '@svc/contract/rows/refusal.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refused } from '../answers/error-to-wire.ts';
import type { FairTurns } from '../turns/fair-turns.ts';
import { jsonFault } from './json-fault.ts';
import { mayLoseDigits } from './kept-numbers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came where it may hold a number that reading changes; null otherwise. */
    textOfNumbers: string | null;
  }
}

type Done = (error: Error | null, body?: unknown) => void;

/** A larger one is read when it is its sender's turn. */
const SMALL_BYTES_MAX = 16_384;

const isNoJson = (error: Error | null): boolean => error !== null && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_JSON_BODY';

const NOT_UTF8 = 'The body is not text in UTF-8.';

/**
 * JSON in UTF-8 is the only body there is. Bytes that are no text are refused and not replaced, so that no two bodies are read as one.
 * A body that was announced and left out is no body; whether a row needs one is its own question.
 */
export const addJsonBody = (app: FastifyInstance, turns: FairTurns): void => {
  app.decorateRequest('textOfNumbers', null);
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const read = (request: FastifyRequest, body: Buffer, done: Done): void => {
    if (!isUtf8(body)) return void done(new Refused(refusal('INVALID_REQUEST', NOT_UTF8)), undefined);
    const text = body.toString('utf8');
    if (mayLoseDigits(body, text)) request.textOfNumbers = text;
    void parse(request, text, (error, parsed) =>
      isNoJson(error) ? done(new Refused(refusal('INVALID_REQUEST', jsonFault(text)))) : done(error, parsed),
    );
  };
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) done(null, undefined);
    else if (body.length <= SMALL_BYTES_MAX) read(request, body, done);
    else void turns.run(request.admitted?.scope.organization_id ?? '', async () => read(request, body, done));
  });
};

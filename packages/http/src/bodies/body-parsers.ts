import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { findRepeatedMember } from '@svc/domain/events/repeated-member.ts';
import { STRANGERS } from '@svc/fairness/quantum/expensive-tenants.ts';
import type { FairScheduler } from '@svc/fairness/quantum/fair-turns.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RefusalError } from '../answers/error-to-wire.ts';
import { FILE_TYPE } from '../wires/file.ts';
import { JSON_TYPE } from '../wires/json.ts';
import { WIRES } from '../wires/wires.ts';
import { findJsonFault } from './json-fault.ts';
import { mayLoseDigits } from './kept-numbers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw body if it may contain a number that parsing changes; null otherwise. */
    textOfNumbers: string | null;
    /** The stream of a body that the handler reads; null otherwise. */
    arriving: Readable | null;
  }
}

type Done = (error: Error | null, body?: unknown) => void;

/**
 * Larger bodies, in bytes, are parsed in fair order by organization. The limit for unauthenticated clients is lower: they send only a
 * password or an assertion.
 */
const SMALL_BYTES_MAX = 16_384;
const UNAUTHENTICATED_SMALL_BYTES_MAX = 2_048;

const isJsonSyntaxError = (error: Error | null): boolean =>
  error !== null && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_JSON_BODY';

const NOT_UTF8 = 'The body must be UTF-8 text.';

/**
 * Adds the body parsers of all wires. A body must be UTF-8 text of a media type that the wire of its endpoint accepts. Invalid bytes are
 * rejected and not replaced, so that different bodies never parse to the same value. An empty body counts as no body; validation checks if
 * the endpoint requires one.
 */
export const addBodyParsers = (app: FastifyInstance, turns: FairScheduler): void => {
  app.decorateRequest('textOfNumbers', null);
  app.decorateRequest('arriving', null);
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const parseBody = (request: FastifyRequest, text: string, done: Done): void => {
    const decode = request.routeOptions.config.wire?.decode;
    if (decode === undefined) return void parse(request, text, done);
    const decoded = decode(text);
    if ('refused' in decoded) done(new RefusalError(decoded), undefined);
    else done(null, decoded.body);
  };
  const read = (request: FastifyRequest, body: Buffer, done: Done): void => {
    if (!isUtf8(body)) return void done(new RefusalError(buildRefusal('INVALID_REQUEST', NOT_UTF8)), undefined);
    const text = body.toString('utf8');
    const isJson = request.routeOptions.config.wire?.decode === undefined;
    if (isJson && mayLoseDigits(body, text)) request.textOfNumbers = text;
    parseBody(request, text, (error, parsed) => {
      if (isJsonSyntaxError(error)) return void done(new RefusalError(buildRefusal('INVALID_REQUEST', findJsonFault(text))));
      const repeated = isJson && error === null ? findRepeatedMember(text, parsed) : undefined;
      if (repeated === undefined) done(error, parsed);
      else done(new RefusalError(buildRefusal('INVALID_REQUEST', `The body has the member ${repeated} more than once. Send it once.`)));
    });
  };
  const createParser = (type: string) => (request: FastifyRequest, body: Buffer, done: Done) => {
    const { reads = [JSON_TYPE] } = request.routeOptions.config.wire ?? {};
    if (!reads.includes(type)) done(new RefusalError(buildRefusal('INVALID_REQUEST', `Send the body as ${reads[0]}.`)), undefined);
    else if (body.length === 0) done(null, undefined);
    else {
      const tenantKey = request.admitted?.scope.organization_id ?? STRANGERS;
      if (body.length <= (tenantKey === STRANGERS ? UNAUTHENTICATED_SMALL_BYTES_MAX : SMALL_BYTES_MAX)) read(request, body, done);
      else void turns.run(tenantKey, async () => read(request, body, done));
    }
  };
  const passStream = (request: FastifyRequest, payload: Readable, done: Done): void => {
    const { reads = [JSON_TYPE], isUnread } = request.routeOptions.config.wire ?? {};
    if (isUnread !== true) return void done(new RefusalError(buildRefusal('INVALID_REQUEST', `Send the body as ${reads[0]}.`)), undefined);
    request.arriving = payload;
    done(null, undefined);
  };
  const wires = Object.values(WIRES);
  app.addContentTypeParser(FILE_TYPE, passStream);
  for (const type of new Set(wires.flatMap(({ reads, isUnread }) => (isUnread ? [] : reads))))
    app.addContentTypeParser(type, { parseAs: 'buffer' }, createParser(type));
};

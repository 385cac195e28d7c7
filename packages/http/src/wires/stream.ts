import { Readable } from 'node:stream';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FastifyReply } from 'fastify';
import { sendJsonRefusal } from '../answers/reply.ts';
import { json } from './json.ts';
import { newOpenStreams } from './stream/open-streams.ts';
import { newOpenings } from './stream/openings.ts';
import { type StreamSource, writeFrames } from './stream/write-frames.ts';
import type { Wire } from './wire.ts';

export type StreamBounds = { readonly [Name in keyof typeof LIMITS.streams]: number };

/** Result of a handler: the events after a given one, until `ended`. They are pulled one by one, as they are read. */
export type StreamResult = {
  readonly eventsAfter: (lastEventId: string | undefined, ended: AbortSignal) => { readonly [Symbol.asyncIterator]: () => StreamSource };
};

const STREAM_TYPE = 'text/event-stream';
const BUFFERED_BYTES = 16_384;

const TOO_MANY = buildRefusal('RATE_LIMITED', 'Your organization has the maximum number of open streams. Close one first.', {
  retry_after_seconds: 1,
});
const NO_EVENT: Refusal = buildRefusal('INVALID_REQUEST', 'The Last-Event-ID header is not a valid event id.');

/** Closes the connection if the response is still unread some time after its end. */
const endWithin = (reply: FastifyReply, ended: AbortSignal, graceMs: number): void =>
  ended.addEventListener('abort', () => setTimeout(() => reply.raw.destroy(), graceMs).unref(), { once: true });

/**
 * Server-sent events. A stream ends with its credential, after `lifeMs`, or when its plane stops, states the reason in its last event, and
 * is resumed by Last-Event-ID; it reads from its source only as fast as it is read itself (backpressure).
 */
export const newStream = (bounds: StreamBounds = LIMITS.streams): Wire => {
  const streams = newOpenStreams(bounds);
  const openingFrom = newOpenings(bounds);
  return {
    reads: json.reads,
    answer: (reply, status, result, still) => {
      const { request } = reply;
      const after = request.headers['last-event-id'];
      if (Array.isArray(after) || (after?.length ?? 0) > bounds.lastEventIdCharsMax) return sendJsonRefusal(reply, NO_EVENT);
      reply.code(status).header('x-accel-buffering', 'no');
      if (request.method === 'HEAD') return reply.header('content-type', `${STREAM_TYPE}; charset=utf-8`).send(Readable.from([]));
      const often = openingFrom(request.ip);
      if (often) return sendJsonRefusal(reply, often);
      const opened = streams.open(request.admitted?.scope.organization_id ?? '', still);
      if (opened === undefined) return sendJsonRefusal(reply, TOO_MANY);
      const { ended, close } = opened;
      reply.raw.once('close', close);
      if (reply.raw.closed) close();
      endWithin(reply, ended, LIMITS.connections.unreadMs);
      const events = (result as StreamResult).eventsAfter(after, ended)[Symbol.asyncIterator]();
      const frames = writeFrames(events, { bounds, ended, still });
      reply.header('content-type', `${STREAM_TYPE}; charset=utf-8`);
      return reply.send(Readable.from(frames, { objectMode: false, highWaterMark: BUFFERED_BYTES }));
    },
    refuse: sendJsonRefusal,
    told: (row) => ({ ...json.told(row), answer: STREAM_TYPE }),
    drain: streams.closeAll,
    close: streams.closeAll,
  };
};

import { STREAM_ENDS, type StreamEnd } from '@svc/contract/tables/written/stream-ends.ts';
import type { StillAdmitted } from '../wire.ts';

/** One event. Its id is what a stream resumes from; the id and the name contain no line break. */
export type StreamedEvent = { readonly id?: string; readonly name?: string; readonly data: unknown };

/** Several events in wire format, encoded once for all readers. */
export type StreamedBytes = { readonly bytes: Buffer };

/** Source of a handler. Its return value is a `StreamEnd` if it states a reason. */
export type StreamSource = AsyncIterator<StreamedEvent | StreamedBytes, unknown>;

type Terms = {
  readonly bounds: { readonly heartbeatMs: number; readonly eventBytesMax: number };
  readonly ended: AbortSignal;
  /** Checked after an event was read and before it is written, so that no event is sent after access has ended. */
  readonly still: StillAdmitted;
};

const HEARTBEAT = ': \n\n';
const BREAKS = /[\r\n\0]/;

const getLine = (field: string, value: string | undefined): string => {
  if (value === undefined) return '';
  if (BREAKS.test(value)) throw new Error(`the ${field} of an event holds a line break`);
  return `${field}: ${value}\n`;
};

/** Formats one event (WHATWG HTML, server-sent events); the data are already JSON. */
export const frameText = (event: Omit<StreamedEvent, 'data'>, json: string): string =>
  `${getLine('id', event.id)}${getLine('event', event.name)}data: ${json}\n\n`;

/** Formats an id without an event, which moves the resume position. */
export const formatEventId = (id: string): string => `${getLine('id', id)}\n`;

const getFrame = (event: StreamedEvent | StreamedBytes, bytesMax: number): string | Buffer => {
  if ('bytes' in event) return event.bytes;
  const text = JSON.stringify(event.data);
  if (Buffer.byteLength(text) > bytesMax) throw new Error('an event is larger than a stream may carry');
  return frameText(event, text);
};

const endOf = (reason: StreamEnd): string => {
  const { retryMs, sentence } = STREAM_ENDS[reason];
  return `retry: ${retryMs}\n${frameText({ name: 'end' }, JSON.stringify({ reason, message: sentence }))}`;
};

/** Resolves after a time, or at the end of the stream. */
const pause = (ms: number, ended: AbortSignal): { readonly over: Promise<undefined>; readonly stop: () => void } => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const wake = (): void => resolve(undefined);
  const timer = setTimeout(wake, ms);
  ended.addEventListener('abort', wake, { once: true });
  const stop = (): void => {
    clearTimeout(timer);
    ended.removeEventListener('abort', wake);
  };
  return { over: promise, stop };
};

const nextWithin = async <Value>(next: Promise<Value>, ms: number, ended: AbortSignal): Promise<Value | undefined> => {
  const { over, stop } = pause(Math.max(0, ms), ended);
  try {
    return await Promise.race([next, over]);
  } finally {
    stop();
  }
};

/** Requests the next event; an early rejection is handled where it is awaited. */
const askNext = (events: StreamSource): ReturnType<StreamSource['next']> => {
  const next = events.next();
  void Promise.allSettled([next]);
  return next;
};

const isEnd = (reason: unknown): reason is StreamEnd => typeof reason === 'string' && reason in STREAM_ENDS;

/** Returns why nothing more is written; undefined while access continues. */
const lostAccess = async (still: StillAdmitted): Promise<StreamEnd | undefined> => {
  const [asked] = await Promise.allSettled([still()]);
  if (asked.status === 'rejected') return 'unavailable';
  return asked.value ? undefined : 'not_admitted';
};

/** Yields the bytes of a stream: events as they arrive, a comment at every heartbeat, and the reason at the end. */
export async function* writeFrames(events: StreamSource, { bounds, ended, still }: Terms): AsyncGenerator<string | Buffer> {
  const { heartbeatMs, eventBytesMax } = bounds;
  let beatAt = performance.now() + heartbeatMs;
  let next = askNext(events);
  try {
    yield HEARTBEAT;
    while (!ended.aborted) {
      const found = await nextWithin(next, beatAt - performance.now(), ended);
      if (ended.aborted) break;
      if (performance.now() >= beatAt) {
        beatAt = performance.now() + heartbeatMs;
        yield HEARTBEAT;
      }
      if (found === undefined) continue;
      if (found.done) {
        if (isEnd(found.value)) yield endOf(found.value);
        return;
      }
      const lost = await lostAccess(still);
      if (lost) {
        yield endOf(lost);
        return;
      }
      if (ended.aborted) break;
      yield getFrame(found.value, eventBytesMax);
      next = askNext(events);
    }
    if (isEnd(ended.reason)) yield endOf(ended.reason);
  } finally {
    // Not awaited: a source that waits for its own next event would keep the stream open.
    if (events.return) void Promise.allSettled([events.return(undefined)]);
  }
}

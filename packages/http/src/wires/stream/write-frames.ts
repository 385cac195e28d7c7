import { STREAM_ENDS, type StreamEnd } from '@svc/contract/tables/written/stream-ends.ts';
import type { StillAdmitted } from '../wire.ts';

/** One event. Its id is what a stream is taken up again by; neither it nor the name holds a line break. */
export type StreamedEvent = { readonly id?: string; readonly name?: string; readonly data: unknown };

/** Several events as they go over the wire, made once for all that read them. */
export type StreamedBytes = { readonly bytes: Buffer };

/** What a handler hands over. What it returns in the end is a `StreamEnd`, where it says why. */
export type StreamSource = AsyncIterator<StreamedEvent | StreamedBytes, unknown>;

type Terms = {
  readonly bounds: { readonly heartbeatMs: number; readonly eventBytesMax: number };
  readonly ended: AbortSignal;
  /** Asked after an event was found and before it is written, so that no event leaves after access has ended. */
  readonly still: StillAdmitted;
};

const HEARTBEAT = ': \n\n';
const BREAKS = /[\r\n\0]/;

const lineOf = (field: string, value: string | undefined): string => {
  if (value === undefined) return '';
  if (BREAKS.test(value)) throw new Error(`the ${field} of an event holds a line break`);
  return `${field}: ${value}\n`;
};

/** One event as text of a stream (WHATWG HTML, server-sent events); the data are JSON already. */
export const frameText = (event: Omit<StreamedEvent, 'data'>, json: string): string =>
  `${lineOf('id', event.id)}${lineOf('event', event.name)}data: ${json}\n\n`;

/** Moves on what a stream is taken up again by, without an event. */
export const idText = (id: string): string => `${lineOf('id', id)}\n`;

const frameOf = (event: StreamedEvent | StreamedBytes, bytesMax: number): string | Buffer => {
  if ('bytes' in event) return event.bytes;
  const text = JSON.stringify(event.data);
  if (Buffer.byteLength(text) > bytesMax) throw new Error('an event is larger than a stream may carry');
  return frameText(event, text);
};

const endOf = (reason: StreamEnd): string => {
  const { retryMs, sentence } = STREAM_ENDS[reason];
  return `retry: ${retryMs}\n${frameText({ name: 'end' }, JSON.stringify({ reason, message: sentence }))}`;
};

/** Resolves after so long, or at the end of the stream. */
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

/** A source that breaks while nobody waits for it is told where it is waited for. */
const askNext = (events: StreamSource): ReturnType<StreamSource['next']> => {
  const next = events.next();
  void Promise.allSettled([next]);
  return next;
};

const isEnd = (reason: unknown): reason is StreamEnd => typeof reason === 'string' && reason in STREAM_ENDS;

/** The reason for which nothing more is written; undefined while access continues. */
const lostAccess = async (still: StillAdmitted): Promise<StreamEnd | undefined> => {
  const [asked] = await Promise.allSettled([still()]);
  if (asked.status === 'rejected') return 'unavailable';
  return asked.value ? undefined : 'not_admitted';
};

/** The bytes of a stream: events as they come, a sign of life at every heartbeat, and at the end why it is one. */
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
      yield frameOf(found.value, eventBytesMax);
      next = askNext(events);
    }
    if (isEnd(ended.reason)) yield endOf(ended.reason);
  } finally {
    // Not waited for: a source that waits for its own next event would keep the stream open.
    if (events.return) void Promise.allSettled([events.return(undefined)]);
  }
}

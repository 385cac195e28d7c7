import type { StillAdmitted } from '../wire.ts';

/** One event. Its id is what a stream is taken up again by; neither it nor the name holds a line break. */
export type StreamedEvent = { readonly id?: string; readonly name?: string; readonly data: unknown };

type Terms = {
  readonly bounds: { readonly heartbeatMs: number; readonly eventBytesMax: number };
  readonly ended: AbortSignal;
  readonly still: StillAdmitted;
};

const HEARTBEAT = ': \n\n';
const BREAKS = /[\r\n\0]/;

const lineOf = (field: string, value: string | undefined): string => {
  if (value === undefined) return '';
  if (BREAKS.test(value)) throw new Error(`the ${field} of an event holds a line break`);
  return `${field}: ${value}\n`;
};

const frameOf = ({ id, name, data }: StreamedEvent, bytesMax: number): string => {
  const text = JSON.stringify(data);
  if (Buffer.byteLength(text) > bytesMax) throw new Error('an event is larger than a stream may carry');
  return `${lineOf('id', id)}${lineOf('event', name)}data: ${text}\n\n`;
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
const askNext = (events: AsyncIterator<StreamedEvent>): Promise<IteratorResult<StreamedEvent>> => {
  const next = events.next();
  void Promise.allSettled([next]);
  return next;
};

/** The bytes of a stream: events as they come, and at every heartbeat a look at its credential and a sign of life. */
export async function* writeFrames(events: AsyncIterator<StreamedEvent>, { bounds, ended, still }: Terms): AsyncGenerator<string> {
  const { heartbeatMs, eventBytesMax } = bounds;
  let lookAt = performance.now() + heartbeatMs;
  let next = askNext(events);
  try {
    yield HEARTBEAT;
    while (!ended.aborted) {
      if (performance.now() >= lookAt) {
        if (!(await still())) return;
        lookAt = performance.now() + heartbeatMs;
        yield HEARTBEAT;
      }
      const found = await nextWithin(next, lookAt - performance.now(), ended);
      if (found === undefined) continue;
      if (found.done) return;
      yield frameOf(found.value, eventBytesMax);
      next = askNext(events);
    }
  } finally {
    // Not waited for: a source that waits for its own next event would keep the stream open.
    if (events.return) void Promise.allSettled([events.return()]);
  }
}

import { Readable } from 'node:stream';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FastifyReply } from 'fastify';
import { send } from '../../answers/reply.ts';
import type { StillAdmitted } from '../wire.ts';
import { newOpenStreams } from './open-streams.ts';

type Members = Readonly<Record<string, unknown>>;

/** A pending message. Others are sent before it, and periodic comments keep proxies from closing the connection. */
export type MessageStream = {
  /** The last message. Never rejects. */
  readonly last: Promise<Members>;
  /** Passes on each message before the last, from then on. */
  readonly subscribe: (listener: (message: Members) => void) => void;
  /** The client disconnected. */
  readonly cancel: () => void;
};

/**
 * `event`: type of the events, if they have one. `isLossy`: drops messages that a slow client does not read, instead of ending the stream.
 */
type Options = { readonly event?: string; readonly waitingMax: number; readonly isLossy: boolean };

const STREAM_TYPE = 'text/event-stream; charset=utf-8';
const HEARTBEAT = ': waiting\n\n';

async function* streamFrames(stream: MessageStream, ended: AbortSignal, { event, waitingMax, isLossy }: Options): AsyncGenerator<string> {
  const head = event === undefined ? '' : `event: ${event}\n`;
  const frame = (message: Members): string => `${head}data: ${JSON.stringify(message)}\n\n`;
  const waiting: string[] = [];
  let isFull = false;
  let wake = (): void => undefined;
  stream.subscribe((message) => {
    if (waiting.length < waitingMax) waiting.push(frame(message));
    else isFull = !isLossy;
    wake();
  });
  const done = stream.last.then((message) => ({ message }));
  // The first bytes show the client at once that its call is in progress.
  yield HEARTBEAT;
  while (!ended.aborted && !isFull) {
    const { promise, resolve } = Promise.withResolvers<'more' | 'beat'>();
    wake = () => resolve('more');
    if (waiting.length > 0) resolve('more');
    const timer = setTimeout(() => resolve('beat'), LIMITS.mcpServers.heartbeatMs);
    const next = await Promise.race([done, promise]);
    clearTimeout(timer);
    yield* waiting.splice(0);
    if (typeof next === 'object') return yield frame(next.message);
    if (next === 'beat') yield HEARTBEAT;
  }
}

/** Creates streams of JSON messages, bounded in number for each organization and in total. */
export const newMessageStreams = (options: Options) => {
  // A stream that ends aborts its call, so none is ended for another one.
  const streams = newOpenStreams({ ...LIMITS.streams, keepsPlaces: true });
  return {
    closeAll: streams.closeAll,
    /** Begins a stream; undefined if there is no capacity for another one. */
    answer: (reply: FastifyReply, stream: MessageStream, still: StillAdmitted): FastifyReply | undefined => {
      const opened = streams.open(reply.request.admitted?.scope.organization_id ?? '', still);
      if (opened === undefined) return undefined;
      const { ended, close } = opened;
      let isDone = false;
      void stream.last.then(() => {
        isDone = true;
      });
      const leave = (): void => {
        close();
        if (!isDone) stream.cancel();
      };
      reply.raw.once('close', leave);
      ended.addEventListener('abort', leave, { once: true });
      reply.code(200).header('x-accel-buffering', 'no').header('content-type', STREAM_TYPE);
      return reply.send(Readable.from(streamFrames(stream, ended, options), { objectMode: false }));
    },
    /** Sends the last message only. */
    answerWhole: (reply: FastifyReply, { last, cancel }: MessageStream): FastifyReply => {
      reply.raw.once('close', cancel);
      void last.then((message) => {
        reply.raw.off('close', cancel);
        return send(reply, 200, message);
      });
      return reply;
    },
  };
};

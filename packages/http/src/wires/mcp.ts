import { Readable } from 'node:stream';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FastifyReply } from 'fastify';
import { toWire } from '../answers/error-to-wire.ts';
import { send } from '../answers/reply.ts';
import { JSON_TYPE } from './json.ts';
import { rpc } from './rpc.ts';
import { newOpenStreams } from './stream/open-streams.ts';
import type { Wire } from './wire.ts';

type Members = Readonly<Record<string, unknown>>;

/** A message that is not there yet. Notifications are sent before it, and a comment now and then so that no proxy closes the connection. */
export type McpStream = {
  /** The last message. Never rejects. */
  readonly last: Promise<Members>;
  /** Passes each notification on, from then on. */
  readonly subscribe: (listener: (message: Members) => void) => void;
  /** The client hung up. */
  readonly cancel: () => void;
};

/** The answer of a handler: one message with its HTTP status, no message for a notification, or a stream that ends with a message. */
export type McpAnswer =
  | { readonly status: number; readonly message: Members | string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly status: number; readonly message: null }
  | McpStream;

const STREAM_TYPE = 'text/event-stream; charset=utf-8';
const UNAUTHORIZED = 401;
const TOOLS_CALL = 'tools/call';

const frame = (message: Members): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
const HEARTBEAT = ': waiting\n\n';

async function* streamFrames({ last, subscribe }: McpStream, ended: AbortSignal): AsyncGenerator<string> {
  const waiting: string[] = [];
  let wake = (): void => undefined;
  subscribe((message) => {
    if (waiting.length < LIMITS.mcpServers.notificationsWaitingMax) waiting.push(frame(message));
    wake();
  });
  const done = last.then((message) => ({ message }));
  // The first bytes show the client at once that its call is in progress.
  yield HEARTBEAT;
  while (!ended.aborted) {
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

const isToolCall = ({ headers, body }: FastifyReply['request']): boolean =>
  headers['mcp-method'] === TOOLS_CALL || (body as { readonly method?: unknown } | undefined)?.method === TOOLS_CALL;

const readId = (body: unknown): string | number | undefined => {
  const { id } = (typeof body === 'object' && body !== null ? body : {}) as { readonly id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
};

/**
 * The Model Context Protocol over streamable HTTP. A refusal of a tool call is a result that models read, wherever the request can be answered at
 * all; any other refusal is a JSON-RPC error. A request without a token gets a challenge.
 */
export const newMcp = (): Wire => {
  // A stream that ends breaks off its call, so that none is ended for another one.
  const streams = newOpenStreams({ ...LIMITS.streams, keepsPlaces: true });
  return {
    reads: [JSON_TYPE],
    answer: (reply, _status, result, still) => {
      const answer = result as McpAnswer;
      if (!('last' in answer)) {
        if (answer.message === null) return reply.code(answer.status).send();
        if ('headers' in answer && answer.headers !== undefined) reply.headers(answer.headers);
        if (typeof answer.message !== 'string') return send(reply, answer.status, answer.message);
        return reply.code(answer.status).header('content-type', `${JSON_TYPE}; charset=utf-8`).send(answer.message);
      }
      const opened = streams.open(reply.request.admitted?.scope.organization_id ?? '', still);
      if (opened === undefined) {
        // No room for another stream: the answer comes in one piece.
        reply.raw.once('close', answer.cancel);
        void answer.last.then((message) => {
          reply.raw.off('close', answer.cancel);
          return send(reply, 200, message);
        });
        return reply;
      }
      const { ended, close } = opened;
      let isDone = false;
      void answer.last.then(() => {
        isDone = true;
      });
      const leave = (): void => {
        close();
        if (!isDone) answer.cancel();
      };
      reply.raw.once('close', leave);
      ended.addEventListener('abort', leave, { once: true });
      reply.code(200).header('x-accel-buffering', 'no').header('content-type', STREAM_TYPE);
      return reply.send(Readable.from(streamFrames(answer, ended), { objectMode: false }));
    },
    refuse: (reply, refused: Refusal) => {
      const id = readId(reply.request.body);
      const { status, retryAfterSeconds, body } = toWire(refused, reply.request.id);
      reply.request.refusedWith = refused.refused;
      if (status === UNAUTHORIZED) reply.header('www-authenticate', 'Bearer');
      if (status === UNAUTHORIZED || id === undefined || !isToolCall(reply.request)) return rpc.refuse(reply, refused);
      if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
      const { code, message, remedy, details } = body.error;
      const decision = { code, request_id: reply.request.id, ...(details === undefined ? {} : { details }) };
      const text = `${code}: ${message} What to do: ${remedy}`;
      const told = { resultType: 'complete', isError: true, content: [{ type: 'text', text }], _meta: { 'svc/decision': decision } };
      return send(reply, 200, { jsonrpc: '2.0', id, result: told });
    },
    told: rpc.told,
    drain: streams.closeAll,
    close: streams.closeAll,
  };
};

import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FastifyReply } from 'fastify';
import { toWire } from '../answers/error-to-wire.ts';
import { send } from '../answers/reply.ts';
import { newChallenge } from './challenge.ts';
import { JSON_TYPE } from './json.ts';
import { rpc } from './rpc.ts';
import { type MessageStream, newMessageStreams } from './stream/message-streams.ts';
import type { Wire } from './wire.ts';

type Members = Readonly<Record<string, unknown>>;

/** Result of a handler: one message with its HTTP status, no message for a notification, or a stream that ends with a message. */
export type McpAnswer =
  | { readonly status: number; readonly message: Members | string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly status: number; readonly message: null }
  | MessageStream;

const UNAUTHORIZED = 401;
const TOOLS_CALL = 'tools/call';

const isToolCall = ({ headers, body }: FastifyReply['request']): boolean =>
  headers['mcp-method'] === TOOLS_CALL || (body as { readonly method?: unknown } | undefined)?.method === TOOLS_CALL;

const readId = (body: unknown): string | number | undefined => {
  const { id } = (typeof body === 'object' && body !== null ? body : {}) as { readonly id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
};

/**
 * The Model Context Protocol over streamable HTTP. A refused tool call is a result that models read, if the request can be answered at all;
 * any other refusal is a JSON-RPC error. A request without a token gets a challenge.
 */
export const newMcp = (): Wire => {
  const streams = newMessageStreams({ event: 'message', waitingMax: LIMITS.mcpServers.notificationsWaitingMax, isLossy: true });
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
      return (
        streams.answer(reply, answer, still) ??
        // Without capacity for another stream the response is sent in one piece.
        streams.answerWhole(reply, answer)
      );
    },
    refuse: (reply, refused: Refusal) => {
      const id = readId(reply.request.body);
      const { status, retryAfterSeconds, body } = toWire(refused, reply.request.id);
      reply.request.refusedWith = refused.refused;
      if (status === UNAUTHORIZED) reply.header('www-authenticate', newChallenge(reply));
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

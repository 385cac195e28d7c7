import { refusal } from '@svc/contract/rows/refusal.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { toWire } from './error-to-wire.ts';
import { send, sendRefusal } from './reply.ts';

type ServedPath = { readonly pattern: RegExp; readonly methods: Set<string> };

const NO_CONTENT = 204;
const METHOD_NOT_ALLOWED = 405;

/** Of a path as the router has it, `/v1/agents/:agentId`. */
const patternOf = (url: string): RegExp => new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`);

/** What may be asked at a path, in the order of the alphabet; nothing where the path is none, or its own method did not lead to it. */
const methodsAt = (served: ReadonlyMap<string, ServedPath>, rawUrl: string, asked: string): readonly string[] => {
  const path = rawUrl.split('?', 1)[0] ?? '';
  const found = new Set([...served.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : [])));
  return found.size === 0 || found.has(asked) ? [] : [...found, 'OPTIONS'].sort();
};

const refuseMethod = (reply: FastifyReply, method: string, allowed: readonly string[]): FastifyReply => {
  const { body } = toWire(refusal('INVALID_REQUEST', `This path takes ${allowed.join(', ')}, and not ${method}.`), reply.request.id);
  return send(reply, METHOD_NOT_ALLOWED, body);
};

/**
 * Answers what no route takes, before a body is read: 404 where the path is none, 405 where it takes other methods, which `Allow` names, and
 * OPTIONS with `Allow` alone. No answer says that pages of other origins may read it. To be added before the routes.
 */
export const addUnrouted = (app: FastifyInstance): void => {
  const served = new Map<string, ServedPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = served.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    served.set(url, known);
    for (const each of [method].flat()) known.methods.add(each);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const allowed = methodsAt(served, request.raw.url ?? '', request.method);
    if (allowed.length === 0) return void sendRefusal(reply, refusal('NOT_FOUND', 'There is no such endpoint; /docs shows them all.'));
    reply.header('allow', allowed.join(', '));
    if (request.method === 'OPTIONS') reply.code(NO_CONTENT).send();
    else refuseMethod(reply, request.method, allowed);
  });
};

import type { Endpoint } from '@svc/contract/endpoint.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/refusal.ts';
import { closed } from '@svc/contract/schema.ts';
import { resourcesExist } from '@svc/postgres/resource-exists.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticateCaller, bearerOf } from './authenticate.ts';
import { permissionRefusal, scopeOf } from './authorize.ts';
import { idempotencyKeyRefusal } from './idempotency-key.ts';
import { makeCall, type RequestFacts } from './make-call.ts';
import { budgetHeaders, limitOf, rateLimited, takeFrom, type Who } from './rate-limit.ts';
import { send, sendRefusal } from './reply.ts';
import type { ServeDeps } from './serve-deps.ts';
import { isStorable, unstorablePlaces } from './storable-json.ts';
import { bodyCheck, type Check, FAULTS_MAX, isTooDeep, queryCheck } from './validate.ts';

type AnyHandler = (call: never, deps: never) => unknown;

const authenticate = async (row: Endpoint, deps: ServeDeps, request: FastifyRequest, now: Date): Promise<Who | Refusal> => {
  if (row.credential === 'none') return {};
  if (row.credential === 'agent') {
    const token = bearerOf(request.headers.authorization);
    if (!token || !deps.authenticateAgent) return refusal('UNAUTHENTICATED');
    const agent = await deps.authenticateAgent(token, now.getTime(), row);
    return isRefusal(agent) ? agent : { agent };
  }
  const caller = await authenticateCaller(deps.identity, request.headers.authorization, now, {
    idleTimeoutSeconds: deps.sessionIdleTimeoutSeconds,
  });
  return isRefusal(caller) ? caller : { caller };
};

const spend = async (
  row: Endpoint,
  deps: ServeDeps,
  who: Who,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Refusal | undefined> => {
  const limit = limitOf(row, deps, who, request.ip);
  if (!limit) return undefined;
  const taken = takeFrom(deps, limit);
  const budget = taken instanceof Promise ? await taken : taken;
  reply.headers(budgetHeaders(budget));
  return budget.allowed ? undefined : rateLimited(budget);
};

/** Another tenant's id answers as one that was never issued, before anything about permissions is said. */
const unlessForeign = async (
  refused: Refusal,
  deps: ServeDeps,
  scope: RequestFacts['scope'],
  params: Record<string, string>,
): Promise<Refusal> =>
  Object.keys(params).length === 0 || (await resourcesExist(deps.database, scope, params)) ? refused : refusal('NOT_FOUND');

const inputRefusal = (request: FastifyRequest, row: Endpoint, checkBody: Check, checkQuery: Check): Refusal | undefined => {
  const badKey = idempotencyKeyRefusal(row, request.headers);
  if (badKey) return badKey;
  if (isTooDeep(request.body)) return refusal('INVALID_REQUEST', 'The body is nested too deeply.');
  const unstorable = [...unstorablePlaces(request.body), ...unstorablePlaces(request.query)].slice(0, FAULTS_MAX);
  if (unstorable.length > 0) return refusal('VALIDATION_FAILED', 'A value cannot be stored as it is.', { faults: unstorable });
  if (request.body === undefined && row.bodyOptional) request.body = {};
  const query = checkQuery(request.query);
  if (query.length > 0) return refusal('VALIDATION_FAILED', 'The query is not valid.', { faults: query });
  if (request.body === undefined) return row.body && refusal('INVALID_REQUEST', 'Send a JSON object as the body.');
  const faults = checkBody(request.body);
  return faults.length > 0 ? refusal('VALIDATION_FAILED', 'The body is not valid.', { faults }) : undefined;
};

/** Where a row takes nothing, nothing is passed over in silence. */
const NOTHING = closed({});

type Admitted = Omit<RequestFacts, 'params'>;

/** What is asked before the body is even read: 401, 429, the scope, then 404 of a foreign id, 403 permission, 403 step-up. */
const admit = async (row: Endpoint, deps: ServeDeps, request: FastifyRequest, reply: FastifyReply): Promise<Admitted | Refusal> => {
  const now = deps.clock();
  const who = await authenticate(row, deps, request, now);
  if (isRefusal(who)) return who;
  const spent = await spend(row, deps, who, request, reply);
  if (spent) return spent;
  const scope = who.caller
    ? await scopeOf(deps.identity, who.caller, request.headers)
    : { organization_id: who.agent?.organizationId ?? '', environment_id: who.agent?.environmentId ?? null };
  if (isRefusal(scope)) return scope;
  // Such a text names nothing, and the database would not even take the question.
  if (!Object.values(paramsOf(request)).every(isStorable)) return refusal('NOT_FOUND');
  const forbidden = who.caller && permissionRefusal(row, who.caller, now);
  return forbidden ? unlessForeign(forbidden, deps, scope, paramsOf(request)) : { ...who, scope, now };
};

const paramsOf = (request: FastifyRequest): Record<string, string> => request.params as Record<string, string>;

const FASTIFY_PATH = /\{(\w+)\}/g;

/** Joins one row and its handler to the server. */
export const bind = (
  app: FastifyInstance,
  operation: string,
  row: Endpoint,
  handler: AnyHandler,
  deps: ServeDeps,
  handlerDeps: unknown,
): void => {
  const checkBody = bodyCheck(row.body ?? NOTHING);
  const checkQuery = queryCheck(row.query ?? NOTHING);
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  app.route({
    method: row.method,
    url: row.path.replace(FASTIFY_PATH, ':$1'),
    onRequest: async (request, reply) => {
      const facts = await admit(row, deps, request, reply);
      if (isRefusal(facts)) return sendRefusal(reply, facts);
      admitted.set(request, facts);
    },
    handler: async (request, reply) => {
      const facts = admitted.get(request);
      if (!facts) throw new Error('a request reached its handler without being admitted');
      const params = paramsOf(request);
      const invalid = inputRefusal(request, row, checkBody, checkQuery);
      if (invalid) return sendRefusal(reply, facts.caller ? await unlessForeign(invalid, deps, facts.scope, params) : invalid);
      const call = makeCall(operation, row, request, { ...facts, params }, deps);
      const result = await (handler as (call: unknown, deps: unknown) => unknown)(call, handlerDeps);
      if (isRefusal(result)) return sendRefusal(reply, result);
      if (row.cacheSeconds !== undefined) reply.header('cache-control', `public, max-age=${row.cacheSeconds}`);
      return send(reply, row.status ?? 200, result);
    },
  });
};

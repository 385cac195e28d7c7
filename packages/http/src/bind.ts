import type { Endpoint } from '@svc/contract/endpoint.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/refusal.ts';
import { resourcesExist } from '@svc/postgres/resource-exists.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticateCaller, bearerOf } from './authenticate.ts';
import { permissionRefusal, scopeOf } from './authorize.ts';
import type { AgentCaller, Caller } from './call.ts';
import { makeCall, type RequestFacts } from './make-call.ts';
import { budgetHeaders, limitOf, rateLimited, takeFrom } from './rate-limit.ts';
import { send, sendRefusal } from './reply.ts';
import type { ServeDeps } from './serve-deps.ts';
import { bodyCheck, type Check, isTooDeep, queryCheck } from './validate.ts';

type AnyHandler = (call: never, deps: never) => unknown;
type Who = { readonly caller?: Caller; readonly agent?: AgentCaller };

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
  const principal = who.agent?.agentId ?? who.caller?.credentialId ?? '';
  const limit = limitOf(row, deps, principal, request.ip);
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

const inputRefusal = (
  request: FastifyRequest,
  row: Endpoint,
  checkBody: Check | undefined,
  checkQuery: Check | undefined,
): Refusal | undefined => {
  if (isTooDeep(request.body)) return refusal('INVALID_REQUEST', 'The body is nested too deeply.');
  if (request.body === undefined && row.bodyOptional) request.body = {};
  const query =
    checkQuery?.(request.query) ?? (Object.keys(request.query as object).length > 0 ? unknownQuery(request.query as object) : []);
  if (query.length > 0) return refusal('VALIDATION_FAILED', 'The query is not valid.', { faults: query });
  if (checkBody && request.body === undefined) return refusal('INVALID_REQUEST', 'Send a JSON object as the body.');
  const faults = checkBody?.(request.body) ?? [];
  return faults.length > 0 ? refusal('VALIDATION_FAILED', 'The body is not valid.', { faults }) : undefined;
};

const unknownQuery = (query: object) =>
  Object.keys(query).map((name) => ({ pointer: `/${name}`, message: 'This query parameter is not known here.' }));

/** The order of refusals of every route: 401, 429, scope, 404 of a foreign id, 403 permission, 403 step-up, 400; then the handler. */
const admit = async (
  row: Endpoint,
  deps: ServeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  check: Checks,
): Promise<RequestFacts | Refusal> => {
  const now = deps.clock();
  const who = await authenticate(row, deps, request, now);
  if (isRefusal(who)) return who;
  const spent = await spend(row, deps, who, request, reply);
  if (spent) return spent;
  const scope = who.caller
    ? await scopeOf(deps.identity, who.caller, request.headers)
    : { organization_id: who.agent?.organizationId ?? '', environment_id: who.agent?.environmentId ?? null };
  if (isRefusal(scope)) return scope;
  const params = request.params as Record<string, string>;
  const forbidden = who.caller && permissionRefusal(row, who.caller, now);
  if (forbidden) return unlessForeign(forbidden, deps, scope, params);
  const invalid = inputRefusal(request, row, check.body, check.query);
  if (invalid) return who.caller ? unlessForeign(invalid, deps, scope, params) : invalid;
  return { ...who, scope, now, params };
};

type Checks = { readonly body: Check | undefined; readonly query: Check | undefined };

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
  const check: Checks = { body: row.body && bodyCheck(row.body), query: row.query && queryCheck(row.query) };
  app.route({
    method: row.method,
    url: row.path.replace(FASTIFY_PATH, ':$1'),
    handler: async (request, reply) => {
      const facts = await admit(row, deps, request, reply, check);
      if (isRefusal(facts)) return sendRefusal(reply, facts);
      const call = makeCall(operation, row, request, facts, deps);
      const result = await (handler as (call: unknown, deps: unknown) => unknown)(call, handlerDeps);
      return isRefusal(result) ? sendRefusal(reply, result) : send(reply, row.status ?? 200, result);
    },
  });
};

import type { Endpoint } from '@svc/contract/endpoint.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/refusal.ts';
import { noteUse } from '@svc/postgres/callers.ts';
import { resourcesExist } from '@svc/postgres/resource-exists.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticateCaller, bearerOf, NOTE_USE_EVERY_MS } from './authenticate.ts';
import { permissionRefusal, scopeOf } from './authorize.ts';
import type { RequestFacts } from './make-call.ts';
import { budgetHeaders, limitOf, rateLimited, takeFrom, type Who } from './rate-limit.ts';
import type { ServeDeps } from './serve-deps.ts';
import { isStorable } from './storable-json.ts';

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

export const paramsOf = (request: FastifyRequest): Record<string, string> => request.params as Record<string, string>;

/** Another tenant's id answers as one that was never issued, before anything about permissions is said. */
export const unlessForeign = async (
  refused: Refusal,
  deps: ServeDeps,
  scope: RequestFacts['scope'],
  params: Record<string, string>,
): Promise<Refusal> =>
  Object.keys(params).length === 0 || (await resourcesExist(deps.database, scope, params)) ? refused : refusal('NOT_FOUND');

export type Admitted = Omit<RequestFacts, 'params'>;

const admitAs = async (row: Endpoint, deps: ServeDeps, request: FastifyRequest, who: Who, now: Date): Promise<Admitted | Refusal> => {
  const scope = who.caller
    ? await scopeOf(deps.identity, who.caller, request.headers)
    : { organization_id: who.agent?.organizationId ?? '', environment_id: who.agent?.environmentId ?? null };
  if (isRefusal(scope)) return scope;
  // Such a text names nothing, and the database would not even take the question.
  if (!Object.values(paramsOf(request)).every(isStorable)) return refusal('NOT_FOUND');
  const forbidden = who.caller && permissionRefusal(row, who.caller, now);
  return forbidden ? unlessForeign(forbidden, deps, scope, paramsOf(request)) : { ...who, scope, now };
};

/** Whether a request to this row writes nothing at all, as far as it is known: its body says `dry_run` or is yet to come. */
const writesNothing = (row: Endpoint, body: unknown): boolean =>
  row.writesNothing === 'always' ||
  (row.writesNothing === 'dry_run' && (body === undefined || (body as { readonly dry_run?: unknown } | null)?.dry_run === true));

/** Keeps a session from ending of idleness, and tells when a key was last used; once for all that goes on in half a minute. */
export const noteUseOf = async (
  row: Endpoint,
  deps: ServeDeps,
  { caller, now }: Pick<Admitted, 'caller' | 'now'>,
  body?: unknown,
): Promise<void> => {
  if (!caller?.isUseDue || writesNothing(row, body)) return;
  const { actor, credentialId, organizationId } = caller;
  const kind = actor.type === 'USER' ? 'USER' : 'API_KEY';
  await noteUse(
    deps.identity,
    { kind, credential_id: credentialId, organization_id: organizationId },
    now,
    new Date(now.getTime() - NOTE_USE_EVERY_MS),
  );
};

/** What is asked before the body is even read: 401, 429, the scope, then 404 of a foreign id, 403 permission, 403 step-up. */
export const admit = async (row: Endpoint, deps: ServeDeps, request: FastifyRequest, reply: FastifyReply): Promise<Admitted | Refusal> => {
  const now = deps.clock();
  const who = await authenticate(row, deps, request, now);
  if (isRefusal(who)) return who;
  await noteUseOf(row, deps, { ...who, now });
  return (await spend(row, deps, who, request, reply)) ?? (await admitAs(row, deps, request, who, now));
};

const HOLDS_FOR_MS = 100;

/**
 * What was admitted, asked anew when the body was long in coming: whoever holds a body back keeps no session, key, role or proof
 * that has ended meanwhile. It is still one request, so nothing more is spent.
 */
export const stillAdmitted = async (
  row: Endpoint,
  deps: ServeDeps,
  request: FastifyRequest,
  admitted: Admitted,
): Promise<Admitted | Refusal> => {
  const now = deps.clock();
  if (now.getTime() - admitted.now.getTime() < HOLDS_FOR_MS) return admitted;
  const who = await authenticate(row, deps, request, now);
  return isRefusal(who) ? who : admitAs(row, deps, request, who, now);
};

import { isUncounted } from '@svc/contract/rows/budget.ts';
import { type Endpoint, needsFactor, needsSureClock } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { MaybePromise } from '@svc/contract/rows/soon.ts';
import type { PathParameters } from '@svc/contract/tables/path-parameters.ts';
import { STRANGERS } from '@svc/fairness/quantum/expensive-tenants.ts';
import { resourcesExist } from '@svc/postgres/change/resource-exists.ts';
import { noteUse } from '@svc/postgres/people/auth/note-use.ts';
import type { RateLimitState } from '@svc/shared-state/rate-limiter.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isStorable } from '../bodies/storable-json.ts';
import { findForgeryRefusal } from '../browser/own-page.ts';
import { readCredential } from '../browser/presented-credential.ts';
import type { AgentCaller, Caller, DirectoryCaller } from '../calls/call.ts';
import { getDatabase, type RequestFacts } from '../calls/make-call.ts';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { getConnection } from '../connections/connection.ts';
import { authenticateCaller, NOTE_USE_EVERY_MS, readAgentToken, refuseWithoutBearer } from './authenticate.ts';
import { authenticateDirectory } from './authenticate-directory.ts';
import { findPermissionRefusal, resolveScope } from './authorize.ts';
import { findNetworkRefusal } from './networks.ts';
import { buildBudgetHeaders, chargeBudget, getLimit, type RequestLimit, type RequestPrincipals, refuseRateLimited } from './rate-limit.ts';
import { checkOrganizationStatus } from './standing.ts';
import { takeRoom } from './take-room.ts';

const WHOLE_ORGANIZATION = 'A directory provisions the whole organization. Remove the scope headers.';

const asAgent = (agent: AgentCaller | Refusal): RequestPrincipals | Refusal => (isRefusal(agent) ? agent : { agent });

const authenticate = (row: Endpoint, deps: ServeDeps, request: FastifyRequest, now: Date): MaybePromise<RequestPrincipals | Refusal> => {
  if (row.credential === 'none') return {};
  if (row.credential === 'agent') {
    const { authorization } = request.headers;
    const token = readAgentToken(authorization);
    if (!token || !deps.authenticateAgent) return refuseWithoutBearer(authorization);
    const agent = deps.authenticateAgent(token, now.getTime(), row, request);
    return agent instanceof Promise ? agent.then(asAgent) : asAgent(agent);
  }
  if (row.credential === 'directory') return authenticateDirectory(deps.identity, request.headers.authorization);
  return authenticatePerson(deps, request, now);
};

/** Authenticates by header, or by the cookie of a browser if no other site can have caused the request. */
const authenticatePerson = async (deps: ServeDeps, request: FastifyRequest, now: Date): Promise<RequestPrincipals | Refusal> => {
  const limits = { idleTimeoutSeconds: deps.sessionIdleTimeoutSeconds };
  const shown = readCredential(request, deps.browser);
  if (isRefusal(shown)) return shown;
  if ('authorization' in shown) {
    const caller = await authenticateCaller(deps.identity, shown.authorization, now, limits);
    return isRefusal(caller) ? caller : { caller };
  }
  const caller = await authenticateCaller(deps.identity, `Bearer ${shown.cookie}`, now, limits);
  if (isRefusal(caller)) return caller;
  const forged = deps.browser && findForgeryRefusal(request, deps.browser, shown.cookie);
  if (forged) return forged;
  request.cookieSession = shown.cookie;
  return { caller };
};

/** From here on the connection is authenticated, and counts for its organization. */
const noteProof = (request: FastifyRequest, who: RequestPrincipals): void => {
  const { caller, agent, directory } = who;
  request.recognised = who;
  getConnection(request.raw.socket)?.noteProof((agent ?? caller ?? directory)?.organizationId ?? '');
};

const tellBudget = (
  row: Endpoint,
  { watch }: ServeDeps,
  reply: FastifyReply,
  limit: RequestLimit,
  budget: RateLimitState,
): Refusal | undefined => {
  reply.headers(buildBudgetHeaders(budget));
  if (budget.allowed) return undefined;
  if (watch !== undefined && !isUncounted(row.budget)) watch.refused(row.budget);
  return refuseRateLimited(budget, limit.whose);
};

const spend = (
  row: Endpoint,
  deps: ServeDeps,
  who: RequestPrincipals,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<Refusal | undefined> => {
  const limit = getLimit(row, deps, who, request.ip);
  if (!limit) return undefined;
  const goOn = (budget: RateLimitState): Refusal | undefined => tellBudget(row, deps, reply, limit, budget);
  const taken = chargeBudget(deps, limit);
  return taken instanceof Promise ? taken.then(goOn) : goOn(taken);
};

/** Returns the path parameters from the router; a row with parameters unknown to the contract is never bound. */
export const readParams = (request: FastifyRequest): PathParameters => {
  const params = request.params as Readonly<Record<string, string>>;
  if (!('*' in params)) return params as PathParameters;
  // The path below a row that takes any is no parameter of it.
  const { '*': _, ...named } = params;
  return named as PathParameters;
};

/** Refuses another tenant's id like one that was never issued, before any permission is checked. */
export const refuseForeign = async (
  refused: Refusal,
  row: Endpoint,
  deps: ServeDeps,
  scope: RequestFacts['scope'],
  params: PathParameters,
): Promise<Refusal> =>
  Object.keys(params).length === 0 || (await resourcesExist(getDatabase(row, deps), scope, params)) ? refused : buildRefusal('NOT_FOUND');

export type Admitted = Omit<RequestFacts, 'params'>;

/** Agents are not checked: they run elsewhere. */
const outsideOf = ({ caller, directory }: RequestPrincipals, { ip }: FastifyRequest): Refusal | undefined => {
  const called = caller ?? directory;
  return called && findNetworkRefusal(called, ip);
};

/** True for a text that is no id and that the database would not accept. */
const namesNothing = (request: FastifyRequest): boolean => {
  const params: Readonly<Record<string, string | undefined>> = readParams(request);
  for (const name in params) if (!isStorable(params[name] ?? '')) return true;
  return false;
};

const admitCaller = async (
  row: Endpoint,
  deps: ServeDeps,
  request: FastifyRequest,
  caller: Caller,
  now: Date,
): Promise<Admitted | Refusal> => {
  if (caller.lacksFactor && needsFactor(row)) return buildRefusal('MFA_REQUIRED');
  const scope = await resolveScope(deps.identity, caller, request.headers);
  if (isRefusal(scope)) return scope;
  if (namesNothing(request)) return buildRefusal('NOT_FOUND');
  const forbidden = findPermissionRefusal(row, caller, now);
  const refused = forbidden ?? (await checkOrganizationStatus(row, caller, deps.licence));
  return refused ? refuseForeign(refused, row, deps, scope, readParams(request)) : { caller, scope, now };
};

/** Takes the bytes of the body, and then a slot, for an admitted request. */
const seat = (
  row: Endpoint,
  deps: ServeDeps,
  who: RequestPrincipals,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  admitted: MaybePromise<Admitted | Refusal>,
): MaybePromise<Admitted | Refusal> => {
  if (admitted instanceof Promise) return admitted.then((known) => seat(row, deps, who, { request, reply }, known));
  if (isRefusal(admitted)) return admitted;
  const refused = takeRoom(row, deps, who, request, reply);
  return refused instanceof Promise ? refused.then((known) => known ?? admitted) : (refused ?? admitted);
};

/** A directory provisions the whole organization: a header that names a part of it, or anything else, is refused. */
const admitDirectory = async (
  deps: ServeDeps,
  request: FastifyRequest,
  who: RequestPrincipals & { readonly directory: DirectoryCaller },
  now: Date,
): Promise<Admitted | Refusal> => {
  const scope = await resolveScope(deps.identity, { organizationId: who.directory.organizationId, workspaceIds: null }, request.headers);
  if (isRefusal(scope)) return scope;
  if (scope.workspace_ids) return buildRefusal('PERMISSION_DENIED', WHOLE_ORGANIZATION);
  return namesNothing(request) ? buildRefusal('NOT_FOUND') : { ...who, scope: { organization_id: scope.organization_id }, now };
};

const admitAs = (
  row: Endpoint,
  deps: ServeDeps,
  request: FastifyRequest,
  who: RequestPrincipals,
  now: Date,
): MaybePromise<Admitted | Refusal> => {
  if (who.caller) return admitCaller(row, deps, request, who.caller, now);
  if (who.directory) return admitDirectory(deps, request, { ...who, directory: who.directory }, now);
  if (namesNothing(request)) return buildRefusal('NOT_FOUND');
  const { agent } = who;
  return {
    ...who,
    scope: { organization_id: agent?.organizationId ?? STRANGERS, environment_id: agent?.environmentId ?? null },
    now,
  };
};

/** True if a request to this row writes nothing, as far as known: its body states `dry_run` or has not arrived. */
const writesNothing = (row: Endpoint, body: unknown): boolean =>
  row.writesNothing === 'always' ||
  (row.writesNothing === 'dry_run' && (body === undefined || (body as { readonly dry_run?: unknown } | null)?.dry_run === true));

type Use = { readonly now: Date; readonly ip: string; readonly body?: unknown };

/**
 * Keeps a session from expiring by idleness, and records when and from where a key was last used; once per half minute for a session, and
 * per minute for a key.
 */
export const recordUse = async (row: Endpoint, deps: ServeDeps, caller: Caller, { now, ip, body }: Use): Promise<void> => {
  if (!caller.isUseDue || writesNothing(row, body)) return;
  const { actor, credentialId, organizationId } = caller;
  const kind = actor.type === 'USER' ? 'USER' : 'API_KEY';
  await noteUse(deps.identity, {
    kind,
    credential_id: credentialId,
    organization_id: organizationId,
    address: ip,
    at: now,
    notedSince: new Date(now.getTime() - NOTE_USE_EVERY_MS[kind]),
  });
};

const admitAfter = async (
  row: Endpoint,
  deps: ServeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  found: MaybePromise<RequestPrincipals | Refusal>,
  now: Date,
): Promise<Admitted | Refusal> => {
  const who = await found;
  if (isRefusal(who)) return who;
  noteProof(request, who);
  const spent = await spend(row, deps, who, request, reply);
  if (spent) return spent;
  const outside = outsideOf(who, request);
  if (outside) return outside;
  if (who.caller) await recordUse(row, deps, who.caller, { now, ip: request.ip });
  return seat(row, deps, who, { request, reply }, admitAs(row, deps, request, who, now));
};

/**
 * Admits a request before its body is read. Checks in order: 503 if the time is uncertain, 401, 429, the network, 403 for a missing second
 * factor, the scope, 404 for a foreign id, 403 for a permission, 403 for a step-up, and finally 429 for the bytes of the body.
 */
export const admit = (row: Endpoint, deps: ServeDeps, request: FastifyRequest, reply: FastifyReply): MaybePromise<Admitted | Refusal> => {
  const unsure = needsSureClock(row) ? deps.clockRefusal?.() : undefined;
  if (unsure) return unsure;
  const now = deps.clock();
  const found = authenticate(row, deps, request, now);
  if (found instanceof Promise || (!isRefusal(found) && found.caller)) return admitAfter(row, deps, request, reply, found, now);
  if (isRefusal(found)) return found;
  if (found.agent) noteProof(request, found);
  const goOn = (refused: Refusal | undefined): MaybePromise<Admitted | Refusal> =>
    refused ?? seat(row, deps, found, { request, reply }, admitAs(row, deps, request, found, now));
  const spent = spend(row, deps, found, request, reply);
  return spent instanceof Promise ? spent.then(goOn) : goOn(spent);
};

const HOLDS_FOR_MS = 100;

/** True if the body arrived too slowly and the caller must be authenticated again. */
export const isHeldBack = ({ now }: Admitted, deps: ServeDeps, holdsForMs: number = HOLDS_FOR_MS): boolean =>
  deps.clock().getTime() - now.getTime() >= holdsForMs;

/**
 * Authenticates a request again whose body arrived slowly: delaying a body must not prolong a session, key, role or proof. It is still one
 * request, so no budget is charged.
 */
export const admitAgain = async (row: Endpoint, deps: ServeDeps, request: FastifyRequest): Promise<Admitted | Refusal> => {
  const now = deps.clock();
  const who = await authenticate(row, deps, request, now);
  if (isRefusal(who)) return who;
  return outsideOf(who, request) ?? admitAs(row, deps, request, who, now);
};

const getPart = ({ workspaceIds }: Caller): string => JSON.stringify(workspaceIds?.toSorted() ?? null);

/**
 * True if the admitted caller would be admitted now, to the same scope. Only the credential is checked, in one query together with others:
 * the scope header was resolved before, and its scope never changes.
 */
export const isStillAdmitted = async (row: Endpoint, deps: ServeDeps, request: FastifyRequest, before: Admitted): Promise<boolean> => {
  const now = deps.clock();
  const who = await authenticate(row, deps, request, now);
  if (isRefusal(who)) return false;
  const { caller } = who;
  if (!caller || !before.caller) return true;
  const refused = findNetworkRefusal(caller, request.ip) ?? findPermissionRefusal(row, caller, now);
  return !refused && !(caller.lacksFactor && needsFactor(row)) && getPart(caller) === getPart(before.caller);
};

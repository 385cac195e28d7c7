import { isUncounted } from '@svc/contract/rows/budget.ts';
import { type Endpoint, getBodyBytesMax } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { closedObject } from '@svc/contract/rows/schema.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { ROUTE_METHODS } from '@svc/contract/tools/tool-routes.ts';
import { STRANGERS } from '@svc/fairness/quantum/expensive-tenants.ts';
import type { FairScheduler } from '@svc/fairness/quantum/fair-turns.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Admitted, admit, admitAgain, isHeldBack, isStillAdmitted, readParams, recordUse, refuseForeign } from '../admission/admit.ts';
import { findBodyRefusal } from '../admission/member-refusal.ts';
import { refuseUnread } from '../admission/refuse-unread.ts';
import { GONE, TOO_LATE } from '../admission/take-place.ts';
import { sendRefusal } from '../answers/reply.ts';
import { serializeInSlices } from '../answers/write-in-turns.ts';
import { listChangedNumbers } from '../bodies/kept-numbers.ts';
import { listUnstorablePointers, toStorable } from '../bodies/storable-json.ts';
import { type BodyCheck, createValidator, isTooDeep, queryCheck } from '../bodies/validate.ts';
import { isOwnPage } from '../browser/own-page.ts';
import { formatForBrowser } from '../browser/tell-browser.ts';
import { findIdempotencyKeyRefusal } from '../calls/idempotency-key.ts';
import { makeCall } from '../calls/make-call.ts';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { createPartHeaders } from '../lists/list-section.ts';
import type { Wire } from '../wires/wire.ts';
import { WIRES } from '../wires/wires.ts';
import { findRowFault } from './row-fault.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until it was admitted. */
    admitted: Admitted | null;
    /** The session token of the cookie that authenticated it; null otherwise. */
    cookieSession: string | null;
  }
  interface FastifyContextConfig {
    /** True if only the health budget of its address is charged. */
    isUncounted?: boolean;
    /** The name of its row. */
    operation?: string;
  }
}

export type AnyHandler = (call: never, deps: never) => unknown;

const inputRefusal = (
  request: FastifyRequest,
  row: Endpoint,
  checkBody: BodyCheck,
  checkQuery: BodyCheck | undefined,
): Refusal | undefined => {
  const badKey = findIdempotencyKeyRefusal(row, request.headers);
  if (badKey) return badKey;
  if (isTooDeep(request.body)) return buildRefusal('INVALID_REQUEST', 'The body is nested too deeply.');
  if (row.repairsText) request.body = toStorable(request.body);
  const changed = request.textOfNumbers === null ? [] : listChangedNumbers(request.textOfNumbers, LIMITS.bodies.faultsMax);
  const unstorable = [...listUnstorablePointers(request.body), ...listUnstorablePointers(request.query), ...changed].slice(
    0,
    LIMITS.bodies.faultsMax,
  );
  if (unstorable.length > 0) return buildRefusal('VALIDATION_FAILED', 'A value cannot be stored.', { faults: unstorable });
  if (request.body === undefined && row.bodyOptional) request.body = {};
  const query = checkQuery?.(request.query) ?? [];
  if (query.length > 0) return buildRefusal('VALIDATION_FAILED', 'The query is not valid.', { faults: query });
  if (request.body === undefined) return row.body && buildRefusal('INVALID_REQUEST', 'Send a JSON object as the body.');
  const faults = checkBody(request.body);
  return faults.length > 0 ? buildRefusal('VALIDATION_FAILED', 'The body is not valid.', { faults }) : undefined;
};

/** Refuses any member if a row takes none. */
const NOTHING = closedObject({});

type Bound = {
  readonly operation: string;
  readonly row: Endpoint;
  readonly handler: AnyHandler;
  readonly deps: BindDeps;
  readonly handlerDeps: unknown;
  readonly wire: Wire;
};

/**
 * Maximum number of waits of one request after which the caller is authenticated again; and the time for which that result is used,
 * including the queue.
 */
const TURNS_MAX = 3;
const AGAIN_HOLDS_FOR_MS = 1_000;

/** Runs the handler of an admitted request that has arrived completely. */
const newAnswerer = ({ operation, row, handler, deps, handlerDeps, wire }: Bound) => {
  // Agents and stops must not wait for work that could be done in advance.
  const compiled = row.plane === 'gateway' || row.emergency === true ? 'now' : 'when_asked';
  const checkBody = createValidator(row.body ?? NOTHING, compiled);
  const checkQuery = wire.takesAnyQuery ? undefined : queryCheck(row.query ?? NOTHING, compiled);
  const tellMore = createPartHeaders(row);
  const goOn = async (facts: Admitted, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { browser } = deps;
    const isOpening = row.session === 'opens' && browser !== undefined && isOwnPage(request, browser);
    if (isRefusal(isOpening)) return sendRefusal(reply, isOpening);
    const params = readParams(request);
    const forbidden = facts.caller && findBodyRefusal(row, facts.caller, request.body, facts.now);
    const invalid = forbidden ?? inputRefusal(request, row, checkBody, checkQuery);
    if (invalid) return sendRefusal(reply, facts.caller ? await refuseForeign(invalid, row, deps, facts.scope, params) : invalid);
    if (row.writesNothing === 'dry_run' && facts.caller)
      await recordUse(row, deps, facts.caller, { now: facts.now, ip: request.ip, body: request.body });
    const call = makeCall(operation, row, request, { ...facts, params }, deps);
    request.course?.enter('handle');
    const result = await (handler as (call: unknown, deps: unknown) => unknown)(call, handlerDeps);
    request.course?.enter('answer');
    // Access that ended during the wait counts.
    const still = request.hasRested ? await admitAgain(row, deps, request) : undefined;
    if (isRefusal(still)) return sendRefusal(reply, still);
    if (isRefusal(result)) return sendRefusal(reply, result);
    if (row.cacheSeconds !== undefined) reply.header('cache-control', `public, max-age=${row.cacheSeconds}`);
    const shown = browser && row.session ? formatForBrowser(row, browser, { request, reply, now: facts.now }, result) : result;
    if (request.cookiesToSet) reply.header('set-cookie', request.cookiesToSet);
    const told = tellMore === undefined ? shown : tellMore(request, reply, shown);
    const answered = row.method === 'GET' && row.wire === 'json' ? await serializeInSlices(told) : told;
    return wire.answer(reply, row.status ?? 200, answered, () => isStillAdmitted(row, deps, request, facts));
  };
  /**
   * A request that was authenticated again waits in the queue again: all that were authenticated in one query would otherwise run in one
   * tick.
   */
  const begin = async (facts: Admitted, request: FastifyRequest, reply: FastifyReply, turnsLeft = TURNS_MAX): Promise<FastifyReply> => {
    const isFirst = turnsLeft === TURNS_MAX;
    if (!isHeldBack(facts, deps, isFirst ? undefined : AGAIN_HOLDS_FOR_MS)) return goOn(facts, request, reply);
    const again = await admitAgain(row, deps, request);
    if (isRefusal(again)) return sendRefusal(reply, again);
    if (row.emergency === true) return goOn(again, request, reply);
    if (turnsLeft === 0) return sendRefusal(reply, TOO_LATE);
    return deps.turns.run(again.scope.organization_id, () => begin(again, request, reply, turnsLeft - 1));
  };
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (request.admitted === null) throw new Error('a request reached its handler without being admitted');
    return begin(request.admitted, request, reply);
  };
};

/** Additional wires for tests of their limits. */
type BindDeps = ServeDeps & { readonly turns: FairScheduler; readonly wires?: typeof WIRES };

/** Authenticates and authorizes before the body is read. */
const admitting =
  (row: Endpoint, deps: ServeDeps) =>
  (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const goOn = (facts: Admitted | Refusal): void => {
      if (isRefusal(facts)) return void refuseUnread(reply, facts);
      request.admitted = facts;
      done();
    };
    const admitted = admit(row, deps, request, reply);
    if (admitted instanceof Promise) admitted.then(goOn, done);
    else goOn(admitted);
  };

const FASTIFY_PATH = /\{(\w+)\}/g;

/** Binds one row and its handler to the server; throws if a row is incomplete. */
export const bind = (
  app: FastifyInstance,
  operation: string,
  row: Endpoint,
  handler: AnyHandler,
  deps: BindDeps,
  handlerDeps: unknown,
): void => {
  const fault = findRowFault(row);
  if (fault !== undefined) throw new Error(`the row ${operation} ${fault}`);
  // Emergencies and health checks wait for no other request.
  const isUrgent = row.emergency === true;
  const wire = (deps.wires ?? WIRES)[row.wire];
  const answer = newAnswerer({ operation, row, handler, deps, handlerDeps, wire });
  if (wire.close) app.addHook('preClose', async () => wire.close?.());
  if (wire.drain) app.drain.whenBegun(wire.drain);
  const route = (path: string, method: string | string[] = row.method, isSubPath = false) =>
    app.route({
      method,
      ...(isSubPath ? { exposeHeadRoute: false } : {}),
      config: { isUncounted: isUncounted(row.budget), operation, wire },
      bodyLimit: getBodyBytesMax(row),
      url: path.replace(FASTIFY_PATH, ':$1'),
      onRequest: admitting(row, deps),
      handler: async (request, reply) => {
        const { place } = request;
        // Without a slot nothing begins.
        if (place?.isGivenUp) return sendRefusal(reply, GONE);
        const holder = request.admitted?.scope.organization_id ?? STRANGERS;
        if (place !== null) place.isHandled = true;
        app.drain.enter();
        try {
          if (isUrgent) return await answer(request, reply);
          // A request whose client disconnected in the queue is not started.
          return await deps.turns.run(holder, async () =>
            place !== null && reply.raw.closed ? sendRefusal(reply, GONE) : answer(request, reply),
          );
        } finally {
          app.drain.leave();
          place?.leave();
        }
      },
    });
  for (const path of [row.path, ...(row.assets ?? [])]) route(path);
  if (row.takesSubPaths === true) route(`${row.path}/*`, [...ROUTE_METHODS], true);
};

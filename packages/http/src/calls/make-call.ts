import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { FairScheduler } from '@svc/fairness/quantum/fair-turns.ts';
import { type Change, type ChangeContext, type ConstraintRefusals, change, type EventActor } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { NotedFacts } from '@svc/program/log/new-logger.ts';
import type { FastifyRequest } from 'fastify';
import { isOwnPage } from '../browser/own-page.ts';
import { isFromHere } from '../wires/page/is-from-here.ts';
import { isSentByOthers } from '../wires/page/is-sent-by-others.ts';
import { prefersHtml } from '../wires/page/wants-html.ts';
import type { AgentCaller, Call, Caller, DirectoryCaller } from './call.ts';
import { readUniqueCookie } from './cookies.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { type IdempotentRequest, runIdempotently } from './idempotent-change.ts';
import type { ServeDeps } from './serve-deps.ts';

export type RequestFacts = {
  readonly caller?: Caller;
  readonly agent?: AgentCaller;
  readonly directory?: DirectoryCaller;
  readonly scope: TenantScope;
  readonly now: Date;
  readonly params: Readonly<Record<string, string>>;
};

const NOBODY: EventActor = { type: 'SYSTEM', id: 'system', name: null };

const DIRECTORY: EventActor = { type: 'SYSTEM', id: 'scim', name: 'Directory' };

const getActor = (facts: RequestFacts): EventActor =>
  facts.caller?.actor ??
  (facts.directory && DIRECTORY) ??
  (facts.agent ? { type: 'AGENT', id: facts.agent.agentId, name: facts.agent.name } : NOBODY);

/** Returns the database connections of a row's requests. */
export const getDatabase = (row: Endpoint, { emergencies, database }: ServeDeps): ServeDeps['database'] =>
  row.emergency && emergencies !== undefined ? emergencies : database;

const newEventId = () => newId('audit_event');

/** Returns the caller, its scope and its permissions. */
const whoOf = ({ caller, agent, directory, scope }: RequestFacts) => ({
  caller,
  agent,
  directory,
  scope,
  holds: (permission: Permission): boolean => caller?.permissions.has(permission) ?? false,
  lacks: (permissions: readonly Permission[]): Permission[] => permissions.filter((each) => !caller?.permissions.has(each)),
});

const saidByHeaders = (row: Endpoint, { routeOptions, headers, raw, method }: FastifyRequest) => ({
  requestLine: { method, target: raw.url ?? '', isSubPath: routeOptions.url?.endsWith('/*') === true },
  isFromHere: () => isFromHere({ raw, headers }),
  isSentByOthers: () => isSentByOthers(headers),
  asset: row.assets?.find((path) => path === routeOptions.url),
  wantsHtml: () => prefersHtml(headers.accept),
  userAgent: headers['user-agent']?.slice(0, 300) ?? null,
  cookie: (name: string) => readUniqueCookie(headers.cookie, name),
  lastEventId: headers['last-event-id']?.toString(),
  header: (name: string) => headers[name]?.toString(),
});

/** Returns the text that a key is bound to: another body is another request, and so is the same body for another resource. */
const askedText = (params: RequestFacts['params'], body: unknown): string =>
  JSON.stringify(Object.keys(params).length === 0 ? (body ?? null) : [params, body ?? null]);

/** Builds the `change` of a handler: one transaction with its events, once per idempotency key. */
const changer = (operation: string, row: Endpoint, request: FastifyRequest, facts: RequestFacts, deps: ServeDeps) => {
  const idempotencyKey = readIdempotencyKey(row, request.headers);
  const database = getDatabase(row, deps);
  const run = (
    work: (c: Change<never>) => Promise<unknown>,
    onConflict?: ConstraintRefusals<Refusal>,
    as?: { scope: TenantScope; actor: EventActor },
  ) => {
    const { scope, actor } = as ?? { ...facts, actor: getActor(facts) };
    const breakGlassId = facts.caller?.breakGlassId ?? null;
    const context: ChangeContext = {
      scope,
      actor,
      breakGlassId,
      requestId: request.id,
      traceId: request.traceId,
      now: facts.now,
      newEventId,
    };
    if (idempotencyKey === undefined) return change(database, context, work, onConflict);
    const asked: IdempotentRequest = {
      organization_id: scope.organization_id,
      principal_id: actor.id,
      operation,
      key: idempotencyKey,
      hash: deps.requestHashes(askedText(facts.params, request.body)),
    };
    return runIdempotently(database, context, asked, row, work, onConflict);
  };
  return { idempotencyKey, database, change: run };
};

/** Builds the call for a handler; parts that need the database are created on use. */
export const makeCall = (
  operation: string,
  row: Endpoint,
  request: FastifyRequest,
  facts: RequestFacts,
  deps: ServeDeps & { readonly turns: FairScheduler },
): Call<Endpoint> =>
  ({
    params: facts.params,
    query: request.query,
    body: request.body,
    ...whoOf(facts),
    requestId: request.id,
    traceId: request.traceId,
    now: facts.now,
    sourceIp: request.ip,
    ...saidByHeaders(row, request),
    isOwnPage: () => deps.browser !== undefined && isOwnPage(request, deps.browser) === true,
    onCall: () => request.place?.beginCall(),
    onRest: () => {
      request.place?.leave();
      request.hasRested = true;
    },
    inTurn: <Value>(work: () => Promise<Value>) => deps.turns.run(facts.scope.organization_id, work),
    isGone: () => request.raw.socket.destroyed,
    watcher: request.course ?? undefined,
    arriving: request.arriving,
    log: deps.log,
    setCookie: (line: string) => {
      request.cookiesToSet = [...(request.cookiesToSet ?? []), line];
    },
    note: (noted: NotedFacts) => void Object.assign(request, { noted }),
    newId,
    refuse: buildRefusal,
    fault: refuseBody,
    ...changer(operation, row, request, facts, deps),
  }) as unknown as Call<Endpoint>;

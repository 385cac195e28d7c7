import assert from 'node:assert/strict';
import { ERRORS, type ErrorCode } from '@svc/contract/tables/errors.ts';
import { mintToken, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import {
  type GovernedEnvironment,
  newGovernedEnvironment,
  noteAndShip,
  SMALL,
  type TestMode,
} from '@svc/testing/agents/governed-environment.ts';
import type { FreshDatabase } from '@svc/testing/database/database.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import type { Tenant } from '@svc/testing/people/tenant.ts';

const MODES: readonly TestMode[] = ['ENFORCE', 'SIMULATE', 'OBSERVE'];

/** A database timeout of one second; a longer response time means that the caller was made to wait. */
export const ENV = {
  SVC_DATABASE_TIMEOUT_MS: '1000',
  // Enough that none of ten concurrent requests waits for its organization's share, which is refused with another code.
  SVC_DATABASE_CONNECTIONS: '40',
  SVC_EGRESS_TIMEOUT_MS: '1000',
  GATEWAY_ALLOW_REAL_EGRESS: 'true',
  SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
};
/** Seconds on an idle machine; a hanging request never responds. */
export const ANSWERED_WITHIN_MS = 20_000;

/** A session of the owner of the database, without row-level security. */
export type DatabaseOwner = Awaited<ReturnType<FreshDatabase['client']>>;

/** An environment in one mode, and its agent's token. */
export type ModeEnvironment = GovernedEnvironment & { readonly token: string };

/** Creates one environment per mode, whose agents are known only to the gateway that issued their tokens. */
export const newPlaces = (tenant: Tenant, gatewayUrl: string, shipTo: string): Promise<ModeEnvironment[]> =>
  Promise.all(
    MODES.map(async (mode) => {
      const governed = await newGovernedEnvironment(tenant, mode, noteAndShip(shipTo));
      return { ...governed, token: await mintToken(gatewayUrl, governed.agent) };
    }),
  );

let orders = 0;

/** A response and its duration. */
export type Timed = { readonly answer: TestResponse; readonly tookMs: number };

export type FailClosedRequest = Timed & { readonly place: ModeEnvironment; readonly tool: string; readonly order: string };

export const measure = async (work: () => Promise<TestResponse>): Promise<Timed> => {
  const startedAt = performance.now();
  return { answer: await work(), tookMs: performance.now() - startedAt };
};

/** Requests one governed action; the parameters contain a unique order. */
export const ask = async (
  gatewayUrl: string,
  place: ModeEnvironment,
  body: { readonly tool: string; readonly amount?: number; readonly approval_id?: string; readonly dry_run?: boolean },
  order?: string,
): Promise<FailClosedRequest> => {
  orders += 1;
  const named = order ?? `order-${orders}`;
  const sent = { amount: SMALL, ...body, parameters: { order: named } };
  const answered = await measure(() => call(gatewayUrl, 'POST', '/gateway/v1/actions', { token: place.token, body: sent }));
  return { ...answered, place, tool: body.tool, order: named };
};

/** Requests actions of both kinds in every environment, concurrently. */
export const actEverywhere = (gatewayUrl: string, places: readonly ModeEnvironment[]): Promise<FailClosedRequest[]> =>
  Promise.all(places.flatMap((place) => ['note', 'ship'].map((tool) => ask(gatewayUrl, place, { tool }))));

/** Requests a token with an assertion for the audience. */
export const mint = (gatewayUrl: string, audience: string, { agent }: ModeEnvironment): Promise<Timed> =>
  measure(() => {
    const body = { agent_id: agent.id, assertion: signAssertion(agent, audience), sdk: SDK };
    return call(gatewayUrl, 'POST', '/gateway/v1/token', { body });
  });

/** Text of a 503 about the part that did not respond. */
type Part = { readonly message: string; readonly details: object };

export const REDIS: Part = {
  message: 'Redis, which counts requests for all processes, does not respond, so the request was refused.',
  details: { part: 'redis' },
};

/** The statement of readiness, for operators. */
export const NO_DATABASE: Part = { message: 'The database does not respond.', details: { checks: { database: 'unavailable' } } };

/** Asserts the table's own 503, or the one that names its part: its code, Retry-After, the request id, and no internals; within seconds. */
export const assertRefused = ({ answer, tookMs }: Timed, code: ErrorCode, what: string, part?: Part): void => {
  assert.equal(answer.json?.error?.code, code, `${what}: ${answer.status} ${answer.text}`);
  assert.equal(answer.status, 503, what);
  const { message } = answer.json.error;
  const isLocked = part === undefined && code === 'DEPENDENCY_UNAVAILABLE' && message.startsWith('Another transaction holds records');
  if (!isLocked) assert.equal(message, part?.message ?? ERRORS[code].message, what);
  assert.deepEqual(answer.json.error.details, isLocked ? { retry_after_seconds: 1 } : part?.details, what);
  assert.equal(answer.json.error.request_id, answer.headers.get('x-request-id'), what);
  assert.ok(Number(answer.headers.get('retry-after')) >= 1, what);
  assert.ok(tookMs < ANSWERED_WITHIN_MS, `${what}: ${Math.round(tookMs)} ms`);
};

/** Response to a permitted request in each mode. */
const SERVED: Readonly<Record<TestMode, Readonly<Record<string, string>>>> = {
  ENFORCE: { note: 'ALLOWED', ship: 'COMPLETED' },
  SIMULATE: { note: 'SIMULATED', ship: 'SIMULATED' },
  OBSERVE: { note: 'OBSERVED', ship: 'OBSERVED' },
};

export const assertServed = ({ answer, place, tool }: FailClosedRequest, what: string): void => {
  assert.equal(answer.status, 200, `${what}: ${answer.text}`);
  assert.equal(answer.json.status, SERVED[place.mode][tool], what);
};

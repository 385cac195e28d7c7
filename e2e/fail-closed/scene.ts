import assert from 'node:assert/strict';
import { ERRORS, type ErrorCode } from '@svc/contract/tables/errors.ts';
import { mintToken, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import {
  type GovernedEnvironment,
  type Mode,
  newGovernedEnvironment,
  noteAndShip,
  SMALL,
} from '@svc/testing/agents/governed-environment.ts';
import type { FreshDatabase } from '@svc/testing/database/database.ts';
import { type Answer, call } from '@svc/testing/people/client.ts';
import type { Tenant } from '@svc/testing/people/tenant.ts';

const MODES: readonly Mode[] = ['ENFORCE', 'SIMULATE', 'OBSERVE'];

/** A second for the database; whoever waits longer than this for an answer was made to wait. */
export const ENV = {
  SVC_DATABASE_TIMEOUT_MS: '1000',
  // So many that none of ten requests at once waits for the share of its organization, which is refused with another code.
  SVC_DATABASE_CONNECTIONS: '40',
  SVC_EGRESS_TIMEOUT_MS: '1000',
  GATEWAY_ALLOW_REAL_EGRESS: 'true',
  SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
};
/** Within seconds on a machine with nothing else to do; whoever hangs is answered never. */
export const ANSWERED_WITHIN_MS = 20_000;

/** A session of the owner of the database, past every policy of it. */
export type Owner = Awaited<ReturnType<FreshDatabase['client']>>;

/** An environment in one mode, and its agent's token. */
export type Place = GovernedEnvironment & { readonly token: string };

/** One environment per mode, whose agents are known to the gateway that minted their tokens and to no other. */
export const newPlaces = (tenant: Tenant, gatewayUrl: string, shipTo: string): Promise<Place[]> =>
  Promise.all(
    MODES.map(async (mode) => {
      const governed = await newGovernedEnvironment(tenant, mode, noteAndShip(shipTo));
      return { ...governed, token: await mintToken(gatewayUrl, governed.agent) };
    }),
  );

let orders = 0;

/** An answer and how long it took to come. */
export type Timed = { readonly answer: Answer; readonly tookMs: number };

export type Asked = Timed & { readonly place: Place; readonly tool: string; readonly order: string };

export const timed = async (work: () => Promise<Answer>): Promise<Timed> => {
  const startedAt = performance.now();
  return { answer: await work(), tookMs: performance.now() - startedAt };
};

/** Asks for one governed action; the parameters carry an order nobody else asks for. */
export const ask = async (
  gatewayUrl: string,
  place: Place,
  body: { readonly tool: string; readonly amount?: number; readonly approval_id?: string; readonly dry_run?: boolean },
  order?: string,
): Promise<Asked> => {
  orders += 1;
  const named = order ?? `order-${orders}`;
  const sent = { amount: SMALL, ...body, parameters: { order: named } };
  const answered = await timed(() => call(gatewayUrl, 'POST', '/gateway/v1/actions', { token: place.token, body: sent }));
  return { ...answered, place, tool: body.tool, order: named };
};

/** Actions of both kinds in every place, all at once. */
export const actEverywhere = (gatewayUrl: string, places: readonly Place[]): Promise<Asked[]> =>
  Promise.all(places.flatMap((place) => ['note', 'ship'].map((tool) => ask(gatewayUrl, place, { tool }))));

/** Asks for a token with an assertion made out to the audience. */
export const mint = (gatewayUrl: string, audience: string, { agent }: Place): Promise<Timed> =>
  timed(() => {
    const body = { agent_id: agent.id, assertion: signAssertion(agent, audience), sdk: SDK };
    return call(gatewayUrl, 'POST', '/gateway/v1/token', { body });
  });

/** What a 503 says of the part that did not answer. */
type Part = { readonly message: string; readonly details: object };

export const REDIS: Part = {
  message: 'Redis, which counts requests for all processes, does not respond, so the request was refused.',
  details: { part: 'redis' },
};

/** What readiness says, which is asked by those who watch over the service. */
export const NO_DATABASE: Part = { message: 'The database does not respond.', details: { checks: { database: 'unavailable' } } };

/** The table's own 503, or the one that names its part: its code, when to come again, which request it was, and nothing about the inside; within seconds. */
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

/** What a request that may go on is answered in each mode. */
const SERVED: Readonly<Record<Mode, Readonly<Record<string, string>>>> = {
  ENFORCE: { note: 'ALLOWED', ship: 'COMPLETED' },
  SIMULATE: { note: 'SIMULATED', ship: 'SIMULATED' },
  OBSERVE: { note: 'OBSERVED', ship: 'OBSERVED' },
};

export const assertServed = ({ answer, place, tool }: Asked, what: string): void => {
  assert.equal(answer.status, 200, `${what}: ${answer.text}`);
  assert.equal(answer.json.status, SERVED[place.mode][tool], what);
};

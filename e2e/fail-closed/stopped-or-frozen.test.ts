import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { readAudience } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { AMOUNT_RULES, HELD } from '@svc/testing/agents/governed-environment.ts';
import { type OwnServer, startOwnServer } from '@svc/testing/database/own-server.ts';
import { sampleFew } from '@svc/testing/length/test-length.ts';
import { type Downstream, startDownstream } from '@svc/testing/peers/downstream.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { getPlaneEnvironment, type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import {
  actEverywhere,
  ask,
  assertRefused,
  assertServed,
  ENV,
  type FailClosedRequest,
  type ModeEnvironment,
  measure,
  mint,
  NO_DATABASE,
  newPlaces,
  type Timed,
} from './scene.ts';
import { getEnded, startProgram } from './start-program.ts';

const BACK_WITHIN_MS = 60_000;
/** Maximum number of one organization, so that the queue of a frozen server is full too. */
const IMPATIENT = (LIMITS.admission.decidingMax * 3) / 4;
const IMPATIENT_FOR_MS = 2_500;

let server: OwnServer;
let planes: Planes;
let downstream: Downstream;
let tenant: Tenant;
let audience: string;
let knowing: string;
let unknowing: string;

before(async () => {
  [server, downstream] = await Promise.all([startOwnServer(), startDownstream()]);
  planes = await startPlanes({ database: server.database, gateways: 2, env: ENV });
  [knowing, unknowing] = planes.gatewayUrls as [string, string];
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  await activateRules(tenant, 'amounts', AMOUNT_RULES);
  audience = await readAudience(knowing);
});
after(async () => {
  await planes?.stop();
  await Promise.all([server?.remove(), downstream?.close()]);
});

const asOwner = (method: string, path: string, body?: object, headers = {}): Promise<Timed> =>
  measure(() => call(planes.controlUrl, method, path, { token: tenant.token, headers, ...(body ? { body } : {}) }));

const login = (): Promise<Timed> =>
  measure(() => call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email: tenant.email, password: tenant.password } }));

/** Sends every kind of request to the planes, each with its expected code while there is no database. */
const askEverything = async (places: readonly ModeEnvironment[]): Promise<readonly (readonly [string, ErrorCode, Timed])[]> => {
  const [enforcing] = places as [ModeEnvironment, ...ModeEnvironment[]];
  const named = (what: string, code: ErrorCode, all: readonly Timed[]) => all.map((one) => [what, code, one] as const);
  const approval_id = 'apr_01J8Z3V7Q2N4M6K8P0R2T4W6Y8';
  const answers = await Promise.all([
    actEverywhere(knowing, places).then((all) => named('known', 'AUDIT_SERVICE_UNAVAILABLE', all)),
    actEverywhere(unknowing, places).then((all) => named('unheard', 'IDENTITY_SERVICE_UNAVAILABLE', all)),
    ask(knowing, enforcing, { tool: 'ship', amount: HELD }).then((one) => named('held', 'APPROVAL_SERVICE_UNAVAILABLE', [one])),
    ask(knowing, enforcing, { tool: 'ship', approval_id }).then((one) => named('approved', 'APPROVAL_SERVICE_UNAVAILABLE', [one])),
    ask(knowing, enforcing, { tool: 'ship', dry_run: true }).then((one) => named('dry run', 'POLICY_SERVICE_UNAVAILABLE', [one])),
    mint(knowing, audience, enforcing).then((one) => named('token', 'IDENTITY_SERVICE_UNAVAILABLE', [one])),
    mint(unknowing, audience, enforcing).then((one) => named('cold token', 'IDENTITY_SERVICE_UNAVAILABLE', [one])),
  ]);
  return answers.flat();
};

/** Readiness; an earlier result is cached for a while. */
const askReady = async (url: string): Promise<Timed> => {
  await sleep(LIMITS.health.keptMs + 50);
  return measure(() => call(url, 'GET', '/health/ready'));
};

const askControlPlane = (name: string): Promise<readonly (readonly [string, Timed])[]> =>
  Promise.all(
    (
      [
        ['login', login],
        ['sign-up', () => measure(() => call(planes.controlUrl, 'POST', '/v1/auth/signup', { body: { ...NEW_PERSON } }))],
        ['session', () => asOwner('GET', '/v1/auth/session')],
        ['step-up', () => asOwner('POST', '/v1/auth/step-up', { password: tenant.password })],
        ['list', () => asOwner('GET', '/v1/agents')],
        ['search', () => asOwner('GET', '/v1/actions')],
        ['read', () => asOwner('GET', '/v1/organization')],
        ['write', () => asOwner('POST', '/v1/workspaces', { name: 'Never' })],
        ['keyed write', () => asOwner('POST', '/v1/workspaces', { name }, { 'idempotency-key': name })],
        ['ready', () => askReady(planes.controlUrl)],
        ['gateway ready', () => askReady(knowing)],
      ] as const
    ).map(async ([what, work]) => [what, await work()] as const),
  );
const NEW_PERSON = { email: 'nobody@example.com', password: 'correct horse battery staple', name: 'Nobody', organizationName: 'None' };

const assertNoDatabase = (one: Timed, what: string): void =>
  assertRefused(one, one.answer.json?.error?.code ?? 'INTERNAL_ERROR', what, what.endsWith('ready') ? NO_DATABASE : undefined);

/** Asserts liveness, which only means that the process exists. */
const assertAlive = async (): Promise<void> => {
  for (const url of [planes.controlUrl, ...planes.gatewayUrls]) assert.equal((await call(url, 'GET', '/health/live')).status, 200);
};

/** Retries until every request is served, without a restart of any process. */
const backAfterMs = async (places: readonly ModeEnvironment[]): Promise<number> => {
  const startedAt = performance.now();
  for (;;) {
    const asked = [...(await actEverywhere(knowing, places)), ...(await actEverywhere(unknowing, places))];
    const people = [await login(), await asOwner('GET', '/v1/agents')];
    const refused = [...asked, ...people].filter(({ answer }) => answer.status !== 200);
    if (refused.length === 0) {
      for (const one of asked) assertServed(one, `${one.place.mode}, ${one.tool}`);
      return performance.now() - startedAt;
    }
    if (performance.now() - startedAt > BACK_WITHIN_MS) assert.fail(`still refused: ${refused[0]?.answer.text}`);
    await sleep(50);
  }
};

const query = async <Row extends object>(text: string, values: unknown[]): Promise<Row[]> => {
  const client = await server.database.client();
  return await client
    .query<Row>(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
};

const isRefusedAs = (asked: readonly (readonly [string, ErrorCode, Timed])[]): string[] => {
  for (const [what, code, one] of asked) assertRefused(one, code, what);
  return asked.flatMap(([, , one]) => ('order' in one ? [String(one.order)] : []));
};

const assertNotExecuted = async (orders: readonly string[]): Promise<void> => {
  assert.deepEqual(
    orders.filter((order) => downstream.received.has(order)),
    [],
  );
  const text = `select status, parameters ->> 'order' as order from actions where parameters ->> 'order' = any($1) and status not in
    ('ALLOWED', 'PENDING_APPROVAL', 'EXECUTING', 'SIMULATED', 'OBSERVED', 'FAILED')`;
  assert.deepEqual(await query(text, [orders]), []);
};

const OUTAGES = {
  stopped: { begin: () => server.stop(), end: () => server.start() },
  killed: { begin: () => server.kill(), end: () => server.start() },
  frozen: { begin: async () => server.freeze(), end: async () => server.thaw() },
};

for (const [outage, { begin, end }] of sampleFew(Object.entries(OUTAGES), 1, 'outages of PostgreSQL')) {
  describe(`while PostgreSQL is ${outage}`, () => {
    let places: ModeEnvironment[];
    let orders: string[];
    let over = false;
    const endOnce = async (): Promise<void> => {
      if (!over) await end();
      over = true;
    };
    before(async () => {
      places = await newPlaces(tenant, knowing, downstream.url('answers'));
      for (const one of await actEverywhere(knowing, places)) assertServed(one, 'before');
      await begin();
    });
    after(endOnce);

    test('every action and token is refused in seconds with the code of its dependency, in every mode', async () => {
      orders = isRefusedAs(await askEverything(places));
      // Again, now that every connection is broken.
      orders.push(...isRefusedAs(await askEverything(places)));
    });

    test('the control plane refuses to read, write and sign in, and reveals no internals', async () => {
      for (const [what, one] of await askControlPlane(outage)) assertNoDatabase(one, what);
      await assertAlive();
    });

    test('a starting instance waits for it and reports that', async () => {
      const environment = getPlaneEnvironment(server.database, ENV);
      for (const plane of ['gateway', 'control-plane']) {
        const started = startProgram(plane, environment);
        await waitUntil('it waits', () => started.output() !== '' || started.child.exitCode !== null);
        assert.match(
          started.output(),
          /^\{"waiting":"The database does not respond .* DATABASE_URL is its address\."\}\n$/,
          started.errors(),
        );
        started.child.kill('SIGTERM');
        await getEnded(started.child);
        assert.equal(started.child.exitCode, 0);
      }
    });

    test('many impatient agents get only that refusal', async () => {
      const waitUntil = performance.now() + IMPATIENT_FOR_MS;
      const impatient = async (place: ModeEnvironment): Promise<FailClosedRequest[]> => {
        const all: FailClosedRequest[] = [];
        while (performance.now() < waitUntil) {
          all.push(await ask(knowing, place, { tool: 'ship' }), await ask(unknowing, place, { tool: 'note' }));
          await mint(unknowing, audience, place);
        }
        return all;
      };
      const asked = (await Promise.all(Array.from({ length: IMPATIENT }, (_, n) => impatient(places[n % 3] as ModeEnvironment)))).flat();
      for (const one of asked) assertRefused(one, one.answer.json?.error?.code, 'impatient');
      orders.push(...asked.map(({ order }) => order));
      for (const [what, one] of await askControlPlane(outage)) assertNoDatabase(one, what);
    });

    test('everything is served again when it is back, and nothing that was refused is executed', async (t) => {
      await endOnce();
      t.diagnostic(`served again ${Math.round(await backAfterMs(places))} ms after the database`);
      await assertNotExecuted(orders);
      const { answer } = await asOwner('POST', '/v1/workspaces', { name: outage }, { 'idempotency-key': outage });
      assert.equal(answer.status, 201, answer.text);
      const workspaces = (await asOwner('GET', '/v1/workspaces')).answer.json.filter(({ name }: { name: string }) => name === outage);
      assert.equal(workspaces.length, 1);
    });
  });
}

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { startRateProvider, type TestRateProvider } from '@svc/testing/peers/rate-provider.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const REFRESH_SECONDS = 2;

let provider: TestRateProvider;
let database: FreshDatabase;
let owner: pg.Client;
let replicas: Planes[] = [];
let tenant: Tenant;
before(async () => {
  [provider, database] = await Promise.all([startRateProvider(), createFreshDatabase()]);
  provider.answer((base) => ({ json: { base, rates: { EUR: 0.92 } } }));
  owner = await database.client();
  const env = {
    SVC_FX_PROVIDER_URL: provider.origin,
    SVC_FX_REFRESH_SECONDS: String(REFRESH_SECONDS),
    SVC_EGRESS_TIMEOUT_MS: '500',
  };
  replicas = await Promise.all([1, 2].map(() => startPlanes({ gateways: 0, database, env })));
  tenant = await newTenant(replicas[0] as Planes);
});
after(async () => {
  await Promise.all(replicas.map((planes) => planes.stop()));
  await owner.end();
  await provider.close();
  await database.drop();
});

const readEvents = async (type: string, organization = tenant.organization_id) =>
  (
    await owner.query(
      "select occurred_at, actor_type, data::jsonb - 'record_digests' as data from audit_events where organization_id = $1 and type = $2 order by id",
      [organization, type],
    )
  ).rows;

const read = () => mustCall(tenant.controlUrl, 'GET', '/v1/fx-rates', { token: tenant.token });

test('one of several replicas fetches at a time, at the configured interval, without a request', async () => {
  await waitUntil('three fetches', async () => (await readEvents('fx_rate.refreshed')).length >= 3);
  const events = await readEvents('fx_rate.refreshed');
  const gaps = events.slice(1).map(({ occurred_at }, index) => occurred_at.getTime() - events[index].occurred_at.getTime());
  // A round reads the clock before it claims.
  for (const gap of gaps) assert.ok(gap >= REFRESH_SECONDS * 1000 - 300, `${gap} ms`);
  assert.equal(events[0].actor_type, 'SYSTEM');
  const { rates, provider: status } = await read();
  assert.deepEqual([rates.length, rates[0].created_by, status.failure, status.refresh_seconds], [1, 'system', null, REFRESH_SECONDS]);
});

test('rates of a new base currency are fetched as soon as it is noticed', async () => {
  await mustCall(tenant.controlUrl, 'PATCH', '/v1/organization', { token: tenant.token, body: { base_currency: 'GBP' } });
  await waitUntil('a rate of GBP', async () =>
    (await read()).rates.some((rate: { base_currency: string }) => rate.base_currency === 'GBP'),
  );
});

test('repeated failures of the provider are recorded once, other work continues, and stored rates stay', async () => {
  const before = await read();
  provider.answer('hangs');
  await waitUntil('a failure', async () => (await readEvents('fx_rate.refresh_failed')).length > 0);
  const since = (await read()).provider.attempted_at;
  await waitUntil('another attempt', async () => (await read()).provider.attempted_at > since);
  assert.equal((await readEvents('fx_rate.refresh_failed')).length, 1);
  const { rates, provider: status } = await read();
  assert.deepEqual(rates, before.rates);
  assert.equal(status.failure, 'The provider did not respond in time.');
  provider.answer((base) => ({ json: { base, rates: { EUR: 0.93 } } }));
  await waitUntil('a recovery', async () => (await read()).provider.failure === null);
});

test('one request of a round serves organizations with the same base currency', async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => newTenant(replicas[1] as Planes)));
  await waitUntil('rates for all', async () => {
    const answers = await Promise.all(others.map(({ controlUrl, token }) => call(controlUrl, 'GET', '/v1/fx-rates', { token })));
    return answers.every(({ json }) => json.rates.length === 1);
  });
  const since = (await readEvents('fx_rate.refreshed', others[0]?.organization_id)).length;
  provider.requests.length = 0;
  await waitUntil('another round', async () => (await readEvents('fx_rate.refreshed', others[0]?.organization_id)).length > since + 1);
  const stored = (await Promise.all(others.map(({ organization_id }) => readEvents('fx_rate.refreshed', organization_id)))).flat().length;
  assert.ok(provider.requests.length < stored, `${provider.requests.length} requests for ${stored} organizations`);
});

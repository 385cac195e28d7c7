import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { findProviderUrlFault, providerAddress } from '@svc/program/settings/provider-address.ts';
import { type RateAnswer, startRateProvider, type TestRateProvider } from '@svc/testing/peers/rate-provider.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';
import { newRateProvider } from './new-rate-provider.ts';

let provider: TestRateProvider;
let elsewhere: TestRateProvider;
let planes: Planes;
let owner: pg.Client;
let tenant: Tenant;
before(async () => {
  [provider, elsewhere] = await Promise.all([startRateProvider(), startRateProvider()]);
  // Nothing is fetched automatically while this file runs.
  const env = { SVC_FX_PROVIDER_URL: `${provider.origin}/latest`, SVC_FX_REFRESH_SECONDS: '604800', SVC_EGRESS_TIMEOUT_MS: '1000' };
  planes = await startPlanes({ gateways: 0, env });
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await Promise.all([provider.close(), elsewhere.close(), planes.stop()]);
});
beforeEach(async () => {
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  await owner.query("insert into exchange_rate_refreshes (organization_id, base_currency, attempted_at) values ($1, 'USD', now())", [
    tenant.organization_id,
  ]);
  provider.requests.length = 0;
});

const ask = (method: string, path: string, body?: unknown) =>
  call(planes.controlUrl, method, path, { token: tenant.token, ...(body === undefined ? {} : { body }) });
const refreshExchangeRates = () => ask('POST', '/v1/fx-rates/refresh');
const state = async () => (await ask('GET', '/v1/fx-rates')).json;
const ratesInForce = async () => {
  const { rates } = await state();
  return Object.fromEntries(
    rates.map((rate: Record<string, string>) => [`${rate.base_currency}/${rate.quote_currency}`, `${rate.rate} ${rate.source}`]),
  );
};
const events = async (type: string) =>
  (
    await owner.query('select data, actor_type, actor_id from audit_events where organization_id = $1 and type = $2 order by id', [
      tenant.organization_id,
      type,
    ])
  ).rows;
const rates = (of: object, base = 'USD'): RateAnswer => ({ json: { base, rates: of } });

describe('a refresh', () => {
  test('stores the response of the provider, which applies at once and is recorded', async () => {
    provider.answer(rates({ EUR: 0.92, JPY: 151.5, USD: 1, XAU: 0.0003 }));
    const { status, json } = await refreshExchangeRates();
    assert.equal(status, 200);
    const { refreshed_at, ...told } = json;
    assert.deepEqual(told, { base_currency: 'USD', changed: 2, unchanged: 0, ignored: ['XAU'] });
    assert.deepEqual(await ratesInForce(), { 'USD/EUR': '0.92 AUTOMATIC', 'USD/JPY': '151.5 AUTOMATIC' });
    const [event] = await events('fx_rate.refreshed');
    assert.deepEqual(event.data.after, { EUR: '0.92', JPY: '151.5' });
    assert.equal(event.actor_id, tenant.user.id);
    const { provider: status_ } = await state();
    assert.deepEqual(status_, {
      configured: true,
      refresh_seconds: 604_800,
      attempted_at: refreshed_at,
      succeeded_at: refreshed_at,
      failure: null,
    });
  });

  test('sends the rate request only: no credential, identifier, body or data of the caller', async () => {
    provider.answer(rates({ EUR: 1 }));
    await call(planes.controlUrl, 'POST', '/v1/fx-rates/refresh', {
      token: tenant.token,
      headers: {
        referer: 'https://console.example/secret',
        cookie: 'a=b',
        'x-request-id': 'mine',
        traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
      },
    });
    const { host } = new URL(provider.origin);
    const headers = { accept: 'application/json', 'accept-encoding': 'identity', connection: 'close', host, 'user-agent': 'svc-gateway' };
    assert.deepEqual(provider.requests, [{ method: 'GET', url: '/latest?base=USD', headers, body: '' }]);
  });

  test('requests the current base currency of the organization', async () => {
    await newControlClient(planes.controlUrl, tenant.token).updateOrganization({ body: { base_currency: 'JPY' } });
    provider.answer((base) => rates({ EUR: 0.006 }, base));
    assert.equal((await refreshExchangeRates()).json.base_currency, 'JPY');
    assert.equal(provider.requests[0]?.url, '/latest?base=JPY');
    assert.deepEqual(await ratesInForce(), { 'JPY/EUR': '0.006 AUTOMATIC' });
  });

  test('stores only changes, and keeps history and epochs unchanged otherwise', async () => {
    const epoch = async () =>
      (await owner.query('select epoch from environment_epochs where environment_id = $1', [tenant.environment_id])).rows[0].epoch;
    provider.answer(rates({ EUR: 0.92, JPY: 151.5 }));
    await refreshExchangeRates();
    const moved = await epoch();
    const { changed, unchanged } = (await refreshExchangeRates()).json;
    assert.deepEqual([changed, unchanged, await epoch()], [0, 2, moved]);
    provider.answer(rates({ EUR: 0.93, JPY: 151.5 }));
    assert.equal((await refreshExchangeRates()).json.changed, 1);
    assert.equal((await ask('GET', '/v1/fx-rates/history')).json.data.length, 3);
    assert.notEqual(await epoch(), moved);
  });

  test('leaves a manual rate active, and deleting that restores the automatic one', async () => {
    const { id } = (await ask('POST', '/v1/fx-rates', { base_currency: 'EUR', quote_currency: 'USD', rate: '2' })).json;
    provider.answer(rates({ EUR: 0.92 }));
    await refreshExchangeRates();
    assert.deepEqual(await ratesInForce(), { 'EUR/USD': '2 MANUAL' });
    await ask('DELETE', `/v1/fx-rates/${id}`);
    assert.deepEqual(await ratesInForce(), { 'USD/EUR': '0.92 AUTOMATIC' });
    const [automatic] = (await state()).rates;
    const refused = await ask('DELETE', `/v1/fx-rates/${automatic.id}`);
    assert.deepEqual([refused.status, refused.json.error.code], [422, 'UNPROCESSABLE']);
  });

  test('is one response for all concurrent requests, and stores each rate once', async () => {
    provider.answer(rates({ EUR: 0.92, JPY: 151.5 }));
    const answers = await Promise.all(Array.from({ length: 8 }, refreshExchangeRates));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal((await ask('GET', '/v1/fx-rates/history')).json.data.length, 2);
    assert.ok(provider.requests.length < 8, `${provider.requests.length} requests`);
  });
});

describe('an invalid or silent provider', () => {
  const huge = `{"base":"USD","rates":{"EUR":0.9,"x":"${'y'.repeat(5_000_000)}"}}`;
  const cases: readonly (readonly [name: string, how: () => RateAnswer, failure: RegExp])[] = [
    ['hangs', () => 'hangs', /did not respond in time/],
    ['resets the connection', () => 'resets', /closed the connection/],
    ['answers 5 MB', () => ({ text: huge }), /larger than 262144 bytes/],
    ['redirects', () => ({ text: '', status: 302, headers: { location: `${elsewhere.origin}/latest?base=USD` } }), /status 302/],
    ['answers an error', () => ({ json: { base: 'USD', rates: { EUR: 1 } }, status: 500 }), /status 500/],
    ['answers nothing new', () => ({ text: '', status: 304 }), /status 304/],
    ['answers a page', () => ({ text: '<html>login</html>', headers: { 'content-type': 'text/html' } }), /not JSON in a supported format/],
    ['answers for another base', () => rates({ USD: 1.1 }, 'EUR'), /not for the base currency USD/],
    ['answers no base', () => ({ json: { rates: { EUR: 1 } } }), /not for the base currency USD/],
    ['answers zero', () => rates({ JPY: 151, EUR: 0 }), /rate of EUR must be a number above zero/],
    ['answers a negative rate', () => rates({ JPY: 151, EUR: -0.9 }), /rate of EUR/],
    ['answers a huge number', () => ({ text: '{"base":"USD","rates":{"EUR":1e308}}' }), /rate of EUR/],
    ['answers an empty rate', () => rates({ JPY: 151, EUR: null }), /rate of EUR/],
    ['answers nothing', () => rates({}), /contains no rate/],
    ['compresses', () => ({ text: 'x', headers: { 'content-encoding': 'gzip' } }), /compressed/],
  ];
  for (const [name, how, failure] of cases) {
    test(`${name}: the refresh is refused and recorded, and every stored rate stays active`, async () => {
      provider.answer(rates({ EUR: 0.92 }));
      await refreshExchangeRates();
      const before = await ratesInForce();
      provider.answer(how());
      const { status, json } = await refreshExchangeRates();
      assert.deepEqual([status, json.error.code], [503, 'DEPENDENCY_UNAVAILABLE']);
      assert.match(json.error.message, failure);
      assert.ok(!json.error.message.includes('127.0.0.1'), json.error.message);
      assert.deepEqual(await ratesInForce(), before);
      const [event] = await events('fx_rate.refresh_failed');
      assert.match(event.data.failure, failure);
      const { failure: shown, succeeded_at, attempted_at } = (await state()).provider;
      assert.match(shown, failure);
      assert.ok(succeeded_at < attempted_at);
      assert.equal(elsewhere.requests.length, 0, 'a redirect was followed');
    });
  }
});

describe('the address of a provider', () => {
  test('contains the base currency at its placeholder, and in the query otherwise', () => {
    assert.equal(providerAddress('https://rates.example/v6/latest/{base}', 'USD'), 'https://rates.example/v6/latest/USD');
    assert.equal(providerAddress('https://rates.example/live?source={base}&key=k', 'EUR'), 'https://rates.example/live?source=EUR&key=k');
    assert.equal(providerAddress('https://rates.example/latest?base=GBP', 'EUR'), 'https://rates.example/latest?base=EUR');
  });

  test('is http or https without a user, and everything else prevents the start with a sentence', async () => {
    assert.equal(findProviderUrlFault('https://rates.example/{base}'), undefined);
    for (const url of [
      'rates.example',
      'ftp://rates.example/',
      'file:///etc/passwd',
      'https://me:secret@rates.example/',
      'https://me@rates.example/',
    ])
      assert.match(findProviderUrlFault(url) ?? '', /\.$/, url);
    const env = { SVC_FX_PROVIDER_URL: 'https://me:secret@rates.example/', SVC_FX_REFRESH_SECONDS: '0' };
    await assert.rejects(startPlanes({ gateways: 0, env, database: planes.database }), (error: Error) => {
      assert.match(error.message, /SVC_FX_PROVIDER_URL must not contain a user name/);
      assert.match(error.message, /SVC_FX_REFRESH_SECONDS/);
      return !error.message.includes('secret');
    });
  });

  test('may be on this machine only if the operator wrote it so, or allowed its network', async () => {
    const { port } = new URL(provider.origin);
    provider.answer(rates({ EUR: 1 }));
    // A name resolves to this machine without revealing it.
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const fetchRatesAt = async (url: string, allowCidrs: string[] = []) => {
      const { fetchRates, close } = newRateProvider({ url, allowCidrs, timeoutMs: 1_000, lookup });
      const answer = await fetchRates('USD');
      await close();
      return 'fault' in answer ? answer.fault : 'rates';
    };
    assert.equal(await fetchRatesAt(`http://127.0.0.1:${port}/`), 'rates');
    assert.equal(await fetchRatesAt(`http://localhost:${port}/`), 'rates');
    assert.match(await fetchRatesAt(`http://rates.example:${port}/`), /private or reserved/);
    assert.equal(await fetchRatesAt(`http://rates.example:${port}/`, ['127.0.0.0/8']), 'rates');
  });
});

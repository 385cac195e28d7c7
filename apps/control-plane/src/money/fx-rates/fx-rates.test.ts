import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { call, mustCall, type TestCallOptions } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });

const ask = (method: string, path: string, body?: unknown, options: TestCallOptions = {}) =>
  call(s.planes.controlUrl, method, path, { token: s.tenant.token, ...(body === undefined ? {} : { body }), ...options });
/** Stores a rate for one tenant; asserts success. */
const createExchangeRate = async (pair: string, rate: string, effective_at?: string) => {
  const [base_currency, quote_currency] = pair.split('/');
  const { status, json, text } = await ask('POST', '/v1/fx-rates', { base_currency, quote_currency, rate, effective_at });
  assert.equal(status, 201, text);
  return json;
};
const getExchangeRates = async () => (await ask('GET', '/v1/fx-rates')).json;
const inForce = async (pair: string): Promise<string | undefined> =>
  (await getExchangeRates()).rates.find((rate: Record<string, string>) => `${rate.base_currency}/${rate.quote_currency}` === pair)?.rate;
const deleteExchangeRate = (id: string) => ask('DELETE', `/v1/fx-rates/${id}`);
const epoch = async () =>
  (await s.owner.query('select epoch from environment_epochs where environment_id = $1', [s.tenant.environment_id])).rows[0]
    .epoch as string;
const listEvents = (id: string) => s.eventsOf(id, 'type', 'data', 'actor_id');
const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

describe('a manual rate', () => {
  test('applies as soon as it is set, is part of every decision, and is recorded with who set it', async () => {
    const moved = await epoch();
    const rate = await createExchangeRate('EUR/USD', '1.0825');
    assert.deepEqual([rate.source, rate.rate, rate.created_by, rate.deleted_at], ['MANUAL', '1.0825', s.tenant.user.id, null]);
    assert.match(rate.id, /^fxr_/);
    assert.equal(await inForce('EUR/USD'), '1.0825');
    assert.notEqual(await epoch(), moved);
    const { base_currency, quote_currency, effective_at } = rate;
    const after = { base_currency, quote_currency, rate: '1.0825', effective_at };
    assert.deepEqual(await listEvents(rate.id), [{ type: 'fx_rate.created', data: { after }, actor_id: s.tenant.user.id }]);
  });

  test('keeps every digit', async () => {
    for (const text of ['0.000000000000000001', '999999999999999999.999999999999999999', '1.10', '7']) {
      await createExchangeRate('USD/VND', text);
      assert.equal(await inForce('USD/VND'), text);
    }
  });

  test('overrides an older one of the same pair, in either direction', async () => {
    await createExchangeRate('USD/CHF', '0.9');
    await createExchangeRate('CHF/USD', '1.25');
    assert.deepEqual([await inForce('USD/CHF'), await inForce('CHF/USD')], [undefined, '1.25']);
  });

  test('for a later or earlier time applies from exactly then', async () => {
    await createExchangeRate('GBP/USD', '1.2');
    const coming = await createExchangeRate('GBP/USD', '1.3', later(60));
    await createExchangeRate('GBP/USD', '1.1', '2020-01-01T00:00:00.000Z');
    assert.equal(await inForce('GBP/USD'), '1.2');
    assert.ok((await getExchangeRates()).upcoming.some(({ id }: { id: string }) => id === coming.id));
    await s.clock.advance(61);
    assert.equal(await inForce('GBP/USD'), '1.3');
    assert.ok(!(await getExchangeRates()).upcoming.some(({ id }: { id: string }) => id === coming.id));
  });

  test('is refused with its pointer unless it is a plain decimal above zero between two currencies at a time', async () => {
    const good = { base_currency: 'EUR', quote_currency: 'USD', rate: '1.1' };
    const bad = [
      ...['0', '0.000', '-1', '1e3', '1,5', ' 1', '', '.5', '5.', '01', '1'.repeat(19), `0.${'1'.repeat(19)}`, 'NaN'].map((rate) => [
        '/rate',
        { rate },
      ]),
      ...[1.1, null, true, ['1']].map((rate) => ['/rate', { rate }]),
      ['/base_currency', { base_currency: 'XAU' }],
      ['/base_currency', { base_currency: 'eur' }],
      ['/quote_currency', { quote_currency: 'ABC' }],
      ['/quote_currency', { quote_currency: 'EUR' }],
      ...['2026-02-30T00:00:00.000Z', 'tomorrow', '2026-01-01', '2026-01-01T00:00:00+02:00', ''].map((effective_at) => [
        '/effective_at',
        { effective_at },
      ]),
      ['/source', { source: 'AUTOMATIC' }],
    ] as const;
    const before = (await ask('GET', '/v1/fx-rates/history?limit=1')).text;
    for (const [pointer, change] of bad) {
      const { status, json } = await ask('POST', '/v1/fx-rates', { ...good, ...(change as object) });
      assert.deepEqual([status, json.error?.details?.faults?.[0]?.pointer], [400, pointer], JSON.stringify(change));
    }
    assert.equal((await ask('GET', '/v1/fx-rates/history?limit=1')).text, before);
  });
});

describe('deleting a rate', () => {
  test('restores the previous one, keeps it in the history, and cannot be repeated', async () => {
    await createExchangeRate('EUR/JPY', '160');
    const wrong = await createExchangeRate('EUR/JPY', '16');
    const moved = await epoch();
    const deleted = await deleteExchangeRate(wrong.id);
    assert.equal(deleted.status, 200);
    assert.notEqual(deleted.json.deleted_at, null);
    assert.equal(await inForce('EUR/JPY'), '160');
    assert.notEqual(await epoch(), moved);
    const { base_currency, quote_currency, rate, effective_at } = wrong;
    assert.deepEqual((await listEvents(wrong.id)).at(-1), {
      type: 'fx_rate.deleted',
      data: { before: { base_currency, quote_currency, rate, effective_at } },
      actor_id: s.tenant.user.id,
    });
    const history = (await ask('GET', '/v1/fx-rates/history?limit=1')).json.data;
    assert.deepEqual([history[0].id, history[0].deleted_at], [wrong.id, deleted.json.deleted_at]);
    assert.equal((await deleteExchangeRate(wrong.id)).json.error.code, 'NOT_FOUND');
  });

  test('happens once for two concurrent requests', async () => {
    const { id } = await createExchangeRate('EUR/SEK', '11');
    const answers = await Promise.all([1, 2, 3, 4].map(() => deleteExchangeRate(id)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404]);
    assert.equal((await listEvents(id)).filter(({ type }) => type === 'fx_rate.deleted').length, 1);
  });
});

test('the history contains every rate once, newest first, page by page, during changes', async () => {
  const other = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, other);
  const made: string[] = [];
  for (let n = 1; n <= 7; n += 1) {
    const body = { base_currency: 'EUR', quote_currency: 'USD', rate: `1.${n}` };
    made.push((await newControlClient(s.planes.controlUrl, other.token).createExchangeRate({ body })).id);
  }
  /** Lists the history of the other tenant. */
  const listExchangeRateHistory = async (query: string) =>
    mustCall(s.planes.controlUrl, 'GET', `/v1/fx-rates/history?${query}`, { token: other.token });
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { data, page: next } = await listExchangeRateHistory(`limit=3${cursor}`);
    seen.push(...data.map(({ id }: { id: string }) => id));
    if (!next.has_more) break;
    const body = { base_currency: 'EUR', quote_currency: 'USD', rate: '9' };
    await newControlClient(s.planes.controlUrl, other.token).createExchangeRate({ body });
    cursor = `&cursor=${encodeURIComponent(next.next_cursor)}`;
  }
  assert.deepEqual(seen, made.toReversed());
  const stolen = (await listExchangeRateHistory('limit=3')).page.next_cursor;
  assert.equal((await ask('GET', `/v1/fx-rates/history?cursor=${encodeURIComponent(stolen)}`)).status, 400);
});

test('another tenant cannot see or delete the rates', async () => {
  const { id } = await createExchangeRate('EUR/NOK', '11.5');
  const stranger = await newTenant(s.planes);
  const { rates, upcoming } = await newControlClient(s.planes.controlUrl, stranger.token).getExchangeRates();
  assert.deepEqual([rates, upcoming], [[], []]);
  assert.equal((await call(s.planes.controlUrl, 'DELETE', `/v1/fx-rates/${id}`, { token: stranger.token })).status, 404);
  assert.equal(await inForce('EUR/NOK'), '11.5');
});

test('a key of one workspace, or a narrowed call, reads rates and cannot change them', async () => {
  const body = { name: 'Key', role_id: getBuiltInRole('admin').id, workspace_id: s.tenant.workspace_id };
  const { token } = await newControlClient(s.planes.controlUrl, s.tenant.token).createApiKey({ body });
  const { id } = await createExchangeRate('EUR/DKK', '7.4');
  const narrow: TestCallOptions[] = [
    { token },
    { headers: { 'x-svc-workspace': s.tenant.workspace_id } },
    { headers: { 'x-svc-environment': s.tenant.environment_id } },
  ];
  for (const options of narrow) {
    const rate = { base_currency: 'EUR', quote_currency: 'DKK', rate: '1' };
    assert.equal((await ask('POST', '/v1/fx-rates', rate, options)).json.error.code, 'PERMISSION_DENIED');
    assert.equal((await ask('DELETE', `/v1/fx-rates/${id}`, undefined, options)).json.error.code, 'PERMISSION_DENIED');
    assert.equal((await ask('POST', '/v1/fx-rates/refresh', undefined, options)).json.error.code, 'PERMISSION_DENIED');
    assert.equal((await ask('GET', '/v1/fx-rates', undefined, options)).status, 200);
  }
  assert.equal(await inForce('EUR/DKK'), '7.4');
});

test('without a provider refreshExchangeRates states what is missing, and so does the status', async () => {
  const { status, json } = await ask('POST', '/v1/fx-rates/refresh');
  assert.deepEqual([status, json.error.code], [422, 'UNPROCESSABLE']);
  assert.match(json.error.message, /SVC_FX_PROVIDER_URL/);
  const nothing = { configured: false, refresh_seconds: null, attempted_at: null, succeeded_at: null, failure: null };
  assert.deepEqual((await getExchangeRates()).provider, nothing);
});

test('limits future rates to what a gateway can hold, also for concurrent requests', async () => {
  const other = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, other);
  await s.owner.query(
    `insert into exchange_rates (organization_id, id, base_currency, quote_currency, rate, source, effective_at, created_at, created_by)
     select $1, 'fxr_' || n, 'EUR', 'USD', '1', 'MANUAL', now() + interval '1 day', now(), 'x' from generate_series(1, 998) n`,
    [other.organization_id],
  );
  const one = (effective_at?: string) =>
    call(s.planes.controlUrl, 'POST', '/v1/fx-rates', {
      token: other.token,
      body: { base_currency: 'EUR', quote_currency: 'USD', rate: '1', effective_at },
    });
  const answers = await Promise.all(Array.from({ length: 6 }, () => one(later(60))));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 422, 422, 422, 422]);
  assert.equal((await one()).status, 201);
});

test('limits the currency pairs of an organization, and always accepts a new rate of an existing pair', async () => {
  const { pairsMax } = LIMITS.exchangeRates;
  const another = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, another);
  const { organization_id, token } = another;
  const set = (quote_currency: string, base_currency = 'EUR') =>
    call(s.planes.controlUrl, 'POST', '/v1/fx-rates', { token, body: { base_currency, quote_currency, rate: '1.5' } });
  assert.equal((await set('USD')).status, 201);
  await s.owner.query(
    `insert into exchange_rates (organization_id, id, base_currency, quote_currency, rate, source, effective_at, created_at, created_by)
     select $1, 'fxr_' || lpad(n::text, 26, '0'), chr(65 + n / 676) || chr(65 + n / 26 % 26) || chr(65 + n % 26), 'ZZZ', 1.5, 'MANUAL', now(), now(), 'usr_1'
       from generate_series(0, $2::integer - 1) n`,
    [organization_id, pairsMax - 1],
  );
  const refused = await set('CHF');
  assert.equal(refused.status, 422, refused.text);
  assert.deepEqual(refused.json.error.details, { in_organization: { pairs: pairsMax + 1 }, most: { pairs: pairsMax } });
  assert.equal((await set('EUR', 'USD')).status, 201);
  await s.owner.query(
    "update exchange_rates set deleted_at = now() where organization_id = $1 and quote_currency = 'ZZZ' and base_currency = 'AAA'",
    [organization_id],
  );
  assert.equal((await set('CHF')).status, 201);
});

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { getInTime } from '@svc/testing/time/in-time.ts';
import type pg from 'pg';

const UP_TO_500 = [
  { id: 'small', effect: 'ALLOW', when: { field: 'amount', op: 'lte', value: 50_000 }, reason: 'Up to 500.00.' },
  { id: 'large', effect: 'BLOCK', when: { field: 'amount', op: 'gt', value: 50_000 }, reason: 'Above 500.00.' },
  { id: 'free', effect: 'ALLOW', when: { field: 'amount', op: 'not_exists' }, reason: 'Costs nothing.' },
];
const TESTS = [{ name: 'small', given: { amount: 50_000 }, then: { effect: 'ALLOW' } }];

let planes: Planes;
let owner: pg.Client;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});
beforeEach(async () => {
  governed = await newGoverned(planes, { rules: UP_TO_500, tests: TESTS });
});

const setRate = async (pair: string, rate: string, effective_at?: string) => {
  const [base_currency, quote_currency] = pair.split('/');
  const { status, json, text } = await governed.owner('POST', '/v1/fx-rates', { base_currency, quote_currency, rate, effective_at });
  assert.equal(status, 201, text);
  return json;
};
const setBase = async (base_currency: string) =>
  assert.equal((await governed.owner('PATCH', '/v1/organization', { base_currency })).status, 200);
const pay = (amount?: number, currency?: string, gateway = 0) => governed.act({ amount, currency }, { gateway });
const outcome = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);
const outcomes = async (...asked: (readonly [number, string?])[]) => Promise.all(asked.map(async (one) => outcome(await pay(...one))));
const readPolicy = async () => (await governed.owner('GET', `/v1/policies/${governed.policyId}`)).json;
const epochs = async () =>
  (
    await owner.query('select environment_epoch from actions where organization_id = $1 order by id', [governed.tenant.organization_id])
  ).rows.map((row) => row.environment_epoch);

describe('an amount in another currency', () => {
  test('is refused without a rate, with the remedy, and only if it needs a rate', async () => {
    const { status, json } = await pay(100, 'EUR');
    assert.deepEqual([status, json.error.code], [422, 'UNPROCESSABLE']);
    assert.match(json.error.message, /no exchange rate between EUR and USD.*POST \/v1\/fx-rates/);
    assert.deepEqual(await outcomes([50_000], [50_000, 'USD']), ['200', '200']);
    assert.equal(outcome(await pay()), '200');
    assert.equal(outcome(await pay(1, 'ABC')), 'VALIDATION_FAILED');
  });

  test('may be in any currency that can be a base currency, including new codes, and in no other', async () => {
    await setBase('VED');
    await setRate('VED/USD', '0.01');
    assert.deepEqual(await outcomes([100, 'VED'], [100]), ['200', '200']);
    for (const code of ['DEM', 'XAU']) {
      assert.equal((await governed.owner('PATCH', '/v1/organization', { base_currency: code })).status, 400, code);
      assert.equal(outcome(await pay(1, code)), 'VALIDATION_FAILED', code);
    }
  });

  test('is compared at the current rate, to the last cent and rounded against the requester, on every gateway at once', async () => {
    await setRate('EUR/USD', '1.25');
    for (const gateway of [0, 1]) {
      assert.equal(outcome(await pay(40_000, 'EUR', gateway)), '200');
      assert.equal(outcome(await pay(40_001, 'EUR', gateway)), 'ACTION_BLOCKED');
    }
    await setRate('USD/JPY', '151.5');
    assert.deepEqual(await outcomes([75_750, 'JPY'], [75_751, 'JPY']), ['200', 'ACTION_BLOCKED']);
    await setRate('EUR/USD', '1');
    assert.deepEqual(await outcomes([50_000, 'EUR'], [50_001, 'EUR']), ['200', 'ACTION_BLOCKED']);
  });

  test('is recorded unchanged, with its converted amount and the rates used', async () => {
    const rate = await setRate('EUR/USD', '1.25');
    const { json } = await pay(12_345, 'EUR');
    const action = (await governed.owner('GET', `/v1/actions/${json.action_id}`)).json;
    assert.deepEqual([action.amount, action.currency], [12_345, 'EUR']);
    const [{ rates, ...conversion }, ...more] = action.explanation.conversions;
    assert.deepEqual([conversion, more], [{ currency: 'USD', amount: 15_432 }, []]);
    const [{ age_seconds, ...used }] = rates;
    const { id, base_currency, quote_currency, effective_at } = rate;
    assert.deepEqual(used, { id, base_currency, quote_currency, rate: '1.25', source: 'MANUAL', effective_at });
    assert.ok(age_seconds >= 0 && age_seconds < 60);
    assert.equal((await pay(12_345)).json.explanation.conversions, undefined);
  });

  test('is refused again once its rate is deleted', async () => {
    const { id } = await setRate('EUR/USD', '1.25');
    assert.equal(outcome(await pay(100, 'EUR')), '200');
    assert.equal(outcome(await pay(100, 'EUR', 1)), '200');
    await governed.owner('DELETE', `/v1/fx-rates/${id}`);
    assert.equal(outcome(await pay(100, 'EUR')), 'UNPROCESSABLE');
    assert.equal(outcome(await pay(100, 'EUR', 1)), 'UNPROCESSABLE');
  });

  test('is compared at a rate from its effective time on, without any other change', async () => {
    await getInTime(async (moment) => {
      await setRate('EUR/USD', '1');
      await setRate('EUR/USD', '2', new Date(moment).toISOString());
      assert.equal(outcome(await pay(50_000, 'EUR')), '200');
    });
    assert.deepEqual(await outcomes([50_000, 'EUR'], [25_000, 'EUR']), ['ACTION_BLOCKED', '200']);
    assert.equal(new Set((await epochs()).slice(-3)).size, 1);
  });

  test('is refused if it exceeds the range of numbers', async () => {
    await setRate('EUR/USD', '1000');
    const { status, json } = await pay(Number.MAX_SAFE_INTEGER, 'EUR');
    assert.deepEqual([status, json.error.code], [422, 'UNPROCESSABLE']);
    assert.match(json.error.message, /too large/);
  });

  test('is evaluated by simulate and dry runs as by the gateway', async () => {
    const simulate = async (amount: number) =>
      (await governed.owner('POST', '/v1/policies/simulate', { agent_id: governed.agent.id, tool: 'pay', amount, currency: 'EUR' })).json;
    const dryRun = async (amount: number) => (await governed.act({ amount, currency: 'EUR', dry_run: true })).json;
    assert.deepEqual([(await simulate(1)).code, (await dryRun(1)).error.code], ['UNPROCESSABLE', 'UNPROCESSABLE']);
    assert.deepEqual((await simulate(1)).explanation.unknown_fields, ['amount']);
    await setRate('EUR/USD', '1.25');
    assert.deepEqual([(await simulate(40_000)).decision, (await simulate(40_001)).code], ['ALLOW', 'ACTION_BLOCKED']);
    assert.equal((await simulate(40_000)).explanation.conversions[0].amount, 50_000);
    assert.deepEqual([(await dryRun(40_000)).decision, (await dryRun(40_001)).error.code], ['ALLOW', 'ACTION_BLOCKED']);
  });
});

describe('a change of the base currency', () => {
  test('keeps the amounts in rules in their currency', async () => {
    await setBase('JPY');
    assert.deepEqual(await outcomes([500], [50_000, 'USD'], [50_001, 'USD']), ['UNPROCESSABLE', '200', 'ACTION_BLOCKED']);
    await setRate('USD/JPY', '150');
    assert.deepEqual(await outcomes([75_000], [75_001], [50_000, 'USD'], [50_001, 'USD']), [
      '200',
      'ACTION_BLOCKED',
      '200',
      'ACTION_BLOCKED',
    ]);
    const { explanation } = (await pay(75_000)).json;
    assert.deepEqual(
      explanation.conversions.map(({ currency, amount }: Record<string, unknown>) => [currency, amount]),
      [['USD', 50_000]],
    );
    const [rule] = explanation.matched_rules;
    assert.deepEqual([rule.currency, rule.conditions[0].actual], ['USD', 50_000]);
  });

  test('converts through the base currency if two others have no rate of their own', async () => {
    await setBase('JPY');
    await setRate('USD/JPY', '150');
    await setRate('EUR/JPY', '300');
    assert.deepEqual(await outcomes([25_000, 'EUR'], [25_001, 'EUR']), ['200', 'ACTION_BLOCKED']);
    const { conversions } = (await pay(25_000, 'EUR')).json.explanation;
    assert.deepEqual(
      conversions.map(({ currency, amount, rates }: { currency: string; amount: number; rates: unknown[] }) => [
        currency,
        amount,
        rates.length,
      ]),
      [['USD', 50_000, 2]],
    );
  });

  test('applies to new policies, next to old ones that each keep their own currency', async () => {
    await setBase('JPY');
    await setRate('USD/JPY', '150');
    const rules = [{ id: 'yen', effect: 'BLOCK', when: { field: 'amount', op: 'gt', value: 1_000 }, reason: 'Above 1,000 yen.' }];
    const policy = await mustCall(governed.tenant.controlUrl, 'POST', '/v1/policies', {
      token: governed.tenant.token,
      body: { name: 'yen', rules, tests: [{ name: 'yen', given: { amount: 1_001 }, then: { effect: 'BLOCK' } }] },
    });
    assert.equal(policy.versions[0].currency, 'JPY');
    await governed.owner('POST', `/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason: 'yen' });
    assert.deepEqual(await outcomes([1_000], [1_001], [667, 'USD']), ['200', 'ACTION_BLOCKED', 'ACTION_BLOCKED']);
    assert.equal(outcome(await pay(666, 'USD')), '200');
  });

  test('keeps the currency of amounts of an old version, on a rollback and when rules are sent back', async () => {
    await setBase('JPY');
    await setRate('USD/JPY', '150');
    const path = `/v1/policies/${governed.policyId}`;
    const silent = await governed.owner('PATCH', path, { rules: UP_TO_500 });
    assert.deepEqual([silent.status, silent.json.error.details.faults[0].pointer], [400, '/currency']);
    assert.equal((await governed.owner('PATCH', path, { currency: 'ABC', rules: UP_TO_500 })).status, 400);
    assert.equal((await governed.owner('PATCH', path, { tests: TESTS })).json.versions[0].currency, 'USD');
    const yen = (await governed.owner('PATCH', path, { rules: UP_TO_500, currency: 'JPY' })).json;
    assert.equal(yen.versions[0].currency, 'JPY');
    await governed.owner('POST', `${path}/activate`, { version_id: yen.versions[0].version_id, reason: 'yen' });
    assert.deepEqual(await outcomes([50_000], [50_001]), ['200', 'ACTION_BLOCKED']);
    const back = await governed.owner('POST', `${path}/rollback`, { target_version_number: 1, reason: 'dollars', accept_warnings: true });
    assert.equal(back.status, 200, back.text);
    assert.equal((await readPolicy()).versions[0].currency, 'USD');
    assert.deepEqual(await outcomes([75_000], [75_001]), ['200', 'ACTION_BLOCKED']);
    await assert.rejects(
      owner.query("update policy_versions set currency = 'JPY' where policy_id = $1", [governed.policyId]),
      /cannot be changed/,
    );
  });

  test('keeps the ceilings of limits in their currency too', async () => {
    const path = `/v1/policies/${governed.policyId}`;
    const rules = [
      { id: 'fine', effect: 'ALLOW', reason: 'Fine.' },
      { id: 'limited', effect: 'LIMIT', limit: { max_amount: 10_000, window_seconds: 3_600 }, reason: 'At most 100.00 an hour.' },
    ];
    const body = { rules, tests: [{ name: 'limited', given: {}, then: { effect: 'LIMIT' } }] };
    const saved = await governed.owner('PATCH', path, body);
    assert.equal(saved.status, 200, saved.text);
    await governed.owner('POST', `${path}/activate`, { version_id: saved.json.versions[0].version_id, reason: 'limit' });
    assert.equal(outcome(await pay(4_000)), '200');
    await setBase('JPY');
    assert.equal(outcome(await pay(1)), 'UNPROCESSABLE');
    await setRate('USD/JPY', '150');
    assert.equal(outcome(await pay(9_001)), 'VELOCITY_LIMIT_EXCEEDED');
    assert.equal(outcome(await pay(9_000)), '200');
    assert.equal(outcome(await pay(1)), 'VELOCITY_LIMIT_EXCEEDED');
  });
});

test('the time zone of the organization affects rules about time at once', async () => {
  const rules = [
    { id: 'here', effect: 'ALLOW', when: { field: 'time.date', op: 'exists' }, reason: 'Any time.' },
    { id: 'there', effect: 'BLOCK', when: { field: 'time.date', op: 'neq', value: '2000-01-01' }, reason: 'Not in that zone.' },
  ];
  const readClock = async (time_zone: string) => {
    await mustCall(governed.tenant.controlUrl, 'PATCH', '/v1/organization', { token: governed.tenant.token, body: { time_zone } });
    const { json } = await pay();
    const [rule] = json.error.details.decision.explanation.matched_rules.filter(({ id }: { id: string }) => id === 'there');
    return rule.conditions[0].actual;
  };
  const saved = await governed.owner('PATCH', `/v1/policies/${governed.policyId}`, {
    rules,
    tests: [{ name: 'any', given: { 'time.date': '2000-01-01' }, then: { effect: 'ALLOW' } }],
  });
  await governed.owner('POST', `/v1/policies/${governed.policyId}/activate`, {
    version_id: saved.json.versions[0].version_id,
    reason: 'time',
  });
  // These two are never on the same date.
  assert.notEqual(await readClock('Pacific/Kiritimati'), await readClock('Pacific/Pago_Pago'));
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { newGovernedEnvironment } from '@svc/testing/agents/governed-environment.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { readTables } from '@svc/testing/records/read-tables.ts';
import type pg from 'pg';

let planes: Planes;
let db: pg.Client;
before(async () => {
  planes = await leasePlanes();
  db = await planes.database.client();
});
after(async () => {
  await db.end();
  await planes.stop();
});

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);

const ALLOW = { id: 'allow', effect: 'ALLOW', reason: 'Allowed.' };
const block = (field: string, op: string, value?: unknown, rest: object = {}) => ({
  id: `${field}-${op}`.replaceAll('*', 'any'),
  effect: 'BLOCK',
  reason: 'Stop.',
  when: { field, op, ...(value === undefined ? {} : { value }) },
  ...rest,
});

/** Test of a version whose first rule alone would not allow an empty request. */
const BLOCKED_UNTOLD = [{ name: 'untold', given: {}, then: { effect: 'BLOCK' } }];

/** Asserts that none of these is allowed; a refusal before policy is fine too. */
const assertNever = async (governed: Governed, tries: Readonly<Record<string, object>>): Promise<void> => {
  for (const [what, body] of Object.entries(tries)) {
    for (const gateway of [0, 1]) {
      const answer = await governed.act(body, { gateway });
      assert.notEqual(answer.status, 200, `${what}: ${answer.text.slice(0, 400)}`);
      assert.ok(answer.status < 500, `${what}: ${answer.text.slice(0, 400)}`);
    }
  }
};

describe('a rule on the amount', () => {
  const tool = {
    amount_from: '/total',
    currency_from: '/currency',
    parameters_schema: { type: 'object', properties: { total: { type: 'integer' }, currency: { type: 'string' } } },
  };

  test('cannot be bypassed by an encoding, omission or contradiction if the tool declares its amount', async () => {
    const governed = await newGoverned(planes, { rules: [ALLOW, block('amount', 'gt', 1000)], tool });
    const parameters = { total: 5000, currency: 'USD' };
    await assertNever(governed, {
      plain: { parameters },
      'a smaller amount next to it': { parameters, amount: 1 },
      'no parameters': {},
      'no amount in them': { parameters: { currency: 'USD' } },
      'null for it': { parameters: { ...parameters, total: null } },
      'text for it': { parameters: { ...parameters, total: '5000' } },
      'a fraction': { parameters: { ...parameters, total: 5000.5 } },
      'a negative': { parameters: { ...parameters, total: -5000 } },
      'beyond what is exact': { parameters: { ...parameters, total: Number.MAX_SAFE_INTEGER + 1 } },
      'another case': { parameters: { Total: 5000, currency: 'USD' } },
      'another currency': { parameters: { ...parameters, currency: 'EUR' } },
      'another currency next to it': { parameters, currency: 'EUR' },
      'a currency in lower case': { parameters: { ...parameters, currency: 'usd' } },
      'no currency': { parameters: { total: 5000 } },
      'a prototype': { parameters: Object.assign(Object.create({ total: 5 }), { currency: 'USD' }) },
    });
    assert.equal((await governed.act({ parameters: { total: 1000, currency: 'usd' } })).status, 200);
  });

  test('cannot be bypassed by the currency of the agent if the tool declares its amount without a currency', async () => {
    const governed = await newGoverned(planes, { rules: [ALLOW, block('amount', 'gt', 1000)], tool: { amount_from: '/total' } });
    const rate = { base_currency: 'USD', quote_currency: 'IDR', rate: '16000' };
    assert.equal((await governed.owner('POST', '/v1/fx-rates', rate)).status, 201);
    const parameters = { total: 5_000 };
    await assertNever(governed, { plain: { parameters }, 'a weaker one': { parameters, currency: 'IDR' } });
    const { json } = await governed.act({ parameters: { total: 1000 }, currency: 'IDR' });
    assert.equal(json.error.code, 'VALIDATION_FAILED');
    assert.deepEqual(json.error.details.faults[0].pointer, '/currency');
    assert.match(json.error.details.faults[0].message, /must be USD or omitted.*declare currency_from on the tool/);
    assert.equal((await governed.act({ parameters: { total: 1000 }, currency: 'USD' })).status, 200);
    assert.equal((await governed.act({ parameters: { total: 1000 } })).status, 200);
  });

  test('that states it also matches a request without an amount', async () => {
    const governed = await newGoverned(planes, {
      rules: [ALLOW, block('amount', 'gt', 1000, { if_missing: 'match' })],
      tests: BLOCKED_UNTOLD,
    });
    await assertNever(governed, { untold: {}, parameters: { parameters: { amount: 1 } }, more: { amount: 1001 } });
    assert.equal((await governed.act({ amount: 1000 })).status, 200);
  });
});

describe('a rule on the destination', () => {
  const SPELLINGS = [
    'evil.example.com',
    'EVIL.example.com',
    'evil.example.com.',
    'evil.example.com:443',
    'https://evil.example.com',
    'https://evil.example.com/a?b#c',
    'HTTPS://Evil.Example.Com:443/',
    'evil。example.com',
    'evil．example．com',
    'ｅｖｉｌ.example.com',
  ];
  const NOT_READABLE = [
    'https://good.example.com@evil.example.com',
    'evil.example.com/path',
    'https:\\\\evil.example.com',
    ' evil.example.com',
    'evil.example.com\t',
    'evil%2eexample.com',
    'evil.example.com#',
    '//evil.example.com',
    'https:///evil.example.com',
    'evil.example.com:0',
    'evil.example.com:99999',
  ];

  test('recognizes one host in every form', async () => {
    const rules = [ALLOW, block('destination.host', 'eq', 'evil.example.com')];
    const governed = await newGoverned(planes, { rules, tool: { destination_allowlist: ['*.example.com'] } });
    for (const destination of SPELLINGS) assert.equal(getCode(await governed.act({ destination })), 'ACTION_BLOCKED', destination);
    for (const destination of NOT_READABLE) assert.equal(getCode(await governed.act({ destination })), 'VALIDATION_FAILED', destination);
    assert.equal(getCode(await governed.act({ destination: 'good.example.com' })), '200');
  });

  test('and the allowlist of the tool cannot be bypassed by omitting or changing the destination', async () => {
    const tool = { destination_allowlist: ['good.example.com'], destination_from: '/url' };
    const governed = await newGoverned(planes, { rules: [ALLOW], tool });
    const url = 'https://evil.example.com/';
    await assertNever(governed, {
      plain: { parameters: { url } },
      'another next to it': { parameters: { url }, destination: 'good.example.com' },
      'only next to it': { destination: 'good.example.com' },
      'nothing at all': {},
      'a list': { parameters: { url: ['https://good.example.com', url] } },
      'another port': { parameters: { url: 'https://good.example.com:8443' } },
      'another scheme at its port': { parameters: { url: 'http://good.example.com:443' } },
      'a host below': { parameters: { url: 'https://x.good.example.com' } },
      'a host that ends like it': { parameters: { url: 'https://notgood.example.com' } },
      'an address': { parameters: { url: 'https://93.184.215.14' } },
    });
    assert.equal((await governed.act({ parameters: { url: 'https://GOOD.example.com./x' } })).status, 200);
  });
});

describe('a rule on a parameter', () => {
  test('is not satisfied by a lookalike name, or by a member of the object prototype', async () => {
    const rules = [
      ALLOW,
      block('parameters.admin', 'eq', true),
      block('parameters.constructor', 'exists'),
      block('parameters.items.*.sku', 'eq', 'X'),
    ];
    const governed = await newGoverned(planes, { rules });
    await assertNever(governed, {
      plain: { parameters: { admin: true } },
      'a constructor of its own': { parameters: { constructor: {} } },
      'one of many': { parameters: { items: [{ sku: 'A' }, { sku: 'B' }, { sku: 'X' }] } },
      'in an object': { parameters: { items: { a: { sku: 'X' } } } },
    });
    for (const parameters of [{}, { Admin: true }, { 'admin ': true }, { items: [] }, { items: ['X'] }]) {
      assert.equal(getCode(await governed.act({ parameters })), '200', JSON.stringify(parameters));
    }
  });

  test('that allows is not satisfied by a missing value, or one of unknown or another type', async () => {
    const when = { all: [{ field: 'parameters.n', op: 'lt', value: 10 }, { not: { field: 'parameters.flag', op: 'eq', value: true } }] };
    const governed = await newGoverned(planes, { rules: [{ ...ALLOW, when }], tests: BLOCKED_UNTOLD });
    await assertNever(governed, {
      nothing: {},
      'no flag': { parameters: { n: 1 } },
      'no number': { parameters: { flag: false } },
      'a number as text': { parameters: { n: '1', flag: false } },
      null: { parameters: { n: null, flag: false } },
      'a list': { parameters: { n: [1], flag: false } },
      'a true flag': { parameters: { n: 1, flag: true } },
    });
    assert.equal((await governed.act({ parameters: { n: 1, flag: false } })).status, 200);
  });
});

describe('the name of a tool', () => {
  test('is exactly one name or its id, and a rule on it applies to both', async () => {
    const governed = await newGoverned(planes, { rules: [ALLOW, block('tool.name', 'eq', 'pay')] });
    for (const tool of ['pay', governed.tool.id]) assert.equal(getCode(await governed.act({ tool })), 'ACTION_BLOCKED');
    for (const tool of [
      'PAY',
      'pay ',
      ' pay',
      'pay\u200b',
      'рay',
      governed.tool.id.toLowerCase(),
      'constructor',
      '__proto__',
      'toString',
    ]) {
      assert.equal(getCode(await governed.act({ tool })), 'NOT_FOUND', tool);
    }
  });
});

describe('a less strict mode', () => {
  test('allows nothing that no mode relaxes, and returns what it would have decided', async () => {
    const tenant = await newTenant(planes);
    await stepUp(planes.controlUrl, tenant);
    await activateRules(tenant, 'stop', [{ id: 'stop', effect: 'BLOCK', reason: 'Stop.' }]);
    for (const mode of ['OBSERVE', 'SIMULATE'] as const) {
      const place = await newGovernedEnvironment(tenant, mode, [
        { name: `note-${mode.toLowerCase()}`, kind: 'SDK', amount_from: '/a', currency_from: '/c' },
      ]);
      const name = `note-${mode.toLowerCase()}`;
      const { token } = tenant;
      const owner = (path: string, body: object, method = 'POST') => mustCall(planes.controlUrl, method, path, { token, body });
      const agentToken = await mintToken(planes.gatewayUrl, place.agent);
      const act = (body: object) => call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: agentToken, body });
      const right = { tool: name, parameters: { a: 1, c: 'USD' } };
      const passed = await act(right);
      assert.equal(passed.status, 200, passed.text);
      assert.equal(passed.json.status, mode === 'OBSERVE' ? 'OBSERVED' : 'SIMULATED');
      assert.equal(passed.json.code, 'ACTION_BLOCKED');

      assert.equal(getCode(await act({ tool: name })), 'VALIDATION_FAILED');
      assert.equal(getCode(await act({ tool: 'nothing' })), 'NOT_FOUND');
      assert.equal(getCode(await act({ ...right, destination: 'evil.example.com' })), 'DESTINATION_BLOCKED');
      assert.equal(getCode(await act({ tool: name, parameters: { a: 1, c: 'EUR' } })), 'UNPROCESSABLE');
      const { items } = await mustCall(planes.controlUrl, 'GET', `/v1/tools?q=${name}`, { token });
      const toolId = items[0].id;
      await owner(`/v1/tools/${toolId}/disable`, { reason: 'x' });
      assert.equal(getCode(await act(right)), 'TOOL_DISABLED');
      await owner(`/v1/tools/${toolId}/enable`, { reason: 'x' });
      await owner(`/v1/environments/${place.environment_id}/pause`, { reason: 'x' });
      assert.equal(getCode(await act(right)), 'ENVIRONMENT_PAUSED');
      await owner(`/v1/environments/${place.environment_id}/resume`, { reason: 'x' });
      await owner(`/v1/agents/${place.agent.id}/pause`, {});
      assert.equal(getCode(await act(right)), 'AGENT_NOT_OPERATIONAL');
      await owner(`/v1/agents/${place.agent.id}/resume`, {});
      await newControlClient(planes.controlUrl, token).revokeCapability({ params: { agentId: place.agent.id, capability: 'work' } });
      assert.equal(getCode(await act(right)), 'CAPABILITY_NOT_GRANTED');
      await owner(`/v1/agents/${place.agent.id}/revoke`, { reason: 'x' });
      assert.equal(getCode(await act(right)), 'AGENT_IDENTITY_REVOKED');
    }
  });
});

describe('a simulation', () => {
  test('leaves no trace and gives no permission, in every form', async () => {
    const governed = await newGoverned(planes, { rules: [{ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
    const { token } = governed.tenant;
    const before = await readTables(db);
    const dry = await governed.act({ dry_run: true }, { key: 'dry' });
    assert.equal(dry.json.error.details.decision.action_id, null);
    assert.equal(dry.json.error.details.approval_id, undefined);
    const body = { agent_id: governed.agent.id, tool: 'pay', dry_run: true };
    const evaluated = await call(planes.controlUrl, 'POST', '/v1/actions/evaluate', { token, body, headers: { 'idempotency-key': 'dry' } });
    assert.equal(evaluated.json.action_id, null);
    const simulated = await call(planes.controlUrl, 'POST', '/v1/policies/simulate', {
      token,
      body: { agentId: governed.agent.id, tool: 'pay' },
    });
    assert.equal(simulated.json.decision, 'REQUIRE_APPROVAL');
    assert.deepEqual(await readTables(db), before);
  });
});

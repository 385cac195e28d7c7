import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { sample, sampleEach } from '@svc/testing/length/test-length.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import type pg from 'pg';
import { buildBody } from '../rows/bodies.ts';
import { buildPath, getAgentTokenOpening, type NamedRow, newSetting, ROWS, type RowTestSetting } from '../rows/setting.ts';
import { assertAssertFault, assertRefused, assertStoresNothing } from './refusals.ts';

let setting: RowTestSetting;
let owner: pg.Client;
before(async () => {
  setting = await newSetting();
  owner = await setting.planes.database.client();
});
after(async () => {
  await owner.end();
  await setting.planes.stop();
});

const OWN_ERRORS = ['posted-page', 'mcp', 'a2a', 'form', 'ext-authz'];
/**
 * Forms and JSON-RPC, whose error formats are their own, and requests at a proxy, whose body is anything, are tested with their rows:
 * people/sso, agents/oauth, peers/mcp, peers/a2a and actions/actions.
 */
const WITH_BODY = ROWS.filter(([, row]) => row.body && !OWN_ERRORS.includes(row.wire));
const FORMS = ROWS.filter(([, row]) => row.wire === 'form' && row.body);

const getToken = ([, row]: NamedRow): string | undefined =>
  row.credential === 'agent' ? getAgentTokenOpening(row, setting) : row.credential === 'none' ? undefined : setting.owner;

const send = (row: NamedRow, raw: string, headers: Readonly<Record<string, string>> = {}): Promise<TestResponse> => {
  const base = row[1].plane === 'control' ? setting.planes.controlUrl : setting.planes.gatewayUrl;
  return call(base, row[1].method, buildPath(row[1], setting.resources), { token: getToken(row), raw, headers });
};

const SIGN_IN = { email: 'nobody@example.com', password: 'long enough password' };
const rightBody = (name: string): Record<string, unknown> => {
  if (name === 'login') return SIGN_IN;
  return name === 'signup' ? { ...SIGN_IN, name: 'N', organizationName: 'O' } : buildBody(name, setting);
};

type Property = { readonly type?: string; readonly minimum?: number; readonly maxLength?: number; readonly enum?: readonly string[] };
const listProperties = ([, row]: NamedRow): [string, Property][] =>
  Object.entries((row.body as unknown as { properties?: Record<string, Property> }).properties ?? {});

const LITERALS = { string: '"text"', integer: '7', number: '7.5', boolean: 'true', array: '[]', object: '{}', null: 'null' };
const FITS: Readonly<Record<string, readonly string[]>> = { integer: ['integer'], number: ['integer', 'number'] };

/** Returns raw JSON of invalid values for a property of this schema. */
const wrongFor = ({ type, minimum, maxLength, enum: words }: Property): string[] => {
  if (type === undefined) return [];
  const fitting = FITS[type] ?? [type];
  return [
    ...Object.entries(LITERALS).flatMap(([each, literal]) => (fitting.includes(each) ? [] : [literal])),
    ...(minimum === undefined ? [] : [String(minimum - 1)]),
    ...(type === 'integer' ? ['0.5', '1e400', '-1e400', '9007199254740993.5'] : []),
    ...(maxLength === undefined ? [] : [JSON.stringify('x'.repeat(maxLength + 1))]),
    ...(type === 'string' ? ['"\\u0000"', '"x\\ud800"'] : []),
    ...(words ? ['"NO_SUCH_WORD"', `"${words[0]?.toLowerCase()} "`] : []),
  ];
};

const withMember = (body: Record<string, unknown>, name: string, literal: string): string => {
  const { [name]: _, ...rest } = body;
  return `{${[...Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`), `${JSON.stringify(name)}:${literal}`].join(',')}}`;
};

describe('a body with the wrong structure', () => {
  for (const row of WITH_BODY) {
    test(`${row[0]}: each member refuses malformed values with its pointer`, () =>
      assertStoresNothing(owner, async () => {
        for (const [name, property] of listProperties(row)) {
          for (const literal of sample(wrongFor(property), 3, `${row[0]} ${name}`)) {
            const answer = await send(row, withMember(rightBody(row[0]), name, literal));
            assertAssertFault(answer, `/${name}`, `${name}: ${literal.slice(0, 40)}`);
          }
        }
      }));
  }

  test('a body that is no JSON object in UTF-8 is a fault of the request for every row', () =>
    assertStoresNothing(owner, async () => {
      const raws = [
        '',
        ' ',
        '{',
        '{"a":1',
        '{"a":1}}',
        "{'a':1}",
        '{a:1}',
        '{"a":NaN}',
        '{"a":Infinity}',
        '{"a":0x1}',
        '{"a":01}',
        '{"a":.5}',
        '{"a":1,}',
      ];
      const wrong = [
        ...raws,
        '\u0000',
        '{"a":"\t"}',
        'undefined',
        'null',
        '[]',
        '"{}"',
        '1',
        'true',
        '{"a":1}{"b":2}',
        '/**/{}',
        '{"__proto__":{"x":1}}',
        '{"constructor":{"prototype":{}}}',
      ];
      for (const row of WITH_BODY) {
        for (const raw of sample(wrong, 4, `no JSON ${row[0]}`)) {
          if (raw === '' && row[1].bodyOptional) continue;
          assertRefused(await send(row, raw), ['INVALID_REQUEST', 'VALIDATION_FAILED'], `${row[0]} ${raw}`);
        }
      }
    }));

  test('a body of 10 MB is refused by every row, for any caller, and the instance continues', () =>
    assertStoresNothing(owner, async () => {
      const raw = `{"x":"${'y'.repeat(10_000_000)}"}`;
      const kindOf = ([, { plane, credential, wire }]: NamedRow): string => `${plane} ${credential} ${wire}`;
      for (const row of sampleEach(WITH_BODY, kindOf, 3, '10 MB')) assertRefused(await send(row, raw), 'INVALID_REQUEST', row[0]);
      assert.equal((await call(setting.planes.gatewayUrl, 'GET', '/health/ready')).status, 200);
    }));

  test('deep nesting is refused before it is processed, anywhere', () =>
    assertStoresNothing(owner, async () => {
      const deep = (n: number, open: string, close: string) => open.repeat(n) + close.repeat(n);
      for (const row of WITH_BODY) {
        const values = [deep(60, '[', ']'), deep(60, '{"a":', '}').replace(':}', ':1}'), deep(100_000, '[', ']')];
        for (const value of sample(values, 1, `deep ${row[0]}`)) {
          const answer = await send(row, `{"parameters":${value},"rules":[${value}]}`);
          assertRefused(answer, ['INVALID_REQUEST', 'VALIDATION_FAILED'], `${row[0]} ${value.slice(0, 12)}`);
        }
      }
    }));
});

describe('a form with the wrong structure', () => {
  const RAW = [
    '',
    '{}',
    'a',
    '%',
    'a=%00',
    '&'.repeat(1_000),
    `x=${'y'.repeat(10_000_000)}`,
    `${'x='.repeat(8_000)}`,
    `x=${'['.repeat(8_000)}`,
  ];
  for (const row of FORMS) {
    test(`${row[0]}: is refused with an OAuth error`, () =>
      assertStoresNothing(owner, async () => {
        for (const raw of RAW) {
          const { status, json, text } = await send(row, raw, { 'content-type': 'application/x-www-form-urlencoded' });
          const what = `${raw.slice(0, 12)}: ${text.slice(0, 200)}`;
          assert.ok(status === 400 || status === 401 || status === 413, what);
          assert.match(json.error, /^invalid_[a-z]+$/, what);
          assert.match(json.error_description, /\.$/, what);
        }
      }));
  }
});

describe('an amount', () => {
  const WRONG = [
    '1.5',
    '-1',
    '-0.5',
    '1e400',
    '9007199254740992',
    '1e16',
    '"100"',
    '""',
    'null',
    'true',
    '[100]',
    '{"value":100}',
    '0.1e-9',
  ];

  for (const name of ['act', 'evaluateAction', 'simulatePolicy']) {
    test(`is a whole number of minor units and nothing else: ${name}`, () =>
      assertStoresNothing(owner, async () => {
        const row = ROWS.find(([each]) => each === name) as NamedRow;
        for (const literal of WRONG) {
          assertAssertFault(await send(row, withMember(rightBody(name), 'amount', literal)), '/amount', `${name} ${literal}`);
        }
      }));
  }

  test('that a tool reads from its parameters has the same limits, and cannot be omitted or contradicted', async () => {
    const { tenant, agent, planes } = setting;
    const declared = { name: 'pay', environment_id: tenant.environment_id, required_capability: 'x', kind: 'SDK' };
    const tool = await call(planes.controlUrl, 'POST', '/v1/tools', {
      token: setting.owner,
      body: { ...declared, amount_from: '/order/total', currency_from: '/order/currency' },
    });
    await call(planes.controlUrl, 'POST', `/v1/tools/${tool.json.id}/agents`, { token: setting.owner, body: { agent_id: agent.id } });
    await activateRules(tenant, 'allow all', [{ id: 'allow', effect: 'ALLOW', reason: 'Allowed.' }]);
    const ask = (order: string, rest = '') =>
      send(['act', ROWS.find(([n]) => n === 'act')?.[1]] as NamedRow, `{"tool":"pay","parameters":{"order":${order}}${rest}}`);
    const right = '"currency":"USD"';
    await assertStoresNothing(owner, async () => {
      for (const literal of WRONG) assertAssertFault(await ask(`{"total":${literal},${right}}`), '/parameters/order/total', literal);
      assertAssertFault(await ask(`{${right}}`), '/parameters/order/total', 'absent');
      assertAssertFault(await ask(`{"Total":5,${right}}`), '/parameters/order/total', 'another spelling');
      assertAssertFault(await ask('[5]'), '/parameters/order/total', 'a list in its place');
      assertAssertFault(await ask('{"total":5}'), '/parameters/order/currency', 'no currency');
      assertAssertFault(await ask('{"total":5,"currency":"dollars"}'), '/parameters/order/currency', 'no such currency');
      assertAssertFault(await ask(`{"total":5,${right}}`, ',"amount":4'), '/amount', 'contradicted');
      assertAssertFault(await ask(`{"total":5,${right}}`, ',"currency":"EUR"'), '/currency', 'contradicted');
    });
    assertRefused(await ask(`{"total":1,"total":5,${right}}`), 'INVALID_REQUEST', 'an amount sent twice');
  });
});

describe('a name', () => {
  test('of the object prototype is an ordinary name', async () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', '__lookupSetter__', 'length', 'then'];
    const parameters = Object.fromEntries(names.map((name) => [name, { polluted: true }]));
    const act = await call(setting.planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
      token: setting.agentToken,
      body: { tool: 'x', parameters },
    });
    const { json } = await call(setting.planes.controlUrl, 'GET', `/v1/actions/${act.json.error.details.decision.action_id}`, {
      token: setting.owner,
    });
    assert.deepEqual(json.parameters, parameters);
    for (const name of names) {
      const row = ROWS.find(([each]) => each === 'act') as NamedRow;
      assertAssertFault(await send(row, `{"tool":"x",${JSON.stringify(name)}:1}`), `/${name}`, name);
    }
    assertAssertFault(
      await call(setting.planes.controlUrl, 'PATCH', `/v1/agents/${setting.agent.id}`, {
        token: setting.owner,
        body: { labels: { __x__: '1', 'A b': '2' } },
      }),
      '/labels',
      'labels',
    );
    const labels = { constructor: 'c', tostring: 't', prototype: 'p' };
    const kept = await call(setting.planes.controlUrl, 'PATCH', `/v1/agents/${setting.agent.id}`, {
      token: setting.owner,
      body: { labels },
    });
    assert.deepEqual(kept.json.labels, labels);
  });

  test('and a text are returned unchanged, in any script and direction', async () => {
    const { planes, tenant } = setting;
    const text =
      'Zürich 支払い \u202eright to left\u202c 👩🏽‍💻 \u0001\u001f\u007f\ufeff \\ " \' ; -- drop table users; {{x}} %00 <script>';
    // A name is one line of visible characters, since lists and terminals show it.
    const name = text.replace(/[\p{Cc}\u202a-\u202e\ufeff]/gu, '').slice(0, 110);
    const sent = { name, description: text, labels: { note: text } };
    const body = { ...buildBody('createAgent', setting), ...sent };
    const made = await call(planes.controlUrl, 'POST', '/v1/agents', { token: tenant.token, body });
    assert.equal(made.status, 201, made.text);
    const steering = await call(planes.controlUrl, 'POST', '/v1/agents', {
      token: tenant.token,
      body: { ...body, name: text.slice(0, 110) },
    });
    assertAssertFault(steering, '/name', 'name');
    const { json } = await call(planes.controlUrl, 'GET', `/v1/agents/${made.json.data.agent.id}`, { token: tenant.token });
    assert.deepEqual({ name: json.name, description: json.description, labels: json.labels }, sent);
    const found = await call(planes.controlUrl, 'GET', `/v1/agents?q=${encodeURIComponent('" \' ; --')}`, { token: tenant.token });
    assert.equal(found.json.total, 1);
    for (const q of ['%', '_', '\\', "' or 1=1 --", '%00', '%25%25']) {
      const { status, json: page } = await call(planes.controlUrl, 'GET', `/v1/agents?q=${encodeURIComponent(q)}`, { token: tenant.token });
      assert.equal(status, 200);
      assert.ok(page.total <= 1, `${q} is a text and no pattern`);
    }
  });
});

test('refuses a duplicate member on every endpoint with a JSON body, and names it', () =>
  assertStoresNothing(owner, async () => {
    for (const row of sample(
      WITH_BODY.filter(([, { wire }]) => wire === 'json'),
      30,
      'repeated members',
    )) {
      const body = rightBody(row[0]);
      const [first] = Object.keys(body);
      if (first === undefined) continue;
      const name = JSON.stringify(first);
      const answer = await send(row, `{${name}:${JSON.stringify(body[first])},${JSON.stringify(body).slice(1)}`);
      assertRefused(answer, 'INVALID_REQUEST', row[0]);
      assert.ok(answer.text.includes(`/${first} more than once`), `${row[0]}: ${answer.text}`);
    }
  }));

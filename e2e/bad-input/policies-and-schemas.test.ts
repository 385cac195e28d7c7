import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';
import { assertRefused, assertStoresNothing } from './refusals.ts';

/** Maximum time for which any input may block a plane for other callers. */
const ANSWERED_WITHIN_MS = 30_000;

let planes: Planes;
let governed: Governed;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

let made = 0;
const post = async (path: string, body: object): Promise<TestResponse> => {
  const startedAt = performance.now();
  const [answer, bystander] = await Promise.all([
    call(planes.controlUrl, 'POST', path, { token: governed.tenant.token, body }),
    call(planes.controlUrl, 'GET', '/health/live'),
  ]);
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs < ANSWERED_WITHIN_MS, `${path} took ${tookMs} ms: ${JSON.stringify(body).slice(0, 200)}`);
  assert.equal(bystander.status, 200);
  return answer;
};

const times = <Value>(n: number, make: (index: number) => Value): Value[] => Array.from({ length: n }, (_, index) => make(index));

const ALLOW = { id: 'a', effect: 'ALLOW', reason: 'Allowed.' };
const CONDITION = { field: 'amount', op: 'gt', value: 1 };
const nested = (n: number, wrap: (inner: object) => object): object => times(n, () => 0).reduce<object>((inner) => wrap(inner), CONDITION);
const CASE = { name: 'x', given: {}, then: { effect: 'ALLOW' } };

const CASE_OF_NO_RULE = { ...CASE, then: { effect: 'ALLOW', rule: 'b' } };

/** Invalid policies by fault, each with the expected pointer. */
const POLICIES: Readonly<Record<string, readonly [body: object, pointer: string]>> = {
  'too many rules': [{ rules: times(201, (n) => ({ ...ALLOW, id: `r${n}` })) }, '/rules'],
  'no rules': [{ rules: [] }, '/rules'],
  'too many conditions': [{ rules: [{ ...ALLOW, when: { any: times(501, () => CONDITION) } }] }, '/rules'],
  'groups that are too deep': [{ rules: [{ ...ALLOW, when: nested(12, (inner) => ({ not: inner })) }] }, '/rules/0/when'],
  'an empty group': [{ rules: [{ ...ALLOW, when: { all: [] } }] }, '/rules/0/when/all'],
  'a group that is no list': [{ rules: [{ ...ALLOW, when: { all: { 0: CONDITION } } }] }, '/rules/0/when/all'],
  'two groups at once': [{ rules: [{ ...ALLOW, when: { all: [CONDITION], any: [CONDITION] } }] }, '/rules/0/when/any'],
  'an effect that is none': [{ rules: [{ ...ALLOW, effect: 'allow' }] }, '/rules/0/effect'],
  'an effect of every object': [{ rules: [{ ...ALLOW, effect: 'constructor' }] }, '/rules/0/effect'],
  'a field that is none': [{ rules: [{ ...ALLOW, when: { ...CONDITION, field: 'amonut' } }] }, '/rules/0/when/field'],
  'a field of every object': [{ rules: [{ ...ALLOW, when: { ...CONDITION, field: 'constructor' } }] }, '/rules/0/when/field'],
  'an operator of every object': [{ rules: [{ ...ALLOW, when: { ...CONDITION, op: 'toString' } }] }, '/rules/0/when/op'],
  'an operator that does not fit': [{ rules: [{ ...ALLOW, when: { field: 'tool.dangerous', op: 'gt', value: 1 } }] }, '/rules/0/when/op'],
  'a text for a number': [{ rules: [{ ...ALLOW, when: { ...CONDITION, value: '1' } }] }, '/rules/0/when/value'],
  'a fraction of a minor unit': [{ rules: [{ ...ALLOW, when: { ...CONDITION, value: 0.5 } }] }, '/rules/0/when/value'],
  'an amount below nothing': [{ rules: [{ ...ALLOW, when: { ...CONDITION, value: -1 } }] }, '/rules/0/when/value'],
  'no value': [{ rules: [{ ...ALLOW, when: { field: 'amount', op: 'gt' } }] }, '/rules/0/when'],
  'a value where none belongs': [{ rules: [{ ...ALLOW, when: { field: 'amount', op: 'exists', value: 1 } }] }, '/rules/0/when/value'],
  'an object for a value': [{ rules: [{ ...ALLOW, when: { field: 'parameters.x', op: 'eq', value: { a: 1 } } }] }, '/rules/0/when/value'],
  'a list that is too long': [
    { rules: [{ ...ALLOW, when: { field: 'currency', op: 'in', value: times(1001, () => 'USD') } }] },
    '/rules/0/when/value',
  ],
  'a text that is too long': [
    { rules: [{ ...ALLOW, when: { field: 'parameters.x', op: 'eq', value: 'x'.repeat(100_000) } }] },
    '/rules/0/when',
  ],
  'a path that is too long': [
    { rules: [{ ...ALLOW, when: { ...CONDITION, field: `parameters${'.a'.repeat(200)}` } }] },
    '/rules/0/when/field',
  ],
  'two rules of one name': [{ rules: [ALLOW, ALLOW] }, '/rules/1/id'],
  'a member that is misspelt': [{ rules: [{ ...ALLOW, if_mising: 'match' }] }, '/rules/0/if_mising'],
  'an allow on missing data': [{ rules: [{ ...ALLOW, when: CONDITION, if_missing: 'match' }] }, '/rules/0/if_missing'],
  'a quorum of zero': [{ rules: [{ ...ALLOW, effect: 'REQUIRE_APPROVAL', approval: { quorum: 0 } }] }, '/rules/0/approval/quorum'],
  'an approval without an end': [
    { rules: [{ ...ALLOW, effect: 'REQUIRE_APPROVAL', approval: { expires_in_seconds: 1e9 } }] },
    '/rules/0/approval/expires_in_seconds',
  ],
  'an approval of an allow': [{ rules: [{ ...ALLOW, approval: { quorum: 1 } }] }, '/rules/0/approval'],
  'rules that are no rules': [{ rules: times(200, (n) => [null, 0, '', [], {}][n % 5]) }, '/rules/0'],
  'thousands of members': [{ rules: [{ ...ALLOW, ...Object.fromEntries(times(15_000, (n) => [`effcet${n}`, 1])) }] }, '/rules/0/effcet0'],
  'hundreds of misspelt fields': [
    {
      rules: times(200, (n) => ({
        ...ALLOW,
        id: `r${n}`,
        when: { field: 'agnet.capabilitis.nammmmmmmmmmmmmmmmmmmmmmme', op: 'eqq', value: 1 },
      })),
    },
    '/rules/0/when/field',
  ],
  'too many tests': [{ rules: [ALLOW], tests: times(201, (n) => ({ ...CASE, name: `t${n}` })) }, '/tests'],
  'a test of a rule that is none': [{ rules: [ALLOW], tests: [CASE_OF_NO_RULE] }, '/tests/0/then/rule'],
  'a test of a field that is none': [{ rules: [ALLOW], tests: [{ ...CASE, given: { 'tool.nmae': 'x' } }] }, '/tests/0/given'],
  'a test of every object': [
    { rules: [ALLOW], tests: [{ ...CASE, given: { constructor: { prototype2: 1 } } }] },
    '/tests/0/given/constructor',
  ],
};

describe('a policy', () => {
  for (const [what, [body, pointer]] of Object.entries(POLICIES)) {
    test(`with ${what} is refused with its pointer`, () =>
      assertStoresNothing(owner, async () => {
        made += 1;
        const answer = await post('/v1/policies', { name: `Policy ${made}`, ...body });
        assertRefused(answer, 'INVALID_POLICY', what);
        const pointers = answer.json.error.details.faults.map((fault: { pointer: string }) => fault.pointer);
        assert.ok(
          pointers.some((each: string) => each === pointer || each.startsWith(`${pointer}/`)),
          `${pointers.slice(0, 5).join(' ')} and not ${pointer}`,
        );
        const patched = await call(planes.controlUrl, 'PATCH', `/v1/policies/${governed.policyId}`, { token: governed.tenant.token, body });
        assertRefused(patched, 'INVALID_POLICY', `${what}, as a change`);
      }));
  }

  test('with more searches of every parameter than a decision permits cannot be activated, and with exactly as many it still decides', async () => {
    const search = (n: number) => ({ field: 'parameters.*.*.*', op: 'contains', value: `${'a'.repeat(100)}b${n}`, quantifier: 'any' });
    const block = (n: number) => ({ ...ALLOW, id: `r${n}`, effect: 'BLOCK', when: { all: [search(n), search(n + 1000)] } });
    const activated = async (rules: number): Promise<TestResponse> => {
      const created = await post('/v1/policies', { name: `Hell of ${rules}`, rules: [...times(rules, block), ALLOW], tests: [CASE] });
      assert.equal(created.status, 201, created.text.slice(0, 400));
      const { id, versions } = created.json;
      return post(`/v1/policies/${id}/activate`, { version_id: versions[0].version_id, reason: 'test' });
    };
    const tooMuch = await activated(50);
    assert.deepEqual([tooMuch.status, tooMuch.json.error.code], [422, 'UNPROCESSABLE'], tooMuch.text.slice(0, 400));
    assert.match(tooMuch.json.error.details.heaviest[0].pointer, /^\/rules\/\d+\/when/);
    let rules = 32;
    while ((await activated(rules)).status !== 200) rules /= 2;
    assert.ok(rules >= 2, `${rules} rules fit`);
    const parameters = Object.fromEntries(times(30, (n) => [`k${n}`, times(20, () => ['a'.repeat(60)])]));
    const startedAt = performance.now();
    const [answer, bystander] = await Promise.all([governed.act({ parameters }), call(planes.gatewayUrl, 'GET', '/health/live')]);
    assert.equal(answer.status, 200, answer.text.slice(0, 400));
    assert.equal(bystander.status, 200);
    assert.ok(performance.now() - startedAt < ANSWERED_WITHIN_MS);
    const hit = { ...parameters, k0: [[`${'a'.repeat(100)}b1`, `${'a'.repeat(100)}b1001`]] };
    assert.equal((await governed.act({ parameters: hit })).json.error.code, 'ACTION_BLOCKED');
  });
});

const doubling = (n: number) => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    times(n, (k) => [
      `d${k}`,
      k === n - 1 ? { type: 'string' } : { allOf: [{ $ref: `#/$defs/d${k + 1}` }, { $ref: `#/$defs/d${k + 1}` }] },
    ]),
  ),
});

/** Schemas that would take forever to compile or evaluate, or that reference something outside. */
const SCHEMAS: Readonly<Record<string, object>> = {
  'a reference outside': { $ref: 'http://127.0.0.1/schema.json' },
  'a reference to a file': { $ref: 'file:///etc/passwd' },
  'a reference to itself': { $ref: '#' },
  'a circle of references': { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
  'a circle through allOf': { allOf: [{ $ref: '#' }] },
  'references that double at each step': doubling(40),
  'a reference to nowhere': { $ref: '#/$defs/none' },
  'a dynamic reference': { $dynamicRef: '#x' },
  'an expression that backtracks': { properties: { a: { type: 'string', pattern: '^(a+)+$(?=b)' } } },
  'an expression with a backreference': { properties: { a: { pattern: '(a)\\1' } } },
  'an expression of huge repetitions': { properties: { a: { pattern: '((a{1,100}){1,100}){1,100}' } } },
  'an expression that is none': { properties: { a: { pattern: '[' } } },
  'hundreds of expressions': { patternProperties: Object.fromEntries(times(200, (n) => [`^a${n}.*b.*c$`, {}])) },
  'hundreds of subschemas': { anyOf: times(500, () => ({ type: 'object' })) },
  'thousands of required names': { required: times(5_000, (n) => `n${n}`) },
  'an unknown keyword': { properties: { a: { maxLenght: 5 } } },
  'a keyword of the wrong type': { properties: { a: { maxLength: '5' } } },
  'a negative length': { properties: { a: { minLength: -1 } } },
  'another root than an object': { type: 'string' },
  'another dialect': { $schema: 'http://json-schema.org/draft-03/schema#' },
  'an unknown format': { properties: { a: { format: 'colour' } } },
  'properties that are none': { properties: [] },
};

const declare = (rest: object) => {
  made += 1;
  const { environment_id } = governed.tenant;
  return post('/v1/tools', { name: `tool-${made}`, environment_id, required_capability: 'pay', kind: 'SDK', ...rest });
};

const HTTP = { kind: 'HTTP', destination_allowlist: ['api.example.com'] };
const call1 = { method: 'POST', url: 'https://api.example.com/x' };

/** Declarations by which a tool would send undeclared data, or to a forbidden destination. */
const DECLARATIONS: Readonly<Record<string, readonly [rest: object, pointer: string]>> = {
  'another host than it allows': [{ ...HTTP, execution: { ...call1, url: 'https://evil.example.com/' } }, '/execution/url'],
  'another port than it allows': [{ ...HTTP, execution: { ...call1, url: 'https://api.example.com:8443/' } }, '/execution/url'],
  'a user name in its URL': [{ ...HTTP, execution: { ...call1, url: 'https://api.example.com@evil.example.com/' } }, '/execution/url'],
  'a scheme of files': [{ ...HTTP, execution: { ...call1, url: 'file:///etc/passwd' } }, '/execution/url'],
  'a parameter for a scheme': [{ ...HTTP, execution: { ...call1, url: '{scheme}://api.example.com/' } }, '/execution/url'],
  'a parameter next to its host': [{ ...HTTP, execution: { ...call1, url: 'https://{+host}/' } }, '/execution/url'],
  'dots in its path': [{ ...HTTP, execution: { ...call1, url: 'https://api.example.com/a/%2e%2e/b' } }, '/execution/url'],
  'a wildcard for everything': [{ ...HTTP, destination_allowlist: ['*'], execution: call1 }, '/destination_allowlist/0'],
  'a wildcard over a top level': [{ ...HTTP, destination_allowlist: ['*.com'], execution: call1 }, '/destination_allowlist/0'],
  'a path in its allowlist': [{ ...HTTP, destination_allowlist: ['api.example.com/x'], execution: call1 }, '/destination_allowlist/0'],
  'a header of the connection': [{ ...HTTP, execution: { ...call1, headers: { Host: 'evil.example.com' } } }, '/execution/headers/Host'],
  'a secret in a header': [
    { ...HTTP, execution: { ...call1, headers: { authorization: 'Bearer x' } } },
    '/execution/headers/authorization',
  ],
  'a line break in a header': [{ ...HTTP, execution: { ...call1, headers: { 'x-a': 'a\r\nx-b: c' } } }, '/execution/headers/x-a'],
  'a line break in a name of a header': [{ ...HTTP, execution: { ...call1, headers: { 'x-a\r\nx-b': 'c' } } }, '/execution/headers'],
  'a credential that is not there': [
    { ...HTTP, execution: { ...call1, credential_id: 'cred_01ARZ3NDEKTSV4RRFFQ69G5FAV' } },
    '/execution/credential_id',
  ],
  'a body of XML': [
    { ...HTTP, execution: { ...call1, headers: { 'content-type': 'application/xml' }, body: '<a>{x}</a>' } },
    '/execution/headers/content-type',
  ],
  'a call though the agent executes it': [{ execution: call1 }, '/execution'],
  'no call though it is of kind HTTP': [{ kind: 'HTTP' }, '/execution'],
  'an amount from no pointer': [{ amount_from: 'amount' }, '/amount_from'],
  'an amount from a text': [
    { amount_from: '/a', parameters_schema: { type: 'object', properties: { a: { type: 'string' } } } },
    '/amount_from',
  ],
  'a source that is not declared': [
    { currency_from: '/b', parameters_schema: { type: 'object', properties: { a: {} } } },
    '/currency_from',
  ],
};

describe('a tool', () => {
  for (const [what, parameters_schema] of Object.entries(SCHEMAS)) {
    test(`whose schema has ${what} is refused there`, () =>
      assertStoresNothing(owner, async () => {
        const answer = await declare({ parameters_schema });
        assertRefused(answer, 'VALIDATION_FAILED', what);
        assert.match(answer.json.error.details.faults[0].pointer, /^\/parameters_schema/, answer.text);
      }));
  }

  for (const [what, [rest, pointer]] of Object.entries(DECLARATIONS)) {
    test(`with ${what} is refused there`, () =>
      assertStoresNothing(owner, async () => {
        const answer = await declare(rest);
        assertRefused(answer, ['VALIDATION_FAILED', 'INVALID_CREDENTIAL_REFERENCE'], what);
        const pointers: string[] = answer.json.error.details.faults.map((fault: { pointer: string }) => fault.pointer);
        assert.ok(
          pointers.some((each) => each.startsWith(pointer)),
          answer.text,
        );
      }));
  }

  test('with the heaviest accepted schema checks adversarial parameters in time', async () => {
    const part = (n: number) => ({
      type: 'object',
      properties: { [`p${n}`]: { type: 'array', uniqueItems: true, items: { pattern: '^(a|b|ab)*c$' } } },
    });
    const parameters_schema = { type: 'object', anyOf: times(20, part), additionalProperties: { type: 'array', uniqueItems: true } };
    const tool = await declare({ name: 'heavy', parameters_schema });
    assert.equal(tool.status, 201, tool.text);
    await governed.owner('POST', `/v1/tools/${tool.json.id}/agents`, { agent_id: governed.agent.id });
    const parameters = Object.fromEntries(times(20, (n) => [`p${n}`, times(40, (k) => 'ab'.repeat(20) + k)]));
    const startedAt = performance.now();
    const [answer, bystander] = await Promise.all([
      governed.act({ tool: 'heavy', parameters }),
      call(planes.gatewayUrl, 'GET', '/health/live'),
    ]);
    assertRefused(answer, 'VALIDATION_FAILED', 'hostile parameters');
    assert.equal(bystander.status, 200);
    assert.ok(performance.now() - startedAt < ANSWERED_WITHIN_MS);
  });
});

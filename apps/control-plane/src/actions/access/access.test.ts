import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });

const alice = { type: 'user', id: 'alice' };
const bob = { type: 'user', id: 'bob' };
const admin = { ...bob, properties: { role: 'admin' } };
const active = { type: 'record', id: 'record-1' };
const archived = { type: 'record', id: 'record-2', properties: { status: 'archived' } };
const [read, write] = [{ name: 'read' }, { name: 'write' }];

const TOOL = (action: string) => ({ field: 'tool.name', op: 'eq', value: `record.${action}` });
const RULES = [
  { id: 'read', effect: 'ALLOW', when: TOOL('read'), reason: 'Everyone reads.' },
  {
    id: 'write',
    effect: 'ALLOW',
    when: {
      all: [
        TOOL('write'),
        { field: 'parameters.subject.id', op: 'eq', value: 'alice' },
        {
          any: [
            { field: 'parameters.resource.properties.status', op: 'not_exists' },
            { field: 'parameters.resource.properties.status', op: 'neq', value: 'archived' },
          ],
        },
      ],
    },
    reason: 'Alice writes active records.',
  },
  {
    id: 'admin',
    effect: 'ALLOW',
    when: { all: [TOOL('write'), { field: 'parameters.subject.properties.role', op: 'eq', value: 'admin' }] },
    reason: 'Administrators write.',
  },
  {
    id: 'delete',
    effect: 'ALLOW',
    when: { all: [TOOL('delete'), { field: 'parameters.action.properties.soft', op: 'eq', value: true }] },
    reason: 'A soft deletion can be undone.',
  },
];

const SCHEMA = {
  type: 'object',
  properties: {
    resource: { type: 'object', properties: { id: { type: 'string', enum: ['record-1', 'record-2'] } } },
  },
};

s.before(async () => {
  const { controlUrl, token, environment_id } = s.tenant;
  const agents = await Promise.all(
    [alice, bob].map(({ type, id }) =>
      newAgent(s.tenant, { name: `agent-of-${id}`, capabilities: ['record'], labels: { authzen: `${type}:${id}` } }),
    ),
  );
  for (const action of ['read', 'write', 'delete']) {
    const tool = await newControlClient(controlUrl, token).createTool({
      body: { name: `record.${action}`, environment_id, required_capability: 'record', kind: 'SDK', parameters_schema: SCHEMA },
    });
    for (const agent of agents)
      await newControlClient(controlUrl, token).authorizeAgentForTool({ params: { toolId: tool.id }, body: { agent_id: agent.id } });
  }
  await activateRules(s.tenant, 'records', RULES, [{ name: 'read', given: { 'tool.name': 'record.read' }, then: { effect: 'ALLOW' } }]);
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  call(s.planes.controlUrl, 'POST', path, { token: s.tenant.token, body, headers });

const evaluate = (body: object) => post('/access/v1/evaluation', body);

describe('evaluateAccess in the certification scenario of AuthZEN 1.0', () => {
  const DECISIONS: readonly (readonly [string, object, boolean])[] = [
    ['alice reads', { subject: alice, action: read, resource: active }, true],
    ['alice writes', { subject: alice, action: write, resource: active }, true],
    ['bob reads', { subject: bob, action: read, resource: active }, true],
    ['bob may not write', { subject: bob, action: write, resource: active }, false],
    ['alice may not write an archived record', { subject: alice, action: write, resource: archived }, false],
    ['an administrator writes an archived record', { subject: admin, action: write, resource: archived }, true],
    ['a soft deletion', { subject: alice, action: { name: 'delete', properties: { soft: true } }, resource: active }, true],
    ['a hard deletion', { subject: alice, action: { name: 'delete', properties: { soft: false } }, resource: active }, false],
    ['a context', { subject: alice, action: read, resource: active, context: { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' } }, true],
    ['unknown members', { subject: { ...alice, x: 1 }, action: read, resource: active, foo: 'bar', future: { nested: true } }, true],
    ['an unknown subject', { subject: { type: 'user', id: 'carol' }, action: read, resource: active }, false],
    ['an unknown action', { subject: alice, action: { name: 'print' }, resource: active }, false],
    ['an unknown resource', { subject: alice, action: read, resource: { type: 'record', id: 'record-9' } }, false],
  ];
  for (const [name, body, decision] of DECISIONS)
    test(`${name}: ${decision}`, async () => {
      for (let time = 0; time < 2; time += 1) {
        const answer = await evaluate(body);
        assert.deepEqual([answer.status, answer.json?.decision], [200, decision], answer.text);
      }
    });

  const whole = { subject: alice, action: read, resource: active };
  const INVALID: readonly unknown[] = [
    { action: read, resource: active },
    { subject: alice, resource: active },
    { subject: alice, action: read },
    { ...whole, subject: { id: 'alice' } },
    { ...whole, subject: { type: 'user' } },
    { ...whole, action: {} },
    { ...whole, resource: { id: 'record-1' } },
    { ...whole, resource: { type: 'record' } },
    { ...whole, subject: 'alice' },
    { ...whole, action: { name: 123 } },
    { ...whole, context: { dry_run: 'yes' } },
    { ...whole, context: { delegation_id: 7 } },
    { ...whole, context: { accepts: 'mask' } },
    [],
    'x',
  ];
  for (const body of INVALID)
    test(`${JSON.stringify(body)} is a bad request`, async () => {
      const answer = await evaluate(body as object);
      assert.equal(answer.status, 400);
      assert.match(answer.json.error.code, /^(VALIDATION_FAILED|INVALID_REQUEST)$/);
    });

  test('refuses another media type, malformed JSON and a missing body as bad requests, and repeats the request id', async () => {
    const ask = (body: string | undefined, type: string) =>
      fetch(`${s.planes.controlUrl}/access/v1/evaluation`, {
        method: 'POST',
        headers: { authorization: `Bearer ${s.tenant.token}`, 'content-type': type, 'x-request-id': 'certification-7' },
        ...(body === undefined ? {} : { body }),
      });
    for (const [body, type] of [
      [JSON.stringify(whole), 'text/plain'],
      ['{"subject":', 'application/json'],
      ['', 'application/json'],
    ] as const) {
      const answer = await ask(body, type);
      assert.deepEqual([answer.status, answer.headers.get('x-request-id')], [400, 'certification-7']);
    }
    const good = await ask(JSON.stringify(whole), 'application/json');
    assert.deepEqual([good.status, good.headers.get('x-request-id')], [200, 'certification-7']);
    assert.match(good.headers.get('content-type') ?? '', /^application\/json/);
  });

  const readDecisions = async (body: object) =>
    (await post('/access/v1/evaluations', body)).json.evaluations.map((each: { decision: boolean }) => each.decision);

  test('evaluateAccessBatch decides in order, with defaults of the top level', async () => {
    assert.deepEqual(await readDecisions({ subject: bob, resource: active, evaluations: [{ action: read }, { action: write }] }), [
      true,
      false,
    ]);
    const ofAlice = { subject: alice, action: write };
    const activeToo = { ...active, properties: { status: 'active' } };
    assert.deepEqual(await readDecisions({ ...ofAlice, evaluations: [{ resource: activeToo }, { resource: archived }] }), [true, false]);
    const inArchive = { action: write, resource: archived };
    assert.deepEqual(await readDecisions({ ...inArchive, evaluations: [{ subject: alice }, { subject: admin }] }), [false, true]);
    const ofType = { ...ofAlice, resource: { type: 'record' } };
    const partial = { id: 'record-1', properties: { status: 'active' } };
    assert.deepEqual(await readDecisions({ ...ofType, evaluations: [{ resource: partial }, { resource: archived }] }), [true, false]);
    const full = [
      { subject: alice, action: read, resource: active },
      { subject: bob, action: write, resource: active },
    ];
    assert.deepEqual(await readDecisions({ evaluations: full }), [true, false]);
  });

  test('denies only the invalid evaluation of a batch, and treats a body without evaluations as one evaluation', async () => {
    const answer = await post('/access/v1/evaluations', { subject: alice, action: read, evaluations: [{ resource: active }, {}] });
    const [first, second] = answer.json.evaluations;
    assert.deepEqual([answer.status, first.decision, second.decision, second.context.error.status], [200, true, false, 400]);
    for (const more of [{}, { evaluations: [] }])
      assert.equal((await post('/access/v1/evaluations', { ...whole, ...more })).json.decision, true);
    assert.equal((await post('/access/v1/evaluations', { subject: alice })).status, 400);
    assert.equal((await post('/access/v1/evaluations', { ...whole, evaluations: Array(51).fill({}) })).status, 400);
  });

  test('ends a batch after the first denial or permit on request', async () => {
    const evaluations = [{ action: read }, { action: write }, { action: read }];
    const batch = (evaluations_semantic: string) =>
      readDecisions({ subject: bob, resource: active, evaluations, options: { evaluations_semantic } });
    assert.deepEqual(await batch('deny_on_first_deny'), [true, false]);
    assert.deepEqual(await batch('permit_on_first_permit'), [true]);
    assert.deepEqual(await batch('execute_all'), [true, false, true]);
  });

  const search = (kind: string, body: object) => post(`/access/v1/search/${kind}`, body);

  test('searchAccessSubjects, searchAccessResources and searchAccessActions find by identifiers and by properties', async () => {
    const readers = await search('subject', { subject: { type: 'user' }, action: read, resource: active, context: { time: 'now' } });
    assert.deepEqual(
      readers.json.results.toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)),
      [alice, bob],
    );
    assert.deepEqual(readers.json.page, { next_token: '', count: 2 });
    const writers = await search('subject', {
      subject: { type: 'user', properties: { role: 'admin' } },
      action: write,
      resource: archived,
    });
    assert.ok(writers.json.results.some((each: { id: string }) => each.id === 'bob'));
    const records = await search('resource', { subject: alice, action: read, resource: { type: 'record' } });
    assert.deepEqual(records.json.results, [active, { type: 'record', id: 'record-2' }]);
    const written = await search('resource', { subject: admin, action: write, resource: { type: 'record' } });
    assert.ok(written.json.results.some((each: { id: string }) => each.id === 'record-2'));
    const actions = await search('action', { subject: alice, resource: active });
    assert.deepEqual(actions.json.results, [{ name: 'read' }, { name: 'write' }]);
    const ofAdmin = await search('action', { subject: admin, resource: archived });
    assert.ok(ofAdmin.json.results.some((each: { name: string }) => each.name === 'write'));
    const tools = await search('resource', { subject: alice, action: { name: 'call' }, resource: { type: 'tool' } });
    assert.ok(
      tools.json.results.some((each: { id: string }) => each.id === 'record.read'),
      tools.text,
    );
  });

  test('search tokens are valid for one search, and unknown values find nothing', async () => {
    const body = { subject: { type: 'user' }, action: read, resource: active };
    const first = await search('subject', { ...body, page: { limit: 1 } });
    const { next_token: token } = first.json.page;
    assert.ok(first.json.results.length === 1 && token.length > 0);
    const second = await search('subject', { ...body, page: { token } });
    assert.deepEqual(new Set([...first.json.results, ...second.json.results].map((each) => each.id)), new Set(['alice', 'bob']));
    assert.equal(second.json.page.next_token, '');
    for (const other of [
      { ...body, action: write },
      { ...body, context: { x: 1 } },
    ]) {
      const answer = await search('subject', { ...other, page: { token } });
      assert.match(`${answer.status} ${answer.text}`, /^400 .*VALIDATION_FAILED.*\/page\/token/);
    }
    assert.deepEqual((await search('action', { subject: { type: 'user', id: 'carol' }, resource: active })).json.results, []);
    assert.deepEqual((await search('subject', { ...body, subject: { type: 'spaceship' } })).json.results, []);
  });

  test('searches without a required member are bad requests', async () => {
    const { status: subject } = await search('subject', { subject: { type: 'user' }, resource: active });
    const { status: resource } = await search('resource', { action: read, resource: { type: 'record' } });
    const { status: action } = await search('action', { subject: alice });
    const { status: id } = await search('subject', { subject: { type: 'user' }, action: read, resource: { type: 'record' } });
    assert.deepEqual([subject, resource, action, id], [400, 400, 400, 400]);
  });

  test('getAccessConfiguration names the endpoints under one address', async () => {
    const { status, json } = await call(s.planes.controlUrl, 'GET', '/.well-known/authzen-configuration');
    assert.equal(status, 200);
    const { policy_decision_point: base, ...endpoints } = json;
    assert.equal(Object.keys(endpoints).length, 5);
    for (const each of Object.values(endpoints)) assert.ok(String(each).startsWith(`${base}/access/v1/`));
  });
});

describe('an AuthZEN evaluation', () => {
  test('is recorded with its reasons unless it is a dry run, and searches record nothing', async () => {
    const count = async () => (await call(s.planes.controlUrl, 'GET', '/v1/actions?limit=200', { token: s.tenant.token })).json.data.length;
    const answer = await evaluate({ subject: alice, action: read, resource: active });
    const action = await newControlClient(s.planes.controlUrl, s.tenant.token).getAction({
      params: { actionId: answer.json.context.action_id },
    });
    assert.deepEqual(
      [action.agent_name, action.tool, action.status, action.principal.type],
      ['agent-of-alice', 'record.read', 'ALLOWED', 'USER'],
    );
    assert.equal(answer.json.context.matched_rule.id, 'read');
    const before = await count();
    const dry = await evaluate({ subject: alice, action: read, resource: active, context: { dry_run: true } });
    assert.deepEqual([dry.json.decision, dry.json.context.action_id], [true, null]);
    await search(read);
    assert.equal(await count(), before);
  });

  const search = (action: object) => post('/access/v1/search/subject', { subject: { type: 'user' }, action, resource: active });

  test('is denied for a subject that two agents share, and for an agent of another organization', async () => {
    for (const name of ['one', 'two']) await newAgent(s.tenant, { name, labels: { authzen: 'user:twin' } });
    const twin = await evaluate({ subject: { type: 'user', id: 'twin' }, action: read, resource: active });
    assert.match(`${twin.json.decision} ${twin.json.context.reason}`, /^false More than one agent/);
    const other = await newTenant(s.planes);
    const foreign = await call(s.planes.controlUrl, 'POST', '/access/v1/evaluation', {
      token: other.token,
      body: { subject: alice, action: read, resource: active },
    });
    assert.deepEqual([foreign.json.decision, foreign.json.context.code], [false, 'NOT_FOUND']);
  });

  test('with masks is permitted only to a caller that applies them; a held one names its approval', async () => {
    const own = await newTenant(s.planes);
    await stepUp(s.planes.controlUrl, own);
    const agent = await newAgent(own, { name: 'masked', capabilities: ['pay'] });
    for (const name of ['pay.masked', 'pay.held']) {
      const body = { name, environment_id: own.environment_id, required_capability: 'pay', kind: 'SDK' };
      const tool = await mustCall(own.controlUrl, 'POST', '/v1/tools', { token: own.token, body });
      await newControlClient(own.controlUrl, own.token).authorizeAgentForTool({
        params: { toolId: tool.id },
        body: { agent_id: agent.id },
      });
    }
    const of = (name: string) => ({ field: 'tool.name', op: 'eq', value: name });
    await activateRules(
      own,
      'obligations',
      [
        { id: 'allow', effect: 'ALLOW', when: of('pay.masked'), reason: 'Allowed.' },
        {
          id: 'mask',
          effect: 'MASK',
          when: of('pay.masked'),
          reason: 'Hide it.',
          mask: { parameters: ['iban'] },
        },
        { id: 'held', effect: 'REQUIRE_APPROVAL', when: of('pay.held'), reason: 'A person decides.' },
      ],
      [{ name: 'held', given: { 'tool.name': 'pay.held' }, then: { effect: 'REQUIRE_APPROVAL' } }],
    );
    const ask = (id: string, context: object = {}) =>
      call(own.controlUrl, 'POST', '/access/v1/evaluation', {
        token: own.token,
        body: {
          subject: { type: 'agent', id: 'masked' },
          action: { name: 'call' },
          resource: { type: 'tool', id, properties: { iban: 'x' } },
          context,
        },
      });
    const plain = (await ask('pay.masked')).json;
    assert.equal(plain.decision, false);
    assert.deepEqual(plain.context.obligations.mask.parameters, ['iban']);
    const accepting = await ask('pay.masked', { accepts: ['mask'] });
    assert.equal(accepting.json.decision, true, accepting.text);
    const held = (await ask('pay.held')).json;
    assert.deepEqual([held.decision, held.context.code, held.context.approval.status], [false, 'APPROVAL_REQUIRED', 'PENDING']);
  });
});

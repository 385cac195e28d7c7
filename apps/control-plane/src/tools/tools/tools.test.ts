import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
  call(s.planes.controlUrl, method, path, { token: s.tenant.token, headers, ...(body === undefined ? {} : { body }) });
let made = 0;
const declared = (more: object = {}) => {
  made += 1;
  return { name: `tool-${made}`, environment_id: s.tenant.environment_id, required_capability: 'pay', kind: 'SDK', ...more };
};
const create = async (more: object = {}) => {
  const answer = await send('POST', '/v1/tools', declared(more));
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
};
const getRefusal = ({ status, json }: TestResponse) => [status, json?.error?.code];
const listPointers = ({ json }: TestResponse) => json.error?.details.faults.map((fault: { pointer: string }) => fault.pointer);
const eventsAbout = (id: string) => s.eventsOf(id, 'type', 'data', 'workspace_id', 'environment_id');
const countTools = async (): Promise<number> => (await s.owner.query('select count(*)::int as n from tools')).rows[0].n;
const epoch = async (): Promise<number> =>
  Number((await s.owner.query('select epoch from environment_epochs where environment_id = $1', [s.tenant.environment_id])).rows[0].epoch);

const HTTP = {
  kind: 'HTTP',
  description: 'Pays money back.',
  destination_allowlist: ['api.example.com', '*.pay.example.com:8443'],
  risk_rating: 'HIGH',
  dangerous: true,
  parameters_schema: {
    type: 'object',
    properties: { amount: { type: 'integer' }, currency: { type: 'string' }, order: { type: 'string' } },
    required: ['amount', 'currency', 'order'],
    additionalProperties: false,
  },
  amount_from: '/amount',
  currency_from: '/currency',
  narrowable: ['/order'],
  execution: { method: 'POST', url: 'https://api.example.com/orders/{order}/refunds', headers: { 'x-order': '{order}' } },
};

test('createTool stores the declaration unchanged, and getTool returns it', async () => {
  const body = declared(HTTP);
  const { status, json } = await send('POST', '/v1/tools', body);
  assert.equal(status, 201, JSON.stringify(json));
  const { id, created_at, updated_at, ...stored } = json;
  assert.match(id, /^tool_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.equal(created_at, updated_at);
  assert.deepEqual(stored, {
    ...{ ...body, destination_from: null, declaration_version: 1 },
    ...{ status: 'ACTIVE', disabled_reason: null, authorized_agent_ids: [] },
  });
  assert.deepEqual((await send('GET', `/v1/tools/${id}`)).json, json);
  const [event, ...more] = await eventsAbout(id);
  assert.deepEqual(
    [event?.type, event?.data.after.name, event?.workspace_id, more],
    ['tool.created', body.name, s.tenant.workspace_id, []],
  );
});

test('a minimal declaration has the safest defaults', async () => {
  const { id: _, created_at: __, updated_at: ___, ...stored } = await create({ name: 'least' });
  assert.deepEqual(stored, {
    name: 'least',
    environment_id: s.tenant.environment_id,
    required_capability: 'pay',
    kind: 'SDK',
    description: '',
    destination_allowlist: [],
    risk_rating: 'LOW',
    dangerous: false,
    parameters_schema: { type: 'object' },
    amount_from: null,
    currency_from: null,
    destination_from: null,
    narrowable: [],
    execution: null,
    declaration_version: 1,
    status: 'ACTIVE',
    disabled_reason: null,
    authorized_agent_ids: [],
  });
});

test('an invalid declaration is refused at each fault, and nothing is stored', async () => {
  const earlier = await countTools();
  const { execution } = HTTP;
  const refused: readonly (readonly [string, object, readonly string[]])[] = [
    ['MCP', { kind: 'MCP' }, ['/kind']],
    ['no such kind', { kind: 'SHELL' }, ['/kind']],
    ['no execution', { ...HTTP, execution: undefined }, ['/execution']],
    ['an execution of what the agent runs', { execution }, ['/execution']],
    ['a host outside the allowlist', { ...HTTP, execution: { ...execution, url: 'https://evil.example/{order}' } }, ['/execution/url']],
    ['a script', { ...HTTP, execution: { ...execution, url: 'javascript:alert(1)' } }, ['/execution/url']],
    ['an undeclared parameter', { ...HTTP, execution: { ...execution, url: 'https://api.example.com/{secret}' } }, ['/execution/url']],
    ['a header that carries the host', { ...HTTP, execution: { ...execution, headers: { host: '{order}' } } }, ['/execution/headers/host']],
    ['an amount that is text', { ...HTTP, amount_from: '/order' }, ['/amount_from']],
    ['an undeclared amount', { ...HTTP, amount_from: '/total' }, ['/amount_from']],
    ['no pointer', { ...HTTP, amount_from: 'amount' }, ['/amount_from']],
    ['a wildcard for all', { ...HTTP, destination_allowlist: ['api.example.com', '*'] }, ['/destination_allowlist/1']],
    ['a schema with an unknown word', { parameters_schema: { type: 'object', propertys: {} } }, ['/parameters_schema/propertys']],
    ['a schema of no object', { parameters_schema: { type: 'array' } }, ['/parameters_schema/type']],
    ['a schema that reaches out', { parameters_schema: { $ref: 'https://example.com/s.json' } }, ['/parameters_schema/$ref']],
    ['a capability in capitals', { required_capability: 'Pay' }, ['/required_capability']],
    ['a name with a blank', { name: 'a b' }, ['/name']],
    ['its own identifier', { id: 'tool_00000000000000000000000001' }, ['/id']],
    ['its own status', { status: 'ACTIVE' }, ['/status']],
  ];
  for (const [what, more, pointers] of refused) {
    const answer = await send('POST', '/v1/tools', declared(more));
    assert.deepEqual([...getRefusal(answer), listPointers(answer)], [400, 'VALIDATION_FAILED', pointers], `${what}: ${answer.text}`);
  }
  const credential = { ...HTTP, execution: { ...execution, credential_id: 'cred_00000000000000000000000001' } };
  const unknown = await send('POST', '/v1/tools', declared(credential));
  assert.deepEqual([...getRefusal(unknown), listPointers(unknown)], [400, 'INVALID_CREDENTIAL_REFERENCE', ['/execution/credential_id']]);
  assert.equal(await countTools(), earlier);
});

test('an exponential pattern is refused at once', async () => {
  const parameters_schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
  const started = performance.now();
  const tool = await create({ parameters_schema });
  assert.deepEqual(tool.parameters_schema, parameters_schema);
  assert.ok(performance.now() - started < 30_000);
});

test('a name identifies one tool of an environment, also under concurrent requests; another environment may use it too', async () => {
  const name = `once-${made}`;
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('POST', '/v1/tools', declared({ name }))));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const lost of answers.filter(({ status }) => status !== 201)) assert.deepEqual(getRefusal(lost), [409, 'ALREADY_EXISTS']);
  const staging = await mustCall(s.planes.controlUrl, 'POST', '/v1/environments', {
    token: s.tenant.token,
    body: { workspace_id: s.tenant.workspace_id, name: `Staging ${made}`, type: 'STAGING' },
  });
  await create({ name, environment_id: staging.id });
});

test('a name may contain capitals, which do not distinguish it from another one', async () => {
  const { id, name } = await create({ name: `Read_File.${made}` });
  assert.equal((await send('GET', `/v1/tools/${id}`)).json.name, name);
  for (const alike of [name.toLowerCase(), name.toUpperCase()])
    assert.deepEqual(getRefusal(await send('POST', '/v1/tools', declared({ name: alike }))), [409, 'ALREADY_EXISTS']);
  await Promise.all(
    [id, id.toLowerCase()].map(async (like) =>
      assert.deepEqual(listPointers(await send('POST', '/v1/tools', declared({ name: like }))), ['/name'], like),
    ),
  );
});

test('one of several names that differ only in case is registered, also under concurrent requests', async () => {
  const name = `Race.${made}`;
  const spellings = [name, name.toLowerCase(), name.toUpperCase(), `rACE.${made}`];
  const answers = await Promise.all([...spellings, ...spellings].map((each) => send('POST', '/v1/tools', declared({ name: each }))));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const lost of answers.filter(({ status }) => status !== 201)) assert.deepEqual(getRefusal(lost), [409, 'ALREADY_EXISTS']);
});

test('an environment of another organization is answered as unknown', async () => {
  const stranger = await newTenant(s.planes);
  const [foreign, never] = await Promise.all(
    [stranger.environment_id, 'env_7ZZZZZZZZZZZZZZZZZZZZZZZZZ'].map((environment_id) =>
      send('POST', '/v1/tools', declared({ environment_id })),
    ),
  );
  assert.deepEqual(foreign && getRefusal(foreign), [404, 'NOT_FOUND']);
  assert.equal(foreign?.text.replace(foreign.json.error.request_id, ''), never?.text.replace(never.json.error.request_id, ''));
});

test('listTools counts all matches and returns the newest first, page by page', async () => {
  const part = `list-${newUlid().toLowerCase()}`;
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await create({ name: `${part}-${n}` })).id);
  const list = async (query: Record<string, string>) => {
    const { json } = await send('GET', `/v1/tools?${new URLSearchParams(query)}`);
    return [json.items.map(({ id }: { id: string }) => id), json.total];
  };
  assert.deepEqual(await list({ q: part.toUpperCase() }), [ids, 5]);
  assert.deepEqual(await list({ q: part, limit: '2', offset: '3' }), [ids.slice(3), 5]);
  assert.deepEqual(await list({ q: part, offset: '5' }), [[], 5]);
  assert.deepEqual(await list({ q: '%' }), [[], 0]);
});

test('authorizeAgentForTool and withdrawAgentFromTool name an agent once, and increment the epoch of decisions about it', async () => {
  const [tool, agent] = [await create(), await newAgent(s.tenant)];
  const agentEpoch = async () => (await s.owner.query('select epoch from agent_epochs where agent_id = $1', [agent.id])).rows[0].epoch;
  const moments = [await agentEpoch()];
  const authorized = await send('POST', `/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
  assert.deepEqual([authorized.status, authorized.json.authorized_agent_ids], [201, [agent.id]]);
  moments.push(await agentEpoch());
  assert.deepEqual(getRefusal(await send('POST', `/v1/tools/${tool.id}/agents`, { agent_id: agent.id })), [409, 'ALREADY_EXISTS']);
  const withdrawn = await send('DELETE', `/v1/tools/${tool.id}/agents/${agent.id}`);
  assert.deepEqual([withdrawn.status, withdrawn.json.authorized_agent_ids], [200, []]);
  moments.push(await agentEpoch());
  assert.equal(new Set(moments).size, 3);
  assert.deepEqual(getRefusal(await send('DELETE', `/v1/tools/${tool.id}/agents/${agent.id}`)), [404, 'NOT_FOUND']);
  assert.deepEqual(
    (await eventsAbout(tool.id)).slice(1).map(({ type, data }) => [type, data.authorized, data.withdrawn]),
    [
      ['tool.updated', agent.id, undefined],
      ['tool.restricted', undefined, agent.id],
    ],
  );
});

test('an agent of another environment is refused with its pointer, and an ended one by its status', async () => {
  const tool = await create();
  const staging = await mustCall(s.planes.controlUrl, 'POST', '/v1/environments', {
    token: s.tenant.token,
    body: { workspace_id: s.tenant.workspace_id, name: `Other ${made}`, type: 'STAGING' },
  });
  const elsewhere = await newAgent({ ...s.tenant, environment_id: staging.id });
  const crossed = await send('POST', `/v1/tools/${tool.id}/agents`, { agent_id: elsewhere.id });
  assert.deepEqual([...getRefusal(crossed), listPointers(crossed)], [400, 'VALIDATION_FAILED', ['/agent_id']]);
  for (const status of ['REVOKED', 'DECOMMISSIONED']) {
    const agent = await newAgent(s.tenant);
    await s.owner.query('update agents set status = $2 where id = $1', [agent.id, status]);
    const over = await send('POST', `/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
    assert.deepEqual([...getRefusal(over), over.json.error.details.from], [400, 'INVALID_STATE_TRANSITION', status]);
  }
  assert.deepEqual((await send('GET', `/v1/tools/${tool.id}`)).json.authorized_agent_ids, []);
});

test('concurrent authorizations name an agent once; none survives a concurrent revocation', async () => {
  for (let round = 0; round < countRepetitions({ short: 4, long: 10 }); round += 1) {
    const [tool, agent] = [await create(), await newAgent(s.tenant)];
    const authorize = () => send('POST', `/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
    const [revoked, ...answers] = await Promise.all([
      send('POST', `/v1/agents/${agent.id}/revoke`, { reason: 'gone' }),
      ...Array.from({ length: 4 }, authorize),
    ]);
    assert.equal(revoked.status, 200);
    const codes = answers.map(({ status, json }) => json.error?.code ?? status);
    assert.ok(codes.filter((code) => code === 201).length <= 1, codes.join());
    assert.ok(
      codes.every((code) => [201, 'ALREADY_EXISTS', 'INVALID_STATE_TRANSITION'].includes(code)),
      codes.join(),
    );
    assert.deepEqual(getRefusal(await authorize()), [400, 'INVALID_STATE_TRANSITION']);
  }
});

test('disableTool and enableTool alternate, require a reason, and increment the epoch of every decision here', async () => {
  const tool = await create();
  const path = `/v1/tools/${tool.id}`;
  const first = await epoch();
  const disabled = await send('POST', `${path}/disable`, { reason: 'leaks' });
  assert.deepEqual([disabled.status, disabled.json.status, disabled.json.disabled_reason], [200, 'DISABLED', 'leaks']);
  const second = await epoch();
  const again = await send('POST', `${path}/disable`, { reason: 'leaks' });
  assert.deepEqual(
    [...getRefusal(again), again.json.error.details],
    [400, 'INVALID_STATE_TRANSITION', { operation: 'disable', from: 'DISABLED', allowed_from: ['ACTIVE'] }],
  );
  const enabled = await send('POST', `${path}/enable`, { reason: 'mended' });
  assert.deepEqual([enabled.json.status, enabled.json.disabled_reason], ['ACTIVE', null]);
  assert.ok(first < second && second < (await epoch()));
  assert.equal((await send('POST', `${path}/enable`, { reason: 'mended' })).json.error.details.from, 'ACTIVE');
  assert.deepEqual(
    (await eventsAbout(tool.id)).slice(1).map(({ type, data }) => [type, data.before.status, data.after.status, data.reason]),
    [
      ['tool.disabled', 'ACTIVE', 'DISABLED', 'leaks'],
      ['tool.enabled', 'DISABLED', 'ACTIVE', 'mended'],
    ],
  );
  for (const operation of ['disable', 'enable'])
    assert.deepEqual(listPointers(await send('POST', `${path}/${operation}`, {})), ['/reason']);
});

test('concurrent requests disable a tool once', async () => {
  for (let round = 0; round < countRepetitions({ short: 4, long: 10 }); round += 1) {
    const tool = await create();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send('POST', `/v1/tools/${tool.id}/disable`, { reason: 'stop' })));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400, 400]);
    assert.equal((await eventsAbout(tool.id)).length, 2);
  }
});

test('a tool with a secret in clear text is refused with each pointer and the place for secrets, and nothing is stored', async () => {
  const earlier = await countTools();
  const answer = await send(
    'POST',
    '/v1/tools',
    declared({
      ...HTTP,
      execution: {
        method: 'POST',
        url: 'https://api.example.com/v1?api_key=abc',
        headers: { 'X-Api-Key': 'abc', 'x-tag': 'sk_live_abcdefghijklmnop' },
        query: { tag: 'Bearer abcdefgh12' },
        body: { auth: { password: 'hunter2' } },
      },
    }),
  );
  assert.deepEqual(getRefusal(answer), [400, 'VALIDATION_FAILED']);
  const places = ['/execution/url', '/execution/headers/X-Api-Key', '/execution/headers/x-tag', '/execution/query/tag'];
  assert.deepEqual(listPointers(answer), [...places, '/execution/body/auth/password']);
  for (const { message } of answer.json.error.details.faults) assert.match(message, /credential_id.*Do not use a parameter/);
  assert.equal(await countTools(), earlier);
});

test('a secret in an older tool is not returned by any response', async () => {
  const { id } = await create(HTTP);
  const secret = 'sk_live_abcdefghijklmnop';
  const execution = { ...HTTP.execution, headers: { 'X-Api-Key': secret, 'x-order': '{order}' }, query: { tag: secret } };
  await s.owner.query('update tools set execution = $2 where id = $1', [id, JSON.stringify(execution)]);
  const agent = await newAgent(s.tenant, {});
  const answers = [
    await send('GET', `/v1/tools/${id}`),
    await send('GET', '/v1/tools?limit=200'),
    await send('POST', `/v1/tools/${id}/agents`, { agent_id: agent.id }),
    await send('POST', `/v1/tools/${id}/disable`, { reason: 'test' }),
  ];
  for (const { status, text } of answers) assert.ok(status < 300 && !text.includes(secret), text);
  assert.deepEqual(answers[0]?.json.execution.headers, { 'X-Api-Key': '[masked]', 'x-order': '{order}' });
});

test('a tool whose requests can bypass an active strict rule is registered with a warning that explains how', async () => {
  const other = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, other);
  const rules = [
    { id: 'allow', effect: 'ALLOW', reason: 'Allowed.' },
    { id: 'large', effect: 'BLOCK', when: { field: 'amount', op: 'gt', value: 100 }, reason: 'Too much.' },
  ];
  await activateRules(other, 'strict', rules, [{ name: 't', given: { amount: 101 }, ...JSON.parse('{"then":{"effect":"BLOCK"}}') }]);
  const register = (name: string, more: object) => {
    const body = { name, environment_id: other.environment_id, required_capability: 'pay', kind: 'SDK', ...more };
    return mustCall(s.planes.controlUrl, 'POST', '/v1/tools', { token: other.token, body });
  };
  const loose = await register('loose', {});
  assert.deepEqual(
    loose.warnings.map((warning: Record<string, unknown>) => [warning.kind, warning.rule_id, warning.policy_name]),
    [['missing_field', 'large', 'strict']],
  );
  assert.match(loose.warnings[0].message, /can omit amount.*if_missing/);
  const { parameters_schema, amount_from } = HTTP;
  assert.equal((await register('tight', { parameters_schema, amount_from })).warnings, undefined);
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ToolVersion } from '@svc/contract/tools/declarations.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

const SCHEMA = {
  type: 'object',
  properties: { amount: { type: 'integer' }, order: { type: 'string' } },
  required: ['amount', 'order'],
  additionalProperties: false,
};
const TOOL = { parameters_schema: SCHEMA, amount_from: '/amount', destination_allowlist: ['*.example.com'] };
const RULES = [
  { id: 'allow', effect: 'ALLOW', reason: 'Small enough.' },
  { id: 'hold', effect: 'REQUIRE_APPROVAL', when: { field: 'amount', op: 'gt', value: 100 }, reason: 'A person looks.' },
];
const HELD = { parameters: { amount: 500, order: 'A1' }, destination: 'https://api.example.com' };

let planes: Planes;
let governed: Governed;
let database: pg.Client;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes, { rules: RULES, tool: TOOL });
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await planes.stop();
});

const getCode = ({ status, json }: TestResponse) => [status, json?.error?.code];
const owner: Governed['owner'] = (...asked) => governed.owner(...asked);
let made = 0;
const newTool = async (more: object = {}) => {
  made += 1;
  const { environment_id } = governed.tenant;
  const body = { name: `tool-${made}`, environment_id, required_capability: 'pay', kind: 'SDK', ...TOOL, ...more };
  const { json } = await owner('POST', '/v1/tools', body);
  await owner('POST', `/v1/tools/${json.id}/agents`, { agent_id: governed.agent.id });
  return json as { id: string; name: string };
};
const patch = (id: string, body: object) => owner('PATCH', `/v1/tools/${id}`, body);
const eventsAbout = async (id: string) =>
  (await database.query("select type, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id", [id]))
    .rows;

describe('updateTool', () => {
  test('numbers each declaration; listToolVersions keeps the previous ones, diffTool and the event contain the changes', async () => {
    const { id } = await newTool();
    const body = { risk_rating: 'HIGH', amount_from: null, parameters_schema: { type: 'object' }, reason: 'Review.' };
    const changed = await patch(id, { ...body, accept_warnings: true });
    assert.deepEqual([changed.status, changed.json.declaration_version, changed.json.amount_from], [200, 2, null], changed.text);
    assert.deepEqual((await owner('GET', `/v1/tools/${id}`)).json.risk_rating, 'HIGH');
    const versions = (await owner('GET', `/v1/tools/${id}/versions`)).json;
    assert.deepEqual(
      versions.map((one: ToolVersion) => [one.version_number, one.declaration.risk_rating, one.created_by]),
      [
        [2, 'HIGH', governed.tenant.user.id],
        [1, 'LOW', governed.tenant.user.id],
      ],
    );
    const diff = (await owner('GET', `/v1/tools/${id}/diff?from=1&to=2`)).json;
    assert.deepEqual(
      diff.changes.map(({ member }: { member: string }) => member),
      ['risk_rating', 'parameters_schema', 'amount_from'],
    );
    assert.deepEqual(diff.changes[0], { member: 'risk_rating', before: 'LOW', after: 'HIGH' });
    assert.ok(diff.patch.some(({ op, path }: Record<string, string>) => op === 'remove' && path === '/parameters_schema/required'));
    assert.deepEqual(getCode(await owner('GET', `/v1/tools/${id}/diff?from=1&to=3`)), [404, 'NOT_FOUND']);
    const { type, data } = (await eventsAbout(id)).at(-1);
    assert.deepEqual(
      [type, data.before, data.after, data.reason],
      [
        'tool.updated',
        { declaration_version: 1, risk_rating: 'LOW', amount_from: '/amount' },
        { declaration_version: 2, risk_rating: 'HIGH', amount_from: null },
        'Review.',
      ],
    );
  });

  test('stores, compares and keeps the parameters that approvers may edit, and an older declaration has none', async () => {
    const { id } = await newTool({ narrowable: ['/amount'] });
    const preview = (await owner('POST', `/v1/tools/${id}/preview`, { narrowable: [] })).json;
    assert.deepEqual(preview.changes, [{ member: 'narrowable', before: ['/amount'], after: [] }]);
    assert.deepEqual(getCode(await patch(id, { narrowable: ['/amont'] })), [400, 'VALIDATION_FAILED']);
    assert.deepEqual((await patch(id, { risk_rating: 'HIGH' })).json.narrowable, ['/amount'], 'what is left out stays');
    assert.deepEqual((await patch(id, { narrowable: [] })).json.narrowable, []);
    const between = async () => (await owner('GET', `/v1/tools/${id}/diff?from=2&to=3`)).json.changes;
    assert.deepEqual(await between(), [{ member: 'narrowable', before: ['/amount'], after: [] }]);
    assert.deepEqual((await eventsAbout(id)).at(-1).data.before, { declaration_version: 2, narrowable: ['/amount'] });
    await database.query(
      "update tool_versions set declaration = (declaration::jsonb - 'narrowable')::json where tool_id = $1 and version_number = 2",
      [id],
    );
    assert.deepEqual(await between(), []);
    const versions = (await owner('GET', `/v1/tools/${id}/versions`)).json;
    assert.deepEqual(
      versions.map(({ declaration }: ToolVersion) => declaration.narrowable),
      [[], [], ['/amount']],
    );
  });

  test('changes and records nothing for the same content; a description alone gets no number', async () => {
    const { id } = await newTool();
    const events = (await eventsAbout(id)).length;
    const same = await patch(id, { risk_rating: 'LOW', destination_allowlist: ['*.example.com'] });
    assert.deepEqual([same.status, same.json.declaration_version, (await eventsAbout(id)).length], [200, 1, events]);
    const described = await patch(id, { description: 'Pays.' });
    assert.deepEqual([described.json.declaration_version, described.json.description], [1, 'Pays.']);
    assert.deepEqual((await eventsAbout(id)).at(-1).data.after, { description: 'Pays.' });
  });

  test('refuses an invalid declaration with its pointer, and changes nothing', async () => {
    const { id } = await newTool();
    const cases: [object, string, string][] = [
      [{}, 'VALIDATION_FAILED', ''],
      [{ name: 'other' }, 'VALIDATION_FAILED', '/name'],
      [{ kind: 'HTTP' }, 'VALIDATION_FAILED', '/kind'],
      [{ parameters_schema: { type: 'object', properties: {}, additionalProperties: false } }, 'VALIDATION_FAILED', '/amount_from'],
      [{ destination_allowlist: ['*'] }, 'VALIDATION_FAILED', '/destination_allowlist/0'],
      [{ execution: { method: 'POST', url: 'https://api.example.com' } }, 'VALIDATION_FAILED', '/execution'],
    ];
    for (const [body, code, pointer] of cases) {
      const { json, text } = await patch(id, body);
      assert.deepEqual([json.error?.code, json.error?.details.faults[0].pointer], [code, pointer], text);
    }
    assert.equal((await owner('GET', `/v1/tools/${id}`)).json.declaration_version, 1);
  });

  test('refuses a change of an outdated declaration, and concurrent ones each build on what they saw', async () => {
    const { id } = await newTool();
    assert.equal((await patch(id, { risk_rating: 'MEDIUM', expected_version: 1 })).status, 200);
    const late = await patch(id, { dangerous: true, expected_version: 1 });
    assert.deepEqual([...getCode(late), late.json.error.details.declaration_version], [409, 'VERSION_CONFLICT', 2]);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => patch(id, { destination_allowlist: [`h${n}.example.com`], expected_version: 2 })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 9 }, () => 409)]);
    assert.equal((await owner('GET', `/v1/tools/${id}`)).json.declaration_version, 3);
  });

  test('every gateway decides by the new declaration from the response on', async () => {
    const { id, name } = await newTool();
    const ask = (gateway: number) =>
      governed.act({ tool: name, parameters: { amount: 1, order: 'A1' }, destination: 'https://api.example.com' }, { gateway });
    for (const gateway of [0, 1]) assert.equal((await ask(gateway)).status, 200);
    await patch(id, { destination_allowlist: ['other.example.com'] });
    for (const gateway of [0, 1]) assert.deepEqual(getCode(await ask(gateway)), [403, 'DESTINATION_BLOCKED']);
    await patch(id, { parameters_schema: { ...SCHEMA, required: ['amount', 'order', 'ticket'] } });
    for (const gateway of [0, 1]) assert.deepEqual(getCode(await ask(gateway)), [400, 'VALIDATION_FAILED']);
  });

  test('an approval under one declaration is invalid under another, even if it was not withdrawn', async () => {
    const { id, name } = await newTool();
    const ask = (more: object = {}) => governed.act({ tool: name, ...HELD, ...more });
    const waiting = (await ask()).json.error.details.approval_id;
    const granted = (await governed.act({ tool: name, ...HELD, parameters: { amount: 501, order: 'A1' } })).json.error.details.approval_id;
    await owner('POST', `/v1/approvals/${granted}/approve`, {});
    assert.deepEqual((await owner('POST', `/v1/tools/${id}/preview`, { risk_rating: 'HIGH' })).json.approvals, {
      total: 2,
      ids: [waiting, granted].toSorted(),
    });
    const { text } = await patch(id, { destination_allowlist: ['*.example.com', 'evil.test'], reason: 'Wider.' });
    for (const approvalId of [waiting, granted]) {
      const { json } = await owner('GET', `/v1/approvals/${approvalId}`);
      assert.equal(json.status, 'CANCELLED', text);
      assert.equal((await eventsAbout(approvalId)).at(-1).data.reason, 'Wider.');
    }
    // Sets the state of one that was opened concurrently with the change and then approved.
    await database.query(`update approvals set status = 'APPROVED' where id = any($1)`, [[waiting, granted]]);
    await database.query(`update actions set status = 'APPROVED' where approval_id = any($1)`, [[waiting, granted]]);
    const used = await ask({ approval_id: waiting });
    assert.deepEqual([...getCode(used), /different request/.test(used.text)], [403, 'APPROVAL_NOT_GRANTED', true], used.text);
    // And a new request is bound to the new declaration.
    const next = (await ask()).json.error.details.approval_id;
    await owner('POST', `/v1/approvals/${next}/approve`, {});
    const done = await ask({ approval_id: next });
    assert.equal(done.status, 200, done.text);
    // The outcome names the approval that was used.
    const path = `/gateway/v1/actions/${done.json.action_id}/outcome`;
    await mustCall(planes.gatewayUrl, 'POST', path, { token: governed.token, body: { status: 'COMPLETED' } });
    const { type, data } = (await eventsAbout(done.json.action_id)).at(-1);
    assert.deepEqual([type, data.approval_id], ['action.completed', next]);
  });

  test('a harmful tool is changed by people with a recent step-up only, and by no key', async () => {
    const { id } = await newTool({ dangerous: true });
    const key = await owner('POST', '/v1/api-keys', { name: `key ${id}`, role_id: 'rol_00000000000000000000000002' });
    const asKey = (body: object) => call(planes.controlUrl, 'PATCH', `/v1/tools/${id}`, { token: key.json.token, body });
    assert.deepEqual(getCode(await asKey({ dangerous: false, accept_warnings: true })), [403, 'STEP_UP_REQUIRED']);
    assert.equal((await asKey({ description: 'Pays.' })).status, 200);
    assert.equal((await patch(id, { dangerous: false })).status, 200);
    assert.equal((await asKey({ risk_rating: 'MEDIUM' })).status, 200);
  });

  test('another capability requires the permission to grant capabilities', async () => {
    const { id } = await newTool();
    const permissions = ['tool:read', 'tool:update', 'policy:read'];
    const role = await owner('POST', '/v1/roles', { name: `tools of ${id}`, permissions });
    const key = await owner('POST', '/v1/api-keys', { name: `capability ${id}`, role_id: role.json.id });
    const asKey = (method: string, path: string, body: object) => call(planes.controlUrl, method, path, { token: key.json.token, body });
    const body = { required_capability: 'read' };
    assert.deepEqual(getCode(await asKey('PATCH', `/v1/tools/${id}`, body)), [403, 'PERMISSION_DENIED']);
    const { needs, agents } = (await asKey('POST', `/v1/tools/${id}/preview`, body)).json;
    assert.deepEqual([needs.permissions, agents.map(({ move }: { move: string }) => move)], [['agent:manage_capabilities'], ['LOSES']]);
    assert.equal((await patch(id, body)).status, 200);
  });

  test('another tenant finds no tool by any request', async () => {
    const { id } = await newTool();
    const other = await newTenant(planes);
    for (const [method, path, body] of [
      ['PATCH', '', { risk_rating: 'HIGH' }],
      ['POST', '/preview', { risk_rating: 'HIGH' }],
      ['POST', '/restrict', { agent_ids: [], reason: 'test' }],
      ['GET', '/versions', undefined],
      ['GET', '/diff?from=1&to=1', undefined],
    ] as const) {
      const answer = await call(planes.controlUrl, method, `/v1/tools/${id}${path}`, { token: other.token, ...(body ? { body } : {}) });
      assert.deepEqual(getCode(answer), [404, 'NOT_FOUND'], `${method} ${path}`);
    }
    assert.equal((await owner('GET', `/v1/tools/${id}`)).json.declaration_version, 1);
  });

  test('a secret in an older tool is in no version, difference or event', async () => {
    const execution = { method: 'POST', url: 'https://api.example.com/pay' };
    const { id } = await newTool({ kind: 'HTTP', execution });
    const secret = 'sk_live_abcdefghijklmnop';
    const old = { ...execution, headers: { 'X-Api-Key': secret } };
    await database.query('update tools set execution = $2 where id = $1', [id, JSON.stringify(old)]);
    await database.query('delete from tool_versions where tool_id = $1', [id]);
    const raised = await patch(id, { risk_rating: 'MEDIUM' });
    assert.equal(raised.status, 200, raised.text);
    const mended = await patch(id, { execution: { ...execution, headers: { 'x-order': '{order}' } } });
    const shown = [raised, mended, await owner('GET', `/v1/tools/${id}/versions`), await owner('GET', `/v1/tools/${id}/diff?from=2&to=3`)];
    for (const { status, text } of shown) assert.ok(status === 200 && !text.includes(secret), text);
    assert.match(shown.at(-1)?.text ?? '', /\[masked\]/);
    assert.ok(!JSON.stringify(await eventsAbout(id)).includes(secret));
    const kept = await database.query('select declaration::text from tool_versions where tool_id = $1', [id]);
    assert.ok(kept.rows.length === 3 && !JSON.stringify(kept.rows).includes(secret));
  });
});

describe('previewTool', () => {
  test('counts valid delegations that name the tool, and states for a harmful one that a step-up is required', async () => {
    const { id, name } = await newTool({ dangerous: true });
    const told = async (tool: string) => (await owner('POST', `/v1/tools/${tool}/preview`, { risk_rating: 'CRITICAL' })).json;
    assert.deepEqual([(await told(id)).delegations, (await told(id)).needs.step_up], [0, true]);
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const delegation = await owner('POST', '/v1/delegations', {
      delegate_agent_id: governed.agent.id,
      expires_at,
      scope: { capabilities: ['pay'], tools: [name] },
    });
    assert.equal(delegation.status, 201, delegation.text);
    assert.equal((await told(id)).delegations, 1);
    const other = await told((await newTool()).id);
    assert.deepEqual([other.delegations, other.needs.step_up], [0, false]);
    const revoked = await owner('POST', `/v1/delegations/${delegation.json.id}/revoke`, { reason: 'Over.' });
    assert.equal(revoked.status, 200, revoked.text);
    assert.equal((await told(id)).delegations, 0);
  });

  test('reports rules that would decide otherwise, which refuse the change unless it is confirmed', async () => {
    const { tenant, owner: ask } = await newGoverned(planes, { tool: { ...TOOL, risk_rating: 'HIGH' } });
    const { json: list } = await ask('GET', '/v1/tools');
    const [tool] = list.items;
    const given = { tool: { name: tool.name, risk_rating: 'HIGH' }, amount: 5, parameters: { amount: 5, order: 'A1' } };
    const rules = [
      { id: 'risky', effect: 'BLOCK', when: { field: 'tool.risk_rating', op: 'eq', value: 'HIGH' }, reason: 'Too risky.' },
      { id: 'harmless', effect: 'ALLOW', when: { field: 'tool.risk_rating', op: 'eq', value: 'LOW' }, reason: 'Harmless.' },
      { id: 'orders', effect: 'BLOCK', when: { field: 'parameters.order', op: 'eq', value: 'X' }, reason: 'Not this one.' },
    ];
    await activateRules(tenant, 'risk', rules, [{ name: 'risky is blocked', given, then: { effect: 'BLOCK', rule: 'risky' } }]);
    const preview = async (body: object) => {
      const answer = await ask('POST', `/v1/tools/${tool.id}/preview`, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    };
    const lowered = await preview({ risk_rating: 'LOW' });
    assert.deepEqual(
      lowered.rules.map(({ rule_id, move, fields }: Record<string, unknown>) => [rule_id, move, fields]),
      [
        ['risky', 'LEAVES', ['tool.risk_rating']],
        ['harmless', 'JOINS', ['tool.risk_rating']],
      ],
    );
    assert.deepEqual(
      lowered.warnings.map(({ kind, rule_id }: Record<string, unknown>) => [kind, rule_id]),
      [
        ['no_tool', 'risky'],
        ['newly_permits', 'harmless'],
      ],
    );
    assert.deepEqual(
      lowered.tests.map(({ name }: { name: string }) => name),
      ['risky is blocked'],
    );
    assert.deepEqual([lowered.needs.accept_warnings, lowered.analysis.complete], [true, true]);
    // A schema in which a rule names a parameter that no request has any more, and test parameters that do not fit it.
    const { order: _, ...properties } = SCHEMA.properties;
    const narrower = await preview({ parameters_schema: { ...SCHEMA, properties, required: ['amount'] } });
    assert.deepEqual([narrower.rules[0].rule_id, narrower.rules[0].move, narrower.tests.length], ['orders', 'LEAVES', 1]);
    // One that lets a request omit what a restricting rule reads.
    const looser = await preview({ parameters_schema: { ...SCHEMA, required: ['amount'] } });
    assert.deepEqual(
      looser.warnings.map(({ kind, rule_id }: Record<string, unknown>) => [kind, rule_id]),
      [['missing_field', 'orders']],
    );
    // One with which a restricting rule's condition can never hold.
    const retyped = await preview({ parameters_schema: { ...SCHEMA, properties: { ...SCHEMA.properties, order: { type: 'integer' } } } });
    assert.deepEqual(
      retyped.warnings.map(({ kind, rule_id }: Record<string, unknown>) => [kind, rule_id]),
      [['never_holds', 'orders']],
    );
    assert.equal(retyped.needs.accept_warnings, true);
    const refused = await ask('PATCH', `/v1/tools/${tool.id}`, { risk_rating: 'LOW' });
    assert.deepEqual([...getCode(refused), refused.json.error.details.warnings.length], [422, 'UNPROCESSABLE', 2]);
    const accepted = await ask('PATCH', `/v1/tools/${tool.id}`, { risk_rating: 'LOW', accept_warnings: true });
    assert.deepEqual([accepted.status, accepted.json.warnings.length], [200, 2]);
  });

  test('applies what could not be compared with every active rule only after confirmation', async () => {
    const { tenant, tool, owner: ask } = await newGoverned(planes, { rules: RULES, tool: TOOL });
    for (let n = 0; n < 20; n += 1) await activateRules(tenant, `more-${n}`, [{ id: 'allow', effect: 'ALLOW', reason: 'Fine.' }]);
    const change = { risk_rating: 'HIGH' };
    const { json } = await ask('POST', `/v1/tools/${tool.id}/preview`, change);
    assert.deepEqual([json.warnings, json.analysis.complete, json.needs.accept_warnings], [[], false, true]);
    const refused = await ask('PATCH', `/v1/tools/${tool.id}`, change);
    assert.deepEqual([...getCode(refused), refused.json.error.details.note], [422, 'UNPROCESSABLE', json.analysis.note]);
    assert.equal((await ask('PATCH', `/v1/tools/${tool.id}`, { description: 'Pays back.' })).status, 200);
    assert.equal((await ask('PATCH', `/v1/tools/${tool.id}`, { ...change, accept_warnings: true })).status, 200);
  });
});

describe('restrictTool', () => {
  test('narrows destinations and agents at once on every gateway, withdraws pending requests, and lists the removed agents', async () => {
    const { id, name } = await newTool();
    const other = await newAgent(governed.tenant, { capabilities: ['pay'] });
    await owner('POST', `/v1/tools/${id}/agents`, { agent_id: other.id });
    const token = await mintToken(planes.gatewayUrl, other);
    const ask = (host: string, as?: string) =>
      governed.act({ tool: name, parameters: { amount: 1, order: 'A1' }, destination: `https://${host}` }, as ? { token: as } : {});
    assert.equal((await ask('b.example.com', token)).status, 200);
    const waiting = (await governed.act({ tool: name, ...HELD })).json.error.details.approval_id;
    const body = { destination_allowlist: ['a.example.com'], agent_ids: [governed.agent.id], reason: 'Too wide.' };
    const narrowed = await owner('POST', `/v1/tools/${id}/restrict`, body);
    assert.deepEqual([narrowed.status, narrowed.json.authorized_agent_ids], [200, [governed.agent.id]], narrowed.text);
    assert.equal((await owner('GET', `/v1/approvals/${waiting}`)).json.status, 'CANCELLED', 'what waited under the wider one');
    assert.deepEqual(getCode(await ask('b.example.com')), [403, 'DESTINATION_BLOCKED']);
    assert.equal((await ask('a.example.com')).status, 200);
    assert.deepEqual(getCode(await ask('a.example.com', token)), [403, 'TOOL_NOT_AUTHORIZED']);
    const { type, data } = (await eventsAbout(id)).at(-1);
    assert.deepEqual([type, data.withdrawn, data.before.destination_allowlist], ['tool.restricted', [other.id], ['*.example.com']]);
    const events = (await eventsAbout(id)).length;
    assert.equal((await owner('POST', `/v1/tools/${id}/restrict`, body)).status, 200);
    assert.equal((await eventsAbout(id)).length, events);
  });

  test('refuses a destination outside, an agent that is not authorized, and an empty list', async () => {
    const { id } = await newTool({ kind: 'HTTP', execution: { method: 'POST', url: 'https://api.example.com/pay' } });
    const stranger = await newAgent(governed.tenant, { capabilities: ['pay'] });
    const cases: [object, string][] = [
      [{}, ''],
      [{ destination_allowlist: [] }, '/destination_allowlist'],
      [{ destination_allowlist: ['api.example.com', 'evil.test'] }, '/destination_allowlist/1'],
      [{ destination_allowlist: ['api.example.com:8443'] }, '/destination_allowlist/0'],
      [{ destination_allowlist: ['*.com'] }, '/destination_allowlist/0'],
      [{ destination_allowlist: ['other.example.com'] }, '/destination_allowlist'],
      [{ agent_ids: [governed.agent.id, stranger.id] }, '/agent_ids/1'],
    ];
    for (const [body, pointer] of cases) {
      const answer = await owner('POST', `/v1/tools/${id}/restrict`, { ...body, reason: 'test' });
      assert.deepEqual(
        [...getCode(answer), answer.json.error?.details.faults[0].pointer],
        [400, 'VALIDATION_FAILED', pointer],
        answer.text,
      );
    }
    assert.equal(
      (await newControlClient(planes.controlUrl, governed.tenant.token).getTool({ params: { toolId: id } })).declaration_version,
      1,
    );
  });
});

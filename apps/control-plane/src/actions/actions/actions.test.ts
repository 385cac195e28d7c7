import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { insertAction, insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene();

const get = (path: string, token = s.tenant.token, headers: Record<string, string> = {}) =>
  call(s.planes.controlUrl, 'GET', path, { token, headers });
const insert = (overrides: object = {}) => insertAction(s.owner, s.tenant, { ...overrides });
const search = async (query: Record<string, string>) => (await get(`/v1/actions?${new URLSearchParams(query)}`)).json;
const listIds = (page: { data: { id: string }[] }) => page.data.map((action) => action.id);

test('searchActions pages through every action once, newest first', async () => {
  const agent_id = `agt_${newUlid()}`;
  const ids: string[] = [];
  for (let index = 0; index < 25; index += 1) ids.unshift(await insert({ agent_id }));
  const found: string[] = [];
  let cursor = '';
  do {
    const page = await search({ agent_id, limit: '10', ...(cursor ? { cursor } : {}) });
    found.push(...listIds(page));
    assert.equal(page.page.has_more, page.page.next_cursor !== '');
    cursor = page.page.next_cursor;
  } while (cursor);
  assert.deepEqual(found, ids);
});

test('a cursor is valid only for the search that issued it', async () => {
  const agent_id = `agt_${newUlid()}`;
  for (let index = 0; index < 3; index += 1) await insert({ agent_id });
  const { page } = await search({ agent_id, limit: '1' });
  const readCode = async (query: Record<string, string>) => (await search(query)).error?.code;
  assert.equal(await readCode({ cursor: page.next_cursor, limit: '2', agent_id }), undefined);
  assert.equal(await readCode({ cursor: page.next_cursor }), 'VALIDATION_FAILED');
  assert.equal(await readCode({ agent_id, cursor: `${page.next_cursor.slice(0, -2)}AA` }), 'VALIDATION_FAILED');
});

test('searchActions finds by agent, tool by name and by id, status, decision, code, request and time', async () => {
  const agent_id = `agt_${newUlid()}`;
  const blocked = { decision: 'BLOCK', status: 'BLOCKED', code: 'ACTION_BLOCKED', tool: 'mail.send', tool_id: 'tool_1' };
  const request_id = `req_${newUlid(Date.UTC(2030, 0, 2))}`;
  const madeAt = (created_at: string) => ({ id: `act_${newUlid(Date.parse(created_at))}`, created_at });
  const one = await insert({ agent_id, ...madeAt('2030-01-01T00:00:00.000Z') });
  const two = await insert({ agent_id, ...blocked, request_id, ...madeAt('2030-01-02T00:00:00.000Z') });
  const finds = async (query: Record<string, string>, ...ids: string[]) =>
    assert.deepEqual(listIds(await search({ agent_id, ...query })), ids, JSON.stringify(query));
  await finds({}, two, one);
  await finds({ tool: 'mail.send' }, two);
  await finds({ tool: 'tool_1' }, two);
  await finds({ status: 'BLOCKED' }, two);
  await finds({ decision: 'ALLOW' }, one);
  await finds({ code: 'ACTION_BLOCKED' }, two);
  await finds({ request_id }, two);
  await finds({ from: '2030-01-02T00:00:00.000Z' }, two);
  await finds({ to: '2030-01-02T00:00:00.000Z' }, one);
  assert.equal((await search({ from: '2030-02-30T00:00:00.000Z' })).error.code, 'VALIDATION_FAILED');
  assert.equal((await search({ status: 'NO_SUCH' })).error.code, 'VALIDATION_FAILED');
});

test('getAction returns the whole lineage, with the explanation as it was recorded', async () => {
  const { actionId, approvalId } = await insertHeldAction(s.owner, s.tenant, {}, { amount: '9007199254740991', currency: 'EUR' });
  const action = (await get(`/v1/actions/${actionId}`)).json;
  const { rows } = await s.owner.query('select explanation, request_id from actions where id = $1', [actionId]);
  assert.deepEqual(action.explanation, rows[0].explanation);
  assert.deepEqual(
    [action.status, action.approval_id, action.amount, action.parameters, action.principal.type, action.request_id],
    ['PENDING_APPROVAL', approvalId, 9007199254740991, { order: 'A1' }, 'AGENT', rows[0].request_id],
  );
});

test('does not find the action for another tenant or for a caller limited to another workspace', async () => {
  const id = await insert();
  const stranger = await newTenant(s.planes);
  const elsewhere = await call(s.planes.controlUrl, 'POST', '/v1/workspaces', { token: s.tenant.token, body: { name: 'Elsewhere' } });
  const narrowed = { 'x-svc-workspace': elsewhere.json.id };
  assert.equal((await get(`/v1/actions/${id}`, stranger.token)).json.error.code, 'NOT_FOUND');
  assert.deepEqual((await get('/v1/actions', stranger.token)).json.data, []);
  assert.equal((await get(`/v1/actions/${id}`, s.tenant.token, narrowed)).json.error.code, 'NOT_FOUND');
  assert.deepEqual((await get('/v1/actions', s.tenant.token, narrowed)).json.data, []);
});

/** Builds an explanation as decisions store it, with one deciding rule of one policy. */
const decidedBy = (policyId: string, ruleId: string, authority: object = {}): string =>
  JSON.stringify({
    folded: 2,
    matched_rule: 0,
    sources: [[policyId, 'A policy', 'pvr_1', 1, { scope: 'ORGANIZATION', id: 'org_1' }]],
    rules: [[ruleId, 0, 'matched', false, []]],
    stages: 0,
    decision: 'BLOCK',
    authority,
  });

test('searchActions finds by deciding rule, policy, delegation, amount, mode, environment and approval', async () => {
  const agent_id = `agt_${newUlid()}`;
  const authority = { source: 'DELEGATION', delegation_id: 'del_2', chain: [{ delegation_id: 'del_1' }, { delegation_id: 'del_2' }] };
  const ruled = await insert({ agent_id, explanation: decidedBy('pol_1', 'large', authority), amount: 500, currency: 'EUR' });
  const whole = JSON.stringify({ decision: 'BLOCK', matched_rule: { id: 'large', policy_id: 'pol_2' }, matched_rules: [], authority: {} });
  const early = await insert({ agent_id, explanation: whole, amount: 900, currency: 'EUR', mode: 'OBSERVE', approval_id: 'apr_1' });
  await insert({ agent_id });
  const finds = async (query: Record<string, string>, ...ids: string[]) =>
    assert.deepEqual(listIds(await search({ agent_id, ...query })), ids, JSON.stringify(query));
  await finds({ policy_id: 'pol_1' }, ruled);
  await finds({ policy_id: 'pol_2' }, early);
  await finds({ rule: 'large' }, early, ruled);
  await finds({ rule: 'large', policy_id: 'pol_1' }, ruled);
  await finds({ rule: 'small' });
  await finds({ delegation_id: 'del_1' }, ruled);
  await finds({ delegation_id: 'del_2' }, ruled);
  await finds({ amount_min: '501' }, early);
  await finds({ amount_max: '500' }, ruled);
  await finds({ mode: 'OBSERVE' }, early);
  await finds({ approval_id: 'apr_1' }, early);
  assert.equal((await search({ agent_id, environment_id: s.tenant.environment_id })).data.length, 3);
  await finds({ environment_id: 'env_1' });
  assert.equal((await search({ amount_min: '-1' })).error.code, 'VALIDATION_FAILED');
});

test('summarizeActions counts decisions in total, over time, and by tool, agent and reason', async () => {
  const agent_id = `agt_${newUlid()}`;
  const at = (created_at: string) => ({ agent_id, id: `act_${newUlid(Date.parse(created_at))}`, created_at });
  const blocked = { decision: 'BLOCK', status: 'BLOCKED', reason: 'Too much.', tool: 'mail.send' };
  await insert(at('2030-03-01T00:00:00.000Z'));
  await insert({ ...at('2030-03-01T12:30:00.000Z'), ...blocked });
  await insert({ ...at('2030-03-01T12:40:00.000Z'), ...blocked, status: 'OBSERVED', mode: 'OBSERVE' });
  await insert(at('2030-03-02T00:00:00.000Z'));
  const read = async (query: Record<string, string>) => (await get(`/v1/actions/summary?${new URLSearchParams(query)}`)).json;
  const day = { agent_id, from: '2030-03-01T00:00:00.000Z', to: '2030-03-02T00:00:00.000Z' };
  const summary = await read(day);
  assert.deepEqual(
    [summary.total, summary.counted_all, summary.decisions.ALLOW, summary.decisions.BLOCK, summary.not_enforced, summary.failed],
    [3, true, 1, 2, 1, 0],
  );
  assert.deepEqual(
    summary.buckets.flatMap(({ total }: { total: number }, index: number) => (total === 0 ? [] : [[index, total]])),
    [
      [0, 1],
      [12, 2],
    ],
  );
  const named = (groups: { key: string; total: number }[]) => groups.map(({ key, total }) => [key, total]);
  assert.deepEqual(named(summary.by_tool), [
    ['mail.send', 2],
    ['refund.create', 1],
  ]);
  assert.deepEqual(named(summary.by_agent), [[agent_id, 3]]);
  assert.deepEqual(named(summary.by_reason), [['Too much.', 2]]);
  assert.equal((await read({ ...day, tool: 'mail.send' })).total, 2);
  assert.equal((await read({ ...day, environment_id: 'env_1' })).total, 0);
  assert.equal((await read({ from: day.to, to: day.from })).error.code, 'VALIDATION_FAILED');
  assert.equal((await read({ from: '2030-01-01T00:00:00.000Z', to: '2030-03-01T00:00:00.000Z' })).error.code, 'VALIDATION_FAILED');
  const stranger = await newTenant(s.planes);
  const elsewhere = await get(`/v1/actions/summary?${new URLSearchParams(day)}`, stranger.token);
  assert.equal(elsewhere.json.total, 0);
});

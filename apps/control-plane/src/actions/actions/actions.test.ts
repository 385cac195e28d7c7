import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { insertAction, insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { scene } from '@svc/testing/scene/scene.ts';

const s = scene();

const get = (path: string, token = s.tenant.token, headers: Record<string, string> = {}) =>
  call(s.planes.controlUrl, 'GET', path, { token, headers });
const insert = (overrides: object = {}) => insertAction(s.owner, s.tenant, { ...overrides });
const search = async (query: Record<string, string>) => (await get(`/v1/actions?${new URLSearchParams(query)}`)).json;
const idsOf = (page: { data: { id: string }[] }) => page.data.map((action) => action.id);

test('searchActions pages through every action once, newest first', async () => {
  const agent_id = `agt_${newUlid()}`;
  const ids: string[] = [];
  for (let index = 0; index < 25; index += 1) ids.unshift(await insert({ agent_id }));
  const found: string[] = [];
  let cursor = '';
  do {
    const page = await search({ agent_id, limit: '10', ...(cursor ? { cursor } : {}) });
    found.push(...idsOf(page));
    assert.equal(page.page.has_more, page.page.next_cursor !== '');
    cursor = page.page.next_cursor;
  } while (cursor);
  assert.deepEqual(found, ids);
});

test('a cursor serves the search it was made for and no other', async () => {
  const agent_id = `agt_${newUlid()}`;
  for (let index = 0; index < 3; index += 1) await insert({ agent_id });
  const { page } = await search({ agent_id, limit: '1' });
  const codeOf = async (query: Record<string, string>) => (await search(query)).error?.code;
  assert.equal(await codeOf({ cursor: page.next_cursor, limit: '2', agent_id }), undefined);
  assert.equal(await codeOf({ cursor: page.next_cursor }), 'VALIDATION_FAILED');
  assert.equal(await codeOf({ agent_id, cursor: `${page.next_cursor.slice(0, -2)}AA` }), 'VALIDATION_FAILED');
});

test('searchActions finds by agent, tool by name and by id, status, decision, code, request and time', async () => {
  const agent_id = `agt_${newUlid()}`;
  const blocked = { decision: 'BLOCK', status: 'BLOCKED', code: 'ACTION_BLOCKED', tool: 'mail.send', tool_id: 'tool_1' };
  const request_id = `req_${newUlid(Date.UTC(2030, 0, 2))}`;
  const madeAt = (created_at: string) => ({ id: `act_${newUlid(Date.parse(created_at))}`, created_at });
  const one = await insert({ agent_id, ...madeAt('2030-01-01T00:00:00.000Z') });
  const two = await insert({ agent_id, ...blocked, request_id, ...madeAt('2030-01-02T00:00:00.000Z') });
  const finds = async (query: Record<string, string>, ...ids: string[]) =>
    assert.deepEqual(idsOf(await search({ agent_id, ...query })), ids, JSON.stringify(query));
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

test('getAction is the whole lineage, with the explanation as it was recorded', async () => {
  const { actionId, approvalId } = await insertHeldAction(s.owner, s.tenant, {}, { amount: '9007199254740991', currency: 'EUR' });
  const action = (await get(`/v1/actions/${actionId}`)).json;
  const { rows } = await s.owner.query('select explanation, request_id from actions where id = $1', [actionId]);
  assert.deepEqual(action.explanation, rows[0].explanation);
  assert.deepEqual(
    [action.status, action.approval_id, action.amount, action.parameters, action.principal.type, action.request_id],
    ['PENDING_APPROVAL', approvalId, 9007199254740991, { order: 'A1' }, 'AGENT', rows[0].request_id],
  );
});

test('another tenant, and a caller limited to another workspace, see no such action', async () => {
  const id = await insert();
  const stranger = await newTenant(s.planes);
  const elsewhere = await call(s.planes.controlUrl, 'POST', '/v1/workspaces', { token: s.tenant.token, body: { name: 'Elsewhere' } });
  const narrowed = { 'x-svc-workspace': elsewhere.json.id };
  assert.equal((await get(`/v1/actions/${id}`, stranger.token)).json.error.code, 'NOT_FOUND');
  assert.deepEqual((await get('/v1/actions', stranger.token)).json.data, []);
  assert.equal((await get(`/v1/actions/${id}`, s.tenant.token, narrowed)).json.error.code, 'NOT_FOUND');
  assert.deepEqual((await get('/v1/actions', s.tenant.token, narrowed)).json.data, []);
});

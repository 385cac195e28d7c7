import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { call, getCode, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene();
/** Three workspaces with an agent each, of which the member sees the first two. */
let places: readonly { readonly workspace_id: string; readonly environment_id: string; readonly agent_id: string }[];
let member: InsertedPerson;

const send = (token: string, method: string, path: string, more: { body?: unknown; headers?: Record<string, string> } = {}) =>
  call(s.planes.controlUrl, method, path, { token, ...more });
const make = (path: string, body: unknown) => mustCall(s.planes.controlUrl, 'POST', path, { token: s.tenant.token, body });

const newPlace = async (name: string) => {
  const workspace_id = (await make('/v1/workspaces', { name })).id;
  const environment_id = (await make('/v1/environments', { workspace_id, name: 'Production', type: 'PRODUCTION' })).id;
  const made = await make('/v1/agents', { name: `agent of ${name}`, workspace_id, environment_id, capabilities: [] });
  return { workspace_id, environment_id, agent_id: made.data.agent.id as string };
};

s.before(async () => {
  places = [await newPlace('one'), await newPlace('two'), await newPlace('three')];
  const workspaces = places.slice(0, 2).map(({ workspace_id }) => workspace_id);
  member = await insertPerson(s.owner, s.tenant.organization_id, 'admin', { workspaces });
});

const agentsSeenBy = async (token: string, headers: Record<string, string> = {}): Promise<string[]> => {
  const { json, text } = await send(token, 'GET', '/v1/agents', { headers });
  assert.ok(Array.isArray(json.items ?? json.data ?? json), text);
  return (json.items ?? json.data ?? json).map(({ id }: { id: string }) => id).sort();
};
const listAgents = (...which: number[]) => which.map((index) => places[index]?.agent_id).sort();

describe('a member of several workspaces', () => {
  test('sees what is in each of them and nothing outside, in lists, by id and by filter', async () => {
    assert.deepEqual(await agentsSeenBy(member.token), listAgents(0, 1));
    for (const [index, { agent_id, environment_id, workspace_id }] of places.entries()) {
      const isSeen = index < 2;
      assert.equal(getCode(await send(member.token, 'GET', `/v1/agents/${agent_id}`)), isSeen ? '200' : 'NOT_FOUND');
      assert.equal(getCode(await send(member.token, 'POST', `/v1/agents/${agent_id}/pause`, { body: {} })), isSeen ? '200' : 'NOT_FOUND');
      const held = await insertHeldAction(s.owner, { ...s.tenant, workspace_id, environment_id }, {}, { agent_id });
      const approvals = (await send(member.token, 'GET', `/v1/approvals?environment_id=${environment_id}`)).json;
      assert.deepEqual(
        approvals.map(({ id }: { id: string }) => id),
        isSeen ? [held.approvalId] : [],
      );
      const path = `/v1/actions?agent_id=${agent_id}`;
      assert.equal((await send(member.token, 'GET', path)).json.data.length, isSeen ? 1 : 0);
      const events = await send(member.token, 'GET', `/v1/audit-events?subject_id=${agent_id}`);
      assert.equal(events.json.data.length > 0, isSeen, events.text);
      const body = { workspace_id, name: `Staging ${index}`, type: 'STAGING' };
      assert.equal(getCode(await send(member.token, 'POST', '/v1/environments', { body })), isSeen ? '201' : 'NOT_FOUND');
    }
    const seen = (await send(member.token, 'GET', '/v1/workspaces')).text;
    assert.deepEqual(
      places.map(({ workspace_id }) => seen.includes(workspace_id)),
      [true, true, false],
    );
  });

  test('can narrow itself to any of them by header, and to nothing else', async () => {
    const narrowed = (headers: Record<string, string>) => send(member.token, 'GET', '/v1/agents', { headers });
    assert.deepEqual(await agentsSeenBy(member.token, { 'x-svc-workspace': places[1]?.workspace_id ?? '' }), listAgents(1));
    assert.deepEqual(await agentsSeenBy(member.token, { 'x-svc-environment': places[0]?.environment_id ?? '' }), listAgents(0));
    const [, , beside] = places;
    for (const headers of [
      { 'x-svc-workspace': beside?.workspace_id ?? '' },
      { 'x-svc-environment': beside?.environment_id ?? '' },
      { 'x-svc-workspace': places[0]?.workspace_id ?? '', 'x-svc-environment': places[1]?.environment_id ?? '' },
      { 'x-svc-workspace': places.map(({ workspace_id }) => workspace_id).join(',') },
    ])
      assert.equal(getCode(await narrowed(headers)), 'TENANT_MISMATCH', JSON.stringify(headers));
  });

  test('gets the set it is limited to, and cannot change anything wider', async () => {
    const { scope } = (await send(member.token, 'GET', '/v1/auth/session')).json;
    const workspace_ids = places.slice(0, 2).map(({ workspace_id }) => workspace_id);
    assert.deepEqual(scope, { organization_id: s.tenant.organization_id, workspace_id: null, workspace_ids, environment_id: null });
    const role_id = getBuiltInRole('viewer').id;
    for (const [method, path, body] of [
      ['PATCH', '/v1/organization', { name: 'Taken over' }],
      ['POST', '/v1/workspaces', { name: 'One more' }],
      ['POST', '/v1/api-keys', { name: 'wide', role_id }],
    ] as const)
      assert.equal(getCode(await send(member.token, method, path, { body })), 'PERMISSION_DENIED', path);
    const beside = { name: 'beside', role_id, workspace_id: places[2]?.workspace_id };
    assert.equal(getCode(await send(member.token, 'POST', '/v1/api-keys', { body: beside })), 'NOT_FOUND');
  });

  test('loses a workspace at the next request, and with the last one sees nothing', async () => {
    const [first, second] = places;
    const workspaces = [first?.workspace_id ?? '', second?.workspace_id ?? ''];
    const leaver = await insertPerson(s.owner, s.tenant.organization_id, 'admin', { workspaces });
    const key = (await send(leaver.token, 'POST', '/v1/api-keys', {
      body: { name: 'k', role_id: getBuiltInRole('admin').id, workspace_id: workspaces[0] },
    })) as TestResponse;
    const takeAway = (id: string | undefined) =>
      s.owner.query('delete from member_workspaces w using members m where m.id = w.member_id and m.user_id = $1 and w.workspace_id = $2', [
        leaver.id,
        id,
      ]);
    assert.deepEqual(await agentsSeenBy(key.json.token), listAgents(0));
    await takeAway(workspaces[0]);
    assert.deepEqual(await agentsSeenBy(leaver.token), listAgents(1));
    assert.deepEqual(await agentsSeenBy(key.json.token), [], 'a key of theirs sees no more than they do');
    await takeAway(workspaces[1]);
    assert.deepEqual(await agentsSeenBy(leaver.token), []);
    assert.equal(getCode(await send(leaver.token, 'GET', `/v1/agents/${first?.agent_id}`)), 'NOT_FOUND');
  });
});

test('a key of a formerly unlimited creator sees what they see now', async () => {
  const maker = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
  const { token } = (await send(maker.token, 'POST', '/v1/api-keys', { body: { name: 'k', role_id: getBuiltInRole('admin').id } })).json;
  assert.ok((await agentsSeenBy(token)).length >= 3);
  await s.owner.query('update members set is_limited = true where user_id = $1', [maker.id]);
  assert.deepEqual(await agentsSeenBy(token), []);
  await s.owner.query(
    'insert into member_workspaces (organization_id, member_id, workspace_id) select organization_id, id, $2 from members where user_id = $1',
    [maker.id, places[2]?.workspace_id],
  );
  assert.deepEqual(await agentsSeenBy(token), listAgents(2));
  assert.equal((await send(token, 'GET', '/v1/auth/session')).json.scope.workspace_id, places[2]?.workspace_id);
});

test('a cursor of one set of workspaces is invalid for another', async () => {
  const page = await send(s.tenant.token, 'GET', '/v1/audit-events?limit=1');
  const cursor = encodeURIComponent(page.json.page.next_cursor);
  assert.equal(getCode(await send(member.token, 'GET', `/v1/audit-events?limit=1&cursor=${cursor}`)), 'VALIDATION_FAILED');
});

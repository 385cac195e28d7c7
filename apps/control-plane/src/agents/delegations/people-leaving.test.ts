import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newDelegating } from '@svc/testing/agents/delegating.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertMember, insertPerson } from '@svc/testing/records/insert-person.ts';
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

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? `${status}`;
const roleId = (name: 'developer' | 'viewer' | 'admin') => getBuiltInRole(name).id;

/** Creates two agents and a person who delegates to the first of them. `requires` demands delegated authority. */
const newDelegator = async (requires: boolean) => {
  const own = await newDelegating(planes, 2);
  const { tenant, owner } = own;
  if (requires)
    assert.equal((await owner('PATCH', `/v1/environments/${tenant.environment_id}`, { requires_delegation: true })).status, 200);
  const person = await insertPerson(db, tenant.organization_id, 'developer', { steppedUp: true });
  const send = (method: string, path: string, body?: object) =>
    call(planes.controlUrl, method, path, { token: person.token, ...(body ? { body } : {}) });
  const [agent, helper] = own.agents.map(({ id }) => id);
  const delegate = () => send('POST', '/v1/delegations', { delegate_agent_id: agent, can_redelegate: true, max_depth: 3 });
  const made = await delegate();
  assert.equal(made.status, 201, made.text);
  const { rows } = await db.query('select id from members where organization_id = $1 and user_id = $2', [
    tenant.organization_id,
    person.id,
  ]);
  const member = `/v1/members/${rows[0].id}`;
  const act = (body: object = {}) => own.actAs(0, body);
  const handOn = (parent_id: string | null = made.json.id) =>
    own.handOn(0, { delegate_agent_id: helper, ...(parent_id === null ? {} : { parent_id }) });
  return { ...own, person, send, agent, delegate, root: made.json.id as string, member, act, handOn };
};

test('delegations of a person end with their membership, with everything below, and do not return with it', async () => {
  for (const requires of [true, false]) {
    const its = await newDelegator(requires);
    const below = (await its.handOn()).json.id;
    const asHelper = () => its.actAs(1, { delegation_id: below });
    assert.deepEqual([getCode(await its.act()), getCode(await asHelper())], ['200', '200']);
    const removed = await its.owner('DELETE', its.member);
    assert.deepEqual([removed.status, removed.json.ended.delegations], [200, 1], removed.text);
    const named = { delegation_id: its.root };
    const refused = await its.act();
    assert.match(refused.json.error.message, /no longer a member of the organization/);
    const all = [refused, await its.act(named), await asHelper(), await its.handOn(), await its.handOn(null)];
    assert.deepEqual(all.map(getCode), Array(5).fill('DELEGATION_INVALID'), 'its own grants are not back either');
    const { json } = await its.owner('GET', `/v1/agents/${its.agent}/authority`);
    assert.deepEqual([json.source, json.acts_under, json.tools[0].usable], ['DELEGATION', [], false]);
    await insertMember(db, { organizationId: its.tenant.organization_id, userId: its.person.id, roleId: roleId('developer') });
    assert.equal(getCode(await its.act()), 'DELEGATION_INVALID', 'who came back');
    assert.equal(getCode(await its.owner('POST', '/v1/delegations', { delegate_agent_id: its.agent })), '201');
    assert.equal(getCode(await its.act()), '200', 'somebody delegated anew');
  }
});

test('delegations of a person who left can be revoked like any other, and the agent falls back to its own grants', async () => {
  const its = await newDelegator(false);
  await its.owner('DELETE', its.member);
  assert.equal(getCode(await its.act()), 'DELEGATION_INVALID');
  assert.equal(getCode(await its.owner('POST', `/v1/delegations/${its.root}/revoke`, { reason: 'over' })), '200');
  assert.equal(getCode(await its.act()), '200');
});

test('a membership that another clock dated slightly later does not affect the delegations of its member', async () => {
  const its = await newDelegator(true);
  await db.query("update members set created_at = now() + interval '3 seconds' where organization_id = $1 and user_id = $2", [
    its.tenant.organization_id,
    its.person.id,
  ]);
  await db.query("update sessions set created_at = now() + interval '3 seconds' where user_id = $1", [its.person.id]);
  assert.equal(getCode(await its.owner('POST', `/v1/delegations/${its.root}/revoke`, { reason: 'over' })), '200');
  assert.equal(getCode(await its.delegate()), '201');
  assert.equal((await its.owner('PATCH', its.member, { role_id: roleId('admin') })).status, 200, 'who stands behind it is looked at anew');
  assert.equal(getCode(await its.act()), '200');
});

test('the delegation of another person continues when one of two leaves', async () => {
  const its = await newDelegator(true);
  assert.equal(getCode(await its.owner('POST', '/v1/delegations', { delegate_agent_id: its.agent })), '201');
  await its.owner('DELETE', its.member);
  assert.equal(getCode(await its.act()), '200');
});

test('a delegation of a person is valid while they hold the permission to delegate, however they lose and regain it', async () => {
  const its = await newDelegator(true);
  const { owner, member, tenant } = its;
  const holds = async () => getCode(await its.act());
  const give = async (body: object) => assert.equal((await owner('PATCH', member, body)).status, 200);
  await give({ role_id: roleId('viewer') });
  const refused = await its.act();
  assert.deepEqual([getCode(refused), /may no longer delegate/.test(refused.json.error.message)], ['DELEGATION_INVALID', true]);
  await give({ role_id: roleId('developer') });
  assert.equal(await holds(), '200', 'they may again');
  const other = (await owner('POST', '/v1/workspaces', { name: 'Other', slug: 'other' })).json;
  await give({ workspace_ids: [other.id] });
  assert.equal(await holds(), 'DELEGATION_INVALID', 'they see the agent no more');
  await give({ workspace_ids: [other.id, tenant.workspace_id] });
  assert.equal(await holds(), '200');
  const permissions = ['delegation:create', 'delegation:read'];
  const role = (await owner('POST', '/v1/roles', { name: 'delegates', permissions })).json;
  await give({ role_id: role.id });
  assert.equal(await holds(), '200');
  assert.equal((await owner('PATCH', `/v1/roles/${role.id}`, { permissions: ['delegation:read'] })).status, 200);
  assert.equal(await holds(), 'DELEGATION_INVALID', 'their role lost it');
  assert.equal((await owner('PATCH', `/v1/roles/${role.id}`, { permissions })).status, 200);
  assert.equal(await holds(), '200');
});

test('removing a person while they delegate leaves no valid delegation', async () => {
  const its = await newDelegator(true);
  const [removed, ...made] = await Promise.all([its.owner('DELETE', its.member), ...Array.from({ length: 6 }, its.delegate)]);
  assert.equal(removed?.status, 200);
  assert.ok(made.every(({ status }) => status !== 500));
  assert.equal(getCode(await its.act()), 'DELEGATION_INVALID');
  const listed = (await its.owner('GET', `/v1/delegations?delegator_id=${its.person.id}&status=ACTIVE`)).json;
  assert.ok(listed.length > 0);
  assert.deepEqual([...new Set(listed.map(({ backing }: { backing: string }) => backing))], ['GONE']);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { advanceTime } from '@svc/testing/time/advance-time.ts';

let planes: Planes;
let scene: Delegating;
before(async () => {
  planes = await leasePlanes();
  scene = await newDelegating(planes, 3);
});
after(() => planes.stop());

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const extend = (id: string, body: object) =>
  scene.owner('POST', `/v1/delegations/${id}/extend`, { reason: 'the campaign goes on', ...body });
const readEvents = async (id: string) =>
  (await scene.owner('GET', `/v1/audit-events?subject_id=${id}`)).json.data as { type: string; data: Record<string, unknown> }[];

test('extendDelegation moves the expiry, and reactivates the delegation after the previous one', async () => {
  const other = await newDelegating(planes, 1);
  const id = await other.root(0, { scope: { capabilities: ['pay'] }, ceiling: { max_calls: 9 }, expires_at: inHours(0.1) });
  const before = (await other.owner('GET', `/v1/delegations/${id}`)).json;
  const later = inHours(1);
  const extended = await other.owner('POST', `/v1/delegations/${id}/extend`, { expires_at: later, reason: 'longer', version: 1 });
  assert.equal(extended.status, 200, extended.text);
  assert.deepEqual(extended.json, { ...before, expires_at: later, version: 2, updated_at: extended.json.updated_at });
  const owner = await planes.database.client();
  await advanceTime(owner, other.tenant.organization_id, 600).finally(() => owner.end());
  assert.equal((await other.owner('GET', `/v1/delegations/${id}`)).json.status, 'ACTIVE');
});

test('extendDelegation records before, after and reason', async () => {
  const [first, second] = [inHours(1), inHours(2)];
  const id = await scene.root(0, { expires_at: first });
  assert.equal((await extend(id, { expires_at: second })).status, 200);
  const event = (await readEvents(id)).find(({ type }) => type === 'delegation.extended');
  const { before, after, reason } = event?.data ?? {};
  assert.deepEqual([before, after, reason], [{ expires_at: first }, { expires_at: second }, 'the campaign goes on']);
  assert.equal((await extend(id, { expires_at: null })).json.expires_at, null);
});

test('extendDelegation never exceeds a delegation above, at any depth, and records the attempt', async () => {
  const root = await scene.root(0, { expires_at: inHours(4) });
  const middle = await scene.child(0, 1, root, { expires_at: inHours(2), can_redelegate: true, max_depth: 2 });
  const leaf = await scene.child(1, 2, middle, { expires_at: inHours(1) });
  for (const expires_at of [inHours(3), inHours(5), null]) {
    const refused = await extend(leaf, { expires_at });
    assert.equal(refused.json.error.code, 'DELEGATION_ESCALATION', refused.text);
    assert.deepEqual(refused.json.error.details.fields[0].field, 'expires_at');
  }
  assert.equal((await extend(middle, { expires_at: inHours(3.5) })).status, 200);
  assert.equal((await extend(leaf, { expires_at: inHours(3) })).status, 200);
  const blocked = (await readEvents(leaf)).filter(({ type }) => type === 'delegation.escalation_blocked');
  assert.deepEqual(
    blocked.map(({ data }) => data.operation),
    ['extend', 'extend', 'extend'],
  );
});

test('extendDelegation refuses earlier times, other versions, ended delegations and other tenants', async () => {
  const id = await scene.root(0, { expires_at: inHours(2) });
  const readCode = async (body: object) => (await extend(id, body)).json.error.code;
  assert.equal(await readCode({ expires_at: inHours(1) }), 'VALIDATION_FAILED');
  assert.equal(await readCode({ expires_at: inHours(-1) }), 'VALIDATION_FAILED');
  assert.equal(await readCode({ expires_at: 'tomorrow' }), 'VALIDATION_FAILED');
  assert.equal(await readCode({ expires_at: inHours(3), version: 7 }), 'VERSION_CONFLICT');
  const stranger = await newTenant(planes);
  const body = { expires_at: inHours(3), reason: 'mine' };
  const foreign = await call(planes.controlUrl, 'POST', `/v1/delegations/${id}/extend`, { token: stranger.token, body });
  assert.equal(foreign.json.error.code, 'NOT_FOUND');
  assert.equal((await scene.owner('POST', `/v1/delegations/${id}/revoke`, { reason: 'done' })).status, 200);
  assert.equal(await readCode({ expires_at: inHours(3) }), 'INVALID_STATE_TRANSITION');
});

test('extendDelegation is refused below a revoked or expired chain', async () => {
  const root = await scene.root(0, { expires_at: inHours(4) });
  const leaf = await scene.child(0, 1, root, { expires_at: inHours(1) });
  const unlimited = await scene.root(0);
  assert.equal((await extend(unlimited, { expires_at: inHours(9) })).json.error.code, 'VALIDATION_FAILED');
  assert.equal((await scene.owner('POST', `/v1/delegations/${root}/revoke`, { reason: 'done' })).status, 200);
  assert.equal((await extend(leaf, { expires_at: inHours(2) })).json.error.code, 'INVALID_STATE_TRANSITION');
});

test('extendDelegation of a delegation of a person is limited to that person', async () => {
  const id = await scene.root(0, { expires_at: inHours(1) });
  const owner = await planes.database.client();
  const member = await insertPerson(owner, scene.tenant.organization_id, 'admin', { steppedUp: true }).finally(() => owner.end());
  const body = { expires_at: inHours(2), reason: 'for Ada' };
  const refused = await call(planes.controlUrl, 'POST', `/v1/delegations/${id}/extend`, { token: member.token, body });
  assert.equal(refused.json.error.code, 'PERMISSION_DENIED', refused.text);
});

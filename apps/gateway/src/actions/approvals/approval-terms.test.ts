import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

let planes: Planes;
let database: pg.Client;
before(async () => {
  planes = await leasePlanes();
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await planes.stop();
});

const TESTS = [{ name: 'any', given: {}, then: { effect: 'REQUIRE_APPROVAL' } }];
const ask = (id: string, approval: object | undefined) => ({
  id,
  effect: 'REQUIRE_APPROVAL',
  reason: `${id} asks.`,
  ...(approval ? { approval } : {}),
});

const heldBy = async (...rules: object[]): Promise<{ governed: Governed; approvalId: string }> => {
  const governed = await newGoverned(planes, { rules, tests: TESTS });
  const { json } = await governed.act({ parameters: { order: 1 } });
  assert.equal(json.error.code, 'APPROVAL_REQUIRED');
  return { governed, approvalId: json.error.details.approval_id };
};

const approve = (person: Pick<InsertedPerson, 'token'>, approvalId: string): Promise<TestResponse> =>
  call(planes.controlUrl, 'POST', `/v1/approvals/${approvalId}/approve`, { token: person.token, body: {} });

const code = ({ json }: TestResponse): string | undefined => json.error?.code;

test('two rules apply together: the approvers of each role, the shorter time and the step-up of either', async () => {
  const { governed, approvalId } = await heldBy(
    ask('money', { approver_role: 'approver', quorum: 3, expires_in_seconds: 3600 }),
    ask('safety', { approver_role: 'security', quorum: 1, expires_in_seconds: 120, step_up: true }),
  );
  const card = (await governed.owner('GET', `/v1/approvals/${approvalId}`)).json;
  assert.deepEqual([card.approver_roles, card.role_quorums, card.quorum, card.step_up], [['approver', 'security'], [3, 1], 3, true]);
  const lasts = Date.parse(card.expires_at) - Date.parse(card.requested_at);
  assert.equal(lasts, 120_000);

  const { organization_id } = governed.tenant;
  const person = (role: 'approver' | 'security' | 'viewer', steppedUp: boolean) =>
    insertPerson(database, organization_id, role, { steppedUp });
  const late = await person('approver', false);
  const [one, two, three] = [await person('approver', true), await person('approver', true), await person('approver', true)];
  const [safety, viewer] = [await person('security', true), await person('viewer', true)];
  const retry = () => governed.act({ parameters: { order: 1 }, approval_id: approvalId });

  assert.equal(code(await approve(late, approvalId)), 'STEP_UP_REQUIRED');
  assert.equal(code(await approve(viewer, approvalId)), 'PERMISSION_DENIED');
  assert.equal((await approve(one, approvalId)).json.status, 'PENDING');
  assert.equal(code(await approve(one, approvalId)), 'CONFLICT', 'a person counts once');
  assert.equal((await approve(safety, approvalId)).json.status, 'PENDING');
  assert.equal((await approve(two, approvalId)).json.status, 'PENDING', 'three people, and one of them is no approver');
  assert.equal(code(await retry()), 'APPROVAL_REQUIRED');
  assert.equal((await approve(three, approvalId)).json.status, 'APPROVED');

  const answers = await Promise.all(Array.from({ length: 8 }, retry));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal((await governed.owner('GET', `/v1/approvals/${approvalId}`)).json.status, 'CONSUMED');
});

test('a rule without terms requires one approver within an hour, without a step-up', async () => {
  const { governed, approvalId } = await heldBy(ask('plain', undefined));
  const card = (await governed.owner('GET', `/v1/approvals/${approvalId}`)).json;
  assert.deepEqual([card.approver_roles, card.quorum, card.step_up], [['approver'], 1, false]);
  assert.equal(Date.parse(card.expires_at) - Date.parse(card.requested_at), 3_600_000);
  const approver = await insertPerson(database, governed.tenant.organization_id, 'approver');
  assert.equal((await approve(approver, approvalId)).json.status, 'APPROVED');
});

test('an approval that is not decided or used within the time of the rule expires', async () => {
  const { governed, approvalId } = await heldBy(ask('short', { expires_in_seconds: 60 }));
  const runOut = () => database.query("update approvals set expires_at = now() - interval '1 second' where id = $1", [approvalId]);
  const approver = await insertPerson(database, governed.tenant.organization_id, 'approver');
  assert.equal((await approve(approver, approvalId)).json.status, 'APPROVED');
  await runOut();
  const late = await governed.act({ parameters: { order: 1 }, approval_id: approvalId });
  assert.equal(code(late), 'APPROVAL_EXPIRED');
  const other = await heldBy(ask('short', { expires_in_seconds: 60 }));
  await database.query("update approvals set expires_at = now() - interval '1 second' where id = $1", [other.approvalId]);
  const somebody = await insertPerson(database, other.governed.tenant.organization_id, 'approver');
  assert.equal(code(await approve(somebody, other.approvalId)), 'APPROVAL_EXPIRED');
});

test('only people of the role that the rule names count', async () => {
  const { approvalId, governed } = await heldBy(ask('safety', { approver_role: 'security' }));
  const approver = await insertPerson(database, governed.tenant.organization_id, 'approver');
  assert.equal(code(await approve(approver, approvalId)), 'PERMISSION_DENIED', 'an approver is not of the role that the rule names');
  const safety = await insertPerson(database, governed.tenant.organization_id, 'security');
  assert.equal((await approve(safety, approvalId)).json.status, 'APPROVED');
});

test('stricter rules apply to pending approvals: an approval with fewer people does not satisfy them', async () => {
  const { governed, approvalId } = await heldBy(ask('base', { quorum: 1 }));
  const approver = await insertPerson(database, governed.tenant.organization_id, 'approver');
  assert.equal((await approve(approver, approvalId)).json.status, 'APPROVED');
  const patched = await governed.owner('PATCH', `/v1/policies/${governed.policyId}`, { rules: [ask('base', { quorum: 2 })], tests: TESTS });
  const body = { version_id: patched.json.versions[0].version_id, reason: 'stricter' };
  assert.equal((await governed.owner('POST', `/v1/policies/${governed.policyId}/activate`, body)).status, 200);
  assert.equal(code(await governed.act({ parameters: { order: 1 }, approval_id: approvalId })), 'APPROVAL_NOT_GRANTED');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene();
let ann: InsertedPerson;
let ben: InsertedPerson;
let viewer: InsertedPerson;

s.before(async () => {
  ann = await insertPerson(s.owner, s.tenant.organization_id, 'approver');
  ben = await insertPerson(s.owner, s.tenant.organization_id, 'approver');
  viewer = await insertPerson(s.owner, s.tenant.organization_id, 'viewer');
});

const send = (method: string, path: string, token: string, body?: unknown): Promise<TestResponse> =>
  call(s.planes.controlUrl, method, path, { token, ...(body === undefined ? {} : { body }) });
const hold = (approval: object = {}) => insertHeldAction(s.owner, s.tenant, { ...approval }, {});
const decidable = async (id: string, { token }: { token: string }) => (await send('GET', `/v1/approvals/${id}`, token)).json.decidable;
const mine = async ({ token }: { token: string }): Promise<string[]> =>
  (await send('GET', '/v1/approvals?mine=true', token)).json.map(({ id }: { id: string }) => id);
const approvers = async (id: string) => (await send('GET', `/v1/approvals/${id}/approvers`, ann.token)).json;

test('getApproval states in advance whether the caller may decide, and why not', async () => {
  const { approvalId } = await hold({ quorum: 2 });
  assert.deepEqual(await decidable(approvalId, ann), { may_approve: true, may_deny: true, code: null, reason: null });
  const lacking = await decidable(approvalId, viewer);
  assert.deepEqual([lacking.may_approve, lacking.may_deny, lacking.code], [false, false, 'PERMISSION_DENIED']);
  await send('POST', `/v1/approvals/${approvalId}/approve`, ann.token, {});
  const voted = await decidable(approvalId, ann);
  assert.deepEqual([voted.may_approve, voted.code], [false, 'CONFLICT']);
  assert.match(voted.reason, /already voted/);
  assert.equal((await send('POST', `/v1/approvals/${approvalId}/approve`, ann.token, {})).json.error.code, 'CONFLICT');
  assert.equal((await decidable(approvalId, ben)).may_approve, true);
  await send('POST', `/v1/approvals/${approvalId}/deny`, ben.token, { reason: 'No.' });
  const over = await decidable(approvalId, ben);
  assert.deepEqual([over.may_approve, over.may_deny, over.code], [false, false, 'INVALID_STATE_TRANSITION']);
});

test('listApprovals with mine lists what the caller may decide, oldest first, and accepts no other filter', async () => {
  const [first, second] = [await hold(), await hold({ quorum: 2 })];
  const ids = [first.approvalId, second.approvalId];
  const ownOf = async (who: { token: string }) => (await mine(who)).filter((id) => ids.includes(id));
  assert.deepEqual(await ownOf(ann), ids);
  assert.deepEqual(await mine(viewer), []);
  await send('POST', `/v1/approvals/${second.approvalId}/approve`, ann.token, {});
  assert.deepEqual(await ownOf(ann), [first.approvalId]);
  assert.deepEqual(await ownOf(ben), ids);
  await send('POST', `/v1/approvals/${first.approvalId}/delegate`, ann.token, { user_id: ben.id });
  assert.deepEqual(await ownOf(ann), []);
  const page = await send('GET', '/v1/approvals?mine=true&limit=1', ben.token);
  assert.deepEqual([page.json.length, page.json[0].decidable.may_approve], [1, true]);
  assert.match(page.headers.get('link') ?? '', /mine=true/);
  const mixed = await send('GET', '/v1/approvals?mine=true&status=PENDING', ann.token);
  assert.equal(mixed.json.error.code, 'VALIDATION_FAILED');
});

test('listApprovers names who may decide, and who of them voted or reassigned the decision', async () => {
  const { approvalId } = await hold({ quorum: 3 });
  const readState = async (who: { id: string }) =>
    (await approvers(approvalId)).find(({ user_id }: { user_id: string }) => user_id === who.id);
  assert.deepEqual(
    [(await readState(ann)).may_decide, (await readState(ann)).role, (await readState(ann)).because],
    [true, 'approver', null],
  );
  assert.equal(await readState(viewer), undefined);
  await send('POST', `/v1/approvals/${approvalId}/approve`, ann.token, {});
  assert.deepEqual([(await readState(ann)).may_decide, (await readState(ann)).because], [false, 'VOTED']);
  const cem = await insertPerson(s.owner, s.tenant.organization_id, 'approver');
  await send('POST', `/v1/approvals/${approvalId}/delegate`, ben.token, { user_id: cem.id });
  assert.equal((await readState(ben)).because, 'REASSIGNED');
  const unknown = await send('GET', '/v1/approvals/apr_01ARZ3NDEKTSV4RRFFQ69G5FAV/approvers', ann.token);
  assert.equal(unknown.json.error.code, 'NOT_FOUND');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call } from '@svc/testing/people/client.ts';
import { openStream } from '@svc/testing/people/open-stream.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import { createScene } from '@svc/testing/scene/scene.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const s = createScene();
let ann: InsertedPerson;

s.before(async () => {
  ann = await insertPerson(s.owner, s.tenant.organization_id, 'approver');
});

const watch = (token: string, query = '') =>
  openStream(`${s.planes.controlUrl}/v1/approvals/stream${query}`, { authorization: `Bearer ${token}` });
const post = (path: string, token: string, body: object) => call(s.planes.controlUrl, 'POST', path, { token, body });

test('streamApprovals sends an approver which approval changed and how, and nothing else of the event', async () => {
  assert.equal((await call(s.planes.controlUrl, 'GET', '/v1/events/stream', { token: ann.token })).status, 403);
  const { approvalId } = await insertHeldAction(s.owner, s.tenant, { quorum: 2 }, {});
  const stream = await watch(ann.token);
  assert.equal(stream.status, 200);
  await s.send('PATCH', '/v1/organization', { name: 'Renamed meanwhile' });
  assert.equal((await post(`/v1/approvals/${approvalId}/approve`, ann.token, { comment: 'a secret comment' })).status, 200);
  await waitUntil('the vote to arrive', () => stream.events.length > 0);
  assert.deepEqual(
    stream.events.map(({ data }) => data),
    [{ approval_id: approvalId, type: 'approval.vote_cast' }],
  );
  const lastId = stream.lastId() ?? '';
  await stream.close();

  await post(`/v1/approvals/${approvalId}/deny`, s.tenant.token, { reason: 'no' });
  const resumed = await watch(ann.token, `?after=${encodeURIComponent(lastId)}`);
  await waitUntil('what was missed', () => resumed.events.length >= 2);
  assert.deepEqual(resumed.events.map(({ data }) => data.type).sort(), ['approval.denied', 'approval.vote_cast']);
  await resumed.close();
});

test('streamApprovals shows no approval of another organization or workspace', async () => {
  const elsewhere = await insertPerson(s.owner, s.tenant.organization_id, 'approver', { workspaces: [] });
  const stream = await watch(elsewhere.token);
  const seen = await watch(ann.token);
  const { approvalId } = await insertHeldAction(s.owner, s.tenant, { quorum: 2 }, {});
  await post(`/v1/approvals/${approvalId}/approve`, ann.token, {});
  await waitUntil('the vote to arrive', () => seen.events.length > 0);
  assert.deepEqual(stream.events, []);
  await Promise.all([stream.close(), seen.close()]);
});

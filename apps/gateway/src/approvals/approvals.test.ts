import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call } from '@svc/testing/client.ts';
import { newGoverned } from '@svc/testing/governed.ts';
import { type Planes, startPlanes } from '@svc/testing/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await startPlanes();
});
after(() => planes.stop());

const RULES = [{ id: 'person', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }];

test('getOwnApproval tells the agent that waits how it stands, and nobody else', async () => {
  const governed = await newGoverned(planes, { rules: RULES });
  const {
    approval_id,
    poll_after_seconds,
    decision: { action_id },
  } = (await governed.act({})).json.error.details;
  const read = (token: string) => call(planes.gatewayUrl, 'GET', `/gateway/v1/approvals/${approval_id}`, { token });
  const pending = (await read(governed.token)).json;
  assert.deepEqual([pending.status, pending.action_id, pending.reason], ['PENDING', action_id, 'A person looks.']);
  assert.ok(poll_after_seconds > 0);
  const deny = await governed.owner('POST', `/v1/approvals/${approval_id}/deny`, { reason: 'Not today.' });
  assert.equal(deny.status, 200, deny.text);
  const denied = (await read(governed.token)).json;
  assert.deepEqual([denied.status, denied.denial_reason], ['DENIED', 'Not today.']);
  assert.equal((await governed.act({ approval_id })).json.error.code, 'APPROVAL_NOT_GRANTED');
  assert.equal((await read((await newGoverned(planes)).token)).json.error.code, 'NOT_FOUND');
});

test('asking with the same key after a no says that a person denied it, and which approval that was', async () => {
  const governed = await newGoverned(planes, { rules: RULES });
  const ask = () => governed.act({}, { key: 'asked-again' });
  const { approval_id } = (await ask()).json.error.details;
  await governed.owner('POST', `/v1/approvals/${approval_id}/deny`, { reason: 'Not today.' });
  const { error } = (await ask()).json;
  assert.deepEqual([error.code, error.details.approval_id], ['APPROVAL_NOT_GRANTED', approval_id]);
  assert.match(error.message, /^A person denied the approval/);
});

test('a refused try with an approval is on record of its own and leaves the approval whole', async () => {
  const governed = await newGoverned(planes, { rules: RULES });
  const held = (await governed.act({ parameters: { order: 1 } })).json.error.details;
  await governed.owner('POST', `/v1/approvals/${held.approval_id}/approve`, {});
  const other = await governed.act({ parameters: { order: 2 }, approval_id: held.approval_id });
  assert.equal(other.json.error.code, 'APPROVAL_NOT_GRANTED');
  assert.notEqual(other.json.error.details.decision.action_id, held.decision.action_id);
  const used = await governed.act({ parameters: { order: 1 }, approval_id: held.approval_id });
  assert.deepEqual([used.status, used.json.action_id, used.json.code], [200, held.decision.action_id, null]);
  const card = (await governed.owner('GET', `/v1/approvals/${held.approval_id}`)).json;
  assert.equal(card.status, 'CONSUMED');
});

test('asking again while a person still thinks opens no second approval', async () => {
  const governed = await newGoverned(planes, { rules: RULES });
  const { approval_id } = (await governed.act({})).json.error.details;
  const again = await governed.act({ approval_id });
  assert.deepEqual([again.json.error.code, again.json.error.details.approval_id], ['APPROVAL_REQUIRED', approval_id]);
  assert.equal((await governed.owner('GET', '/v1/approvals')).json.length, 1);
});

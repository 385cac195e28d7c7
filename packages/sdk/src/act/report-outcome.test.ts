import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, type Deed, refuseStage, startPeer } from '@svc/testing/peers/peer-gateway.ts';

const closed = (status: string, state: string): Deed => ({
  status: 200,
  body: { id: 'act_1', decision: 'ALLOW', status, completed_at: '2026-01-01T00:00:00.000Z', execution: { state } },
});

/** Refuses the report because the action is closed, and answers the read of the action. */
const refusedBecause = (says: Deed) => (request: { readonly method: string; readonly path: string }) => {
  if (request.path.endsWith('/outcome')) return refuseStage(400, 'INVALID_STATE_TRANSITION', { from: 'COMPLETED' });
  return request.path === '/gateway/v1/actions/act_1' ? says : undefined;
};

test('a report returns the action', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const action = await createClient(peer).outcome('act_1', { status: 'FAILED', error: 'why', result: { a: 1 } });
  assert.equal(action.status, 'FAILED');
  assert.deepEqual(peer.seen.at(-1)?.body, { status: 'FAILED', result: { a: 1 }, error: 'why' });
});

test('a report with a lost response is sent again, and is no error if the first one had arrived', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  let reports = 0;
  peer.deed = (request) => {
    if (request.path.endsWith('/outcome')) reports += 1;
    return request.path.endsWith('/outcome') && reports === 1
      ? 'answer then cut'
      : refusedBecause(closed('COMPLETED', 'EXECUTED'))(request);
  };
  assert.equal((await createClient(peer).outcome('act_1', { status: 'COMPLETED' })).status, 'COMPLETED');
  assert.equal(reports, 2);
});

test('an observed action that was closed as reported is no error either', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  peer.deed = refusedBecause(closed('OBSERVED', 'FAILED'));
  assert.equal((await createClient(peer).outcome('act_1', { status: 'FAILED' })).status, 'OBSERVED');
});

test('an action that was closed otherwise, or is not open for reports, is an error', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const others = [
    closed('FAILED', 'FAILED'),
    closed('UNKNOWN', 'UNKNOWN'),
    { status: 200, body: { id: 'act_1', decision: 'BLOCK', status: 'BLOCKED', completed_at: null, execution: null } },
  ];
  for (const says of others) {
    peer.deed = refusedBecause(says);
    await assert.rejects(createClient(peer).outcome('act_1', { status: 'COMPLETED' }), { code: 'INVALID_STATE_TRANSITION' });
  }
});

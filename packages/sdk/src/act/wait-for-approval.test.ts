import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, type Deed, type Peer, refuseStage, startPeer } from '@svc/testing/peers/peer-gateway.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { ApprovalExpired, ApprovalNotGranted, ApprovalPending, GovernanceError } from '../wire/errors.ts';

const LATER = '2999-01-01T00:00:00.000Z';

const approval = (status: string, more: object = {}): Deed => ({
  status: 200,
  body: { id: 'apr_1', action_id: 'act_1', status, reason: 'r', denial_reason: null, poll_after_seconds: 0.01, expires_at: LATER, ...more },
});

/** Answers each poll in sequence; the last response repeats. */
const onLooks = (peer: Peer, ...deeds: Deed[]): void => {
  peer.deed = ({ path }) => (path.startsWith('/gateway/v1/approvals/') ? (deeds.length > 1 ? deeds.shift() : deeds[0]) : undefined);
};

const looks = (peer: Peer): number => peer.seen.filter(({ path }) => path.startsWith('/gateway/v1/approvals/')).length;

/** Returns the requested hold time of each poll, in order. */
const held = (peer: Peer): (string | undefined)[] =>
  peer.seen.filter(({ path }) => path.startsWith('/gateway/v1/approvals/')).map(({ path }) => path.split('?')[1]);

test('the wait ends with the granted approval, and each poll is reported', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onLooks(peer, approval('PENDING'), approval('PENDING'), approval('APPROVED'));
  const polls: string[] = [];
  const given = await createClient(peer).waitForApproval('apr_1', { onPoll: ({ status }) => void polls.push(status) });
  assert.equal(given.status, 'APPROVED');
  assert.deepEqual(polls, ['PENDING', 'PENDING', 'APPROVED']);
});

test('an approval that was used by its own request counts as granted', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onLooks(peer, approval('CONSUMED'));
  assert.equal((await createClient(peer).waitForApproval('apr_1')).status, 'CONSUMED');
});

test('an approval that is denied, withdrawn or too late is thrown with the reason', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  onLooks(peer, approval('PENDING'), approval('DENIED', { denial_reason: 'Not this customer.' }));
  const denied = await governance.waitForApproval('apr_1').catch((thrown) => thrown);
  assert.ok(denied instanceof ApprovalNotGranted);
  assert.match(denied.message, /Not this customer/);
  assert.deepEqual(denied.details, { approval_id: 'apr_1', status: 'DENIED', denial_reason: 'Not this customer.' });
  onLooks(peer, approval('CANCELLED'));
  await assert.rejects(governance.waitForApproval('apr_1'), ApprovalNotGranted);
  onLooks(peer, approval('EXPIRED'));
  await assert.rejects(governance.waitForApproval('apr_1'), ApprovalExpired);
});

test('the poll interval is the one of the gateway, and never zero', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  for (const [seconds, fewest, most] of [
    [0, 2, 5],
    [-5, 2, 5],
    [0.6, 1, 2],
  ] as const) {
    let counted = 0;
    // A busy machine may be late for some polls, and never early for one.
    for (let tries = 0; tries < 5 && counted < fewest; tries += 1) {
      const before = looks(peer);
      onLooks(peer, approval('PENDING', { poll_after_seconds: seconds }));
      await assert.rejects(governance.waitForApproval('apr_1', { timeoutMs: 900 }), ApprovalPending);
      counted = looks(peer) - before;
      assert.ok(counted <= most, `${counted} looks at ${seconds} s`);
    }
    assert.ok(counted >= fewest, `${counted} looks at ${seconds} s`);
  }
});

test('without a timely decision the wait ends with an error that suggests waiting again', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onLooks(peer, approval('PENDING'));
  const startedAt = performance.now();
  const pending = await createClient(peer)
    .waitForApproval('apr_1', { timeoutMs: 400 })
    .catch((thrown) => thrown);
  assert.ok(pending instanceof ApprovalPending && pending.retryable);
  assert.deepEqual(pending.details, { approval_id: 'apr_1' });
  assert.ok(performance.now() - startedAt < 30_000);
  onLooks(peer, 'hang');
  await assert.rejects(createClient(peer).waitForApproval('apr_1', { timeoutMs: 200 }), ApprovalPending);
});

test('an aborting caller gets their own reason', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onLooks(peer, approval('PENDING', { poll_after_seconds: 30 }));
  const controller = new AbortController();
  const waiting = createClient(peer).waitForApproval('apr_1', {
    signal: controller.signal,
    onPoll: () => controller.abort(new Error('enough')),
  });
  await assert.rejects(waiting, /enough/);
});

test('a temporarily unavailable gateway does not end a started wait', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const away = Array.from({ length: 5 }, () => 'cut' as const);
  onLooks(peer, approval('PENDING'), ...away, refuseStage(503, 'DEPENDENCY_UNAVAILABLE'), approval('APPROVED'));
  assert.equal((await createClient(peer).waitForApproval('apr_1')).status, 'APPROVED');
});

test('an unavailable gateway ends the wait some time after the approval has expired', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onLooks(peer, approval('PENDING', { expires_at: new Date(Date.now() - 61_000).toISOString() }), 'cut');
  await assert.rejects(createClient(peer).waitForApproval('apr_1'), { code: 'GATEWAY_UNREACHABLE' });
});

test('a gateway that is unavailable from the beginning is reported', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onLooks(peer, 'cut');
  await assert.rejects(createClient(peer).waitForApproval('apr_1'), { code: 'GATEWAY_UNREACHABLE' });
});

test('after the first poll each request is held as long as permitted, within the time of the caller', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onLooks(peer, approval('PENDING'), approval('PENDING'), approval('APPROVED'));
  await createClient(peer).waitForApproval('apr_1');
  assert.deepEqual(held(peer), [undefined, 'wait=30', 'wait=30']);
  onLooks(peer, approval('PENDING'), approval('APPROVED'));
  await createClient(peer).waitForApproval('apr_1', { timeoutMs: 20_900 });
  const [seconds] = held(peer).slice(-1);
  assert.match(String(seconds), /^wait=(1\d|20)$/);
});

test('if a proxy cuts a held poll, a plain one follows, and the next is held half as long, finally not at all', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const proxy = { status: 504, body: '<html>from a proxy</html>' };
  const cutting = [...['cut', proxy, proxy, 'cut'].flatMap((cut) => [cut as Deed, approval('PENDING')]), approval('PENDING')];
  onLooks(peer, approval('PENDING'), ...cutting, approval('APPROVED'));
  assert.equal((await createClient(peer).waitForApproval('apr_1')).status, 'APPROVED');
  const asked = ['wait=30', 'wait=15', 'wait=7', 'wait=3', 'wait=1'].flatMap((each) => [undefined, each]);
  assert.deepEqual(held(peer).slice(0, asked.length), asked);
});

test('a gateway that requests a delay gets it, and its polls stay as long', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const later = refuseStage(429, 'RATE_LIMITED', undefined, { 'retry-after': '1' });
  onLooks(peer, approval('PENDING'), later, approval('APPROVED'));
  const began = performance.now();
  await createClient(peer).waitForApproval('apr_1');
  assert.ok(performance.now() - began >= 1_000);
  assert.deepEqual(held(peer), [undefined, 'wait=30', 'wait=30']);
});

test('a held poll is aborted with its caller, at once and with their reason', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  onLooks(peer, approval('PENDING'), 'hang');
  const controller = new AbortController();
  const waiting = createClient(peer).waitForApproval('apr_1', { signal: controller.signal });
  await waitUntil('the look is held', () => looks(peer) === 2);
  const began = performance.now();
  controller.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  assert.ok(performance.now() - began < 20_000);
});

const wrong: readonly (readonly [string, Deed])[] = [
  ['an unknown status', approval('MAYBE')],
  ['no time to wait', approval('PENDING', { poll_after_seconds: null })],
  ['a narrowed request that cannot be read', approval('APPROVED', { approved_request: { amount: 1 } })],
  ['no JSON', { status: 200, body: 'APPROVED' }],
];
for (const [what, deed] of wrong) {
  test(`an approval with ${what} is an error and not an approval`, async (t) => {
    const peer = await startPeer();
    t.after(peer.close);
    onLooks(peer, deed);
    await assert.rejects(createClient(peer).waitForApproval('apr_1'), { code: 'ANSWER_UNREADABLE' });
  });
}

test('an id is one path segment, with any content', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const error = await createClient(peer)
    .approval('../actions/act_1?x=')
    .catch((thrown) => thrown);
  assert.ok(error instanceof GovernanceError);
  assert.equal(peer.seen.at(-1)?.path, '/gateway/v1/approvals/..%2Factions%2Fact_1%3Fx%3D');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Governance } from '../governance.ts';
import { mayProceed } from '../guard/may-proceed.ts';

test('the double decides by its table, blocks everything else, and states that no gateway was requested', async (t) => {
  const network = t.mock.method(globalThis, 'fetch', () => Promise.reject(new Error('network')));
  const governance = Governance.testing({ refund: ({ amount = 0 }) => (amount > 100 ? 'BLOCK' : 'ALLOW'), stopped: 'TOOL_DISABLED' });
  assert.ok(mayProceed(await governance.act('refund', { amount: 100, currency: 'USD' })));
  await assert.rejects(governance.act('refund', { amount: 101, currency: 'USD' }), {
    code: 'ACTION_BLOCKED',
    message: /no gateway was asked/,
  });
  await assert.rejects(governance.act('toString'), { code: 'ACTION_BLOCKED', message: /no decision for toString/ });
  await assert.rejects(governance.act('stopped'), { name: 'StoppedByOperator' });
  await governance.handshake();
  await governance.logout();
  assert.equal(network.mock.callCount(), 0);
  assert.match(governance.gatewayUrl, /testing\.invalid$/);
  assert.deepEqual(governance.requests[0], { tool: 'refund', amount: 100, currency: 'USD' });
});

test('the double approves, denies and never decides, according to its table', async () => {
  const governance = Governance.testing({ yes: 'APPROVED', no: 'DENIED', never: 'REQUIRE_APPROVAL' });
  await assert.rejects(governance.act('yes'), { code: 'APPROVAL_REQUIRED' });
  const ran: string[] = [];
  const guarded = (tool: string) => governance.guard(tool, (input: { id: string }) => ran.push(input.id), { waitForApproval: true });
  await guarded('yes')({ id: 'a' });
  await assert.rejects(guarded('no')({ id: 'b' }), { code: 'APPROVAL_NOT_GRANTED' });
  await assert.rejects(guarded('never')({ id: 'c' }), { code: 'APPROVAL_EXPIRED' });
  assert.deepEqual(ran, ['a']);
  assert.deepEqual(
    governance.outcomes.map(({ status }) => status),
    ['COMPLETED'],
  );
});

test('a refusal is returned as text on request, and an error of the function is thrown', async () => {
  const governance = Governance.testing({ refund: 'ALLOW' });
  const text = await governance.guard('other', () => 'ran', { onRefusal: 'return' })();
  assert.match(text, /^Refused \(ACTION_BLOCKED\): Decided by Governance\.testing/);
  const failing = governance.guard('refund', () => governance.act('other'), { onRefusal: 'return' });
  await assert.rejects(failing(), { code: 'ACTION_BLOCKED' });
});

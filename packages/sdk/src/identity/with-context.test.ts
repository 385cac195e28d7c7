import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, startPeer } from '@svc/testing/peers/peer-gateway.ts';
import { Governance } from '../governance.ts';

const TOKEN = '/gateway/v1/token';

const readClaims = (assertion: string) => JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString());

test('each context has its own assertion and token, and the client stays without one', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const client = createClient(peer);
  const clients = [client, client.withContext('ticket:1'), client.withContext('ticket:2').withContext('ticket:3'), client.withContext()];
  for (const one of [...clients, ...clients]) await one.act('x');
  const contexts = peer.seen.filter(({ path }) => path === TOKEN).map(({ body }) => readClaims(body.assertion).context);
  assert.deepEqual(contexts.slice(0, 3), [undefined, 'ticket:1', 'ticket:3']);
  assert.match(contexts[3], /^[0-9a-f-]{36}$/);
  assert.equal(contexts.length, 4);
  const actions = peer.seen.filter(({ path }) => path === '/gateway/v1/actions').map(({ headers }) => headers.authorization);
  assert.equal(new Set(actions).size, 4);
  // The audience and the corrected clock are shared.
  assert.equal(peer.count('/.well-known/svc-platform-key'), 1);
});

test('the double for unit tests records the requests of all contexts', async () => {
  const double = Governance.testing({ pay: 'ALLOW' });
  await double.withContext('one').act('pay', { allowNotExecuted: true });
  assert.equal(double.requests.length, 1);
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startNameServer } from '@svc/testing/peers/name-server.ts';
import { newLookup } from './new-lookup.ts';
import { resolveHost } from './resolve-host.ts';

const server = await startNameServer();
after(() => server.close());
const calm = new AbortController().signal;
const addresses = (count: number): string[] => Array.from({ length: count }, (_, n) => `93.184.${n >> 8}.${n & 255}`);

test('refuses a name with too many addresses before checking any', async () => {
  const lookup = newLookup({ nameServers: [server.address], hostsFile: '/dev/null', resolverFile: '/dev/null' });
  server.lead('some.example', ...addresses(32));
  server.lead('many.example', ...addresses(33));
  server.lead('more.example', ...addresses(60));
  let judged = 0;
  const judge = (): boolean => {
    judged += 1;
    return true;
  };
  const resolve = (name: string) => resolveHost(name, lookup, judge, calm);
  const some = await resolve('some.example');
  assert.deepEqual([some.kind === 'resolved' && some.addresses.length, judged], [32, 32]);
  for (const name of ['many.example', 'more.example'])
    assert.deepEqual(await resolve(name), { kind: 'unreachable', detail: 'The destination has more than 32 addresses.', forbidden: true });
  assert.equal(judged, 32);
  assert.equal((await lookup('more.example', calm)).length, 33);
});

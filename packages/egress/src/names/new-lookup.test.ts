import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseHosts } from './hosts-file.ts';
import { findNameServerFault } from './name-server-fault.ts';
import { newLookup } from './new-lookup.ts';
import { namesToTry, parseSearchRules } from './resolver-file.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-names-test-'));
const open: Socket[] = [];
after(() => {
  rmSync(home, { recursive: true });
  for (const socket of open) socket.close();
});
const calm = new AbortController().signal;

/** Starts a name server that knows one name, `only.inside.example` with the address 192.0.2.7, and hangs or denies for any other. */
const startNameServer = async (manner: 'denies' | 'hangs'): Promise<{ address: string; asked: string[] }> => {
  const asked: string[] = [];
  const server = createSocket('udp4');
  open.push(server);
  server.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at] !== 0; at += (query[at] ?? 0) + 1) labels.push(query.subarray(at + 1, at + 1 + (query[at] ?? 0)).toString());
    const name = labels.join('.');
    const isFour = query.readUInt16BE(at + 1) === 1;
    if (isFour) asked.push(name);
    const isKnown = name === 'only.inside.example';
    if (!isKnown && manner === 'hangs') return;
    const question = query.subarray(12, at + 5);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(isKnown && isFour ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const answer = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
    server.send(Buffer.concat([header, question, ...(isKnown && isFour ? [answer] : [])]), from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  return { address: `127.0.0.1:${server.address().port}`, asked };
};

const files = (hosts: string, resolver: string) => {
  const [hostsFile, resolverFile] = [path.join(home, `hosts-${Math.random()}`), path.join(home, `resolv-${Math.random()}`)] as const;
  writeFileSync(hostsFile, hosts);
  writeFileSync(resolverFile, resolver);
  return { hostsFile, resolverFile };
};

test('prefers the hosts file to the name servers, and the machine itself to both', async () => {
  const { address, asked } = await startNameServer('denies');
  const lookup = newLookup({ nameServers: [address], ...files('10.0.0.5 Billing billing.inside # ours\n::5 billing\nnonsense x\n', '') });
  assert.deepEqual(await lookup('BILLING', calm), [
    { address: '10.0.0.5', family: 4 },
    { address: '::5', family: 6 },
  ]);
  assert.deepEqual(
    (await lookup('localhost', calm)).map((each) => each.address),
    ['127.0.0.1', '::1'],
  );
  assert.deepEqual(
    (await lookup('a.localhost', calm)).map((each) => each.address),
    ['127.0.0.1', '::1'],
  );
  assert.deepEqual(asked, []);
});

test('completes a short name by the resolver file, and reports an unknown one as unknown', async () => {
  const { address, asked } = await startNameServer('denies');
  const lookup = newLookup({ nameServers: [address], ...files('', 'search outside.example inside.example\noptions ndots:2 timeout:1\n') });
  assert.deepEqual(await lookup('only', calm), [{ address: '192.0.2.7', family: 4 }]);
  assert.deepEqual(asked, ['only.outside.example', 'only.inside.example']);
  await assert.rejects(lookup('nobody.at.all.example', calm), { code: 'ENOTFOUND' });
});

/** Returns true if another name was answered while so many hung, which end only when aborted or after the resolver's own timeout. */
const answersBeside = async (hanging: number): Promise<boolean> => {
  const { address, asked } = await startNameServer('hangs');
  const lookup = newLookup({ nameServers: [address], ...files('', '') });
  const stop = new AbortController();
  let ended = 0;
  const all = Array.from({ length: hanging }, (_, n) => lookup(`n${n}.hangs.example`, stop.signal).finally(() => (ended += 1)));
  const outcomes = Promise.allSettled(all);
  // The resolver retries what the socket of the server could not hold.
  while (new Set(asked).size < hanging && ended === 0) await sleep(5);
  const [found] = await Promise.allSettled([lookup('only.inside.example', calm)]);
  const wereHanging = ended === 0;
  stop.abort();
  assert.ok((await outcomes).every((outcome) => outcome.status === 'rejected' && outcome.reason.code === 'ENOTFOUND'));
  if (!wereHanging || found.status === 'rejected') return false;
  assert.deepEqual(found.value, [{ address: '192.0.2.7', family: 4 }]);
  return true;
};

test('resolves names while others hang, and aborts those on request', async () => {
  // A machine that pauses for seconds times them out meanwhile, which proves nothing; lookups that block one another always fail.
  for (let tries = 1; !(await answersBeside(100)); tries += 1) assert.ok(tries < 5, 'no other name was answered while some hung');
});

test('times out a name that hangs', { timeout: 60_000 }, async () => {
  const { address } = await startNameServer('hangs');
  const lookup = newLookup({ nameServers: [address], ...files('', '') });
  await assert.rejects(lookup('n.hangs.example', calm), { code: 'ENOTFOUND' });
});

test('times out a name that hangs in every completion within the time of one lookup', { timeout: 120_000 }, async () => {
  const { address, asked } = await startNameServer('hangs');
  const domains = Array.from({ length: 9 }, (_, n) => `d${n}.example`);
  const lookup = newLookup({ nameServers: [address], ...files('', `search ${domains.join(' ')}`) });
  await assert.rejects(lookup('hangs', calm), { code: 'ENOTFOUND' });
  // Each of them hangs for longer than a third of that time.
  assert.ok(new Set(asked).size <= 3, `${new Set(asked).size} names were asked for`);
});

test('reads files as resolver(5) and hosts(5) specify', () => {
  assert.deepEqual(parseSearchRules('domain a.example\nsearch b.example. c.example # x\noptions ndots:5'), {
    domains: ['b.example', 'c.example'],
    dots: 5,
  });
  assert.deepEqual(namesToTry('x.y', { domains: ['d'], dots: 1 }), ['x.y', 'x.y.d']);
  assert.deepEqual(namesToTry('x', { domains: ['d'], dots: 1 }), ['x.d', 'x']);
  assert.equal(parseHosts('').size, 0);
});

test('accepts an address, with or without a port, as a name server', () => {
  for (const good of ['10.0.0.2', '10.0.0.2:5353', 'fd00::2', '[fd00::2]:53']) assert.equal(findNameServerFault(good), undefined, good);
  for (const bad of ['dns.example', '10.0.0.2:0', '10.0.0.2:70000', '', '[10.0.0]:53', 'fd00::2]:53'])
    assert.match(findNameServerFault(bad) ?? '', /is not a name server/, bad);
});

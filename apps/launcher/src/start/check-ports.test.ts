import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { checkPorts } from './check-ports.ts';

describe('ports are checked before anything is started', () => {
  let other: Server;
  let taken = 0;
  before(async () => {
    other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    taken = (other.address() as AddressInfo).port;
  });
  after(() => other.close());

  test('a port in use is reported with a free alternative, which stays free', async () => {
    const { faults } = await checkPorts('127.0.0.1', [{ setting: 'CONTROL_PLANE_PORT', port: taken }]);
    assert.equal(faults.length, 1);
    const advice = /^Port (\d+) on 127\.0\.0\.1 is in use .* for example CONTROL_PLANE_PORT=(\d+) npm start\.$/.exec(faults[0] ?? '');
    assert.equal(Number(advice?.[1]), taken);
    const proposed = Number(advice?.[2]);
    assert.deepEqual(await checkPorts('127.0.0.1', [{ setting: 'CONTROL_PLANE_PORT', port: proposed }]), { ports: [proposed], faults: [] });
  });

  test('two ports in use are reported at once, with two different alternatives', async () => {
    const wanted = ['CONTROL_PLANE_PORT', 'GATEWAY_PORT'].map((setting) => ({ setting, port: taken }));
    const proposed = (await checkPorts('127.0.0.1', wanted)).faults.map((fault) => /_PORT=(\d+)/.exec(fault)?.[1]);
    assert.equal(proposed.length, 2);
    assert.notEqual(proposed[0], proposed[1]);
  });

  test('0 becomes a real port, never the same for two', async () => {
    const { ports } = await checkPorts('127.0.0.1', [
      { setting: 'A', port: 0 },
      { setting: 'B', port: 0 },
      { setting: 'C', port: 0 },
    ]);
    assert.equal(new Set(ports).size, 3);
    assert.ok(ports.every((port) => port > 0));
  });

  test('one that is requested twice is checked exactly twice', async () => {
    const { ports } = await checkPorts('127.0.0.1', [{ setting: 'A', port: 0 }]);
    const [port = 0] = ports;
    const both = await checkPorts('127.0.0.1', [
      { setting: 'A', port },
      { setting: 'B', port },
    ]);
    assert.deepEqual(both, { ports: [port, port], faults: [] });
  });

  test('a host of another machine is reported once', async () => {
    const { faults } = await checkPorts('192.0.2.1', [
      { setting: 'A', port: 0 },
      { setting: 'B', port: 0 },
    ]);
    assert.deepEqual(faults, [
      'HOST is "192.0.2.1", which this machine cannot listen on (EADDRNOTAVAIL). Unset it for 127.0.0.1, or use an address of this machine.',
    ]);
  });
});

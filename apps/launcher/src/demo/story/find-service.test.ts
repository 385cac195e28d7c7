import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { claimRun, writeRun } from '../../data-folder/run-claim.ts';
import { LaunchFault } from '../../faults/launch-fault.ts';
import { findService } from './find-service.ts';

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'svc-find-test-'));
let server: Server;
let port = 0;
let healthy = true;
before(async () => {
  server = createServer((_request, response) => response.writeHead(healthy ? 200 : 503).end('{}')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  port = (server.address() as AddressInfo).port;
  await claimRun(DATA_DIR);
});
after(() => {
  server.close();
  rmSync(DATA_DIR, { recursive: true });
});

const at = (url: string) => ({ controlUrl: url, gatewayUrl: url, sandboxOrigin: 'http://127.0.0.1:1', sandboxKey: 'k' });
const find = (env: Record<string, string> = {}) => findService({ DATA_DIR, ...env }, '/');
const readFault = async (env: Record<string, string> = {}): Promise<string> => {
  const fault = await find(env).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(fault instanceof LaunchFault);
  return fault.message;
};

test('a starting service is not ready', async () => {
  assert.match(await readFault(), /^No service runs from /);
});

test('the service of the data folder is found on any port', async () => {
  writeRun(DATA_DIR, at(`http://127.0.0.1:${port}`), []);
  assert.deepEqual(await find(), at(`http://127.0.0.1:${port}`));
  assert.deepEqual(await find({ HOST: '127.0.0.1', CONTROL_PLANE_PORT: String(port), GATEWAY_PORT: '' }), at(`http://127.0.0.1:${port}`));
});

test('a given host or port that differs is reported, so that the demo does not run on the wrong service', async () => {
  assert.match(await readFault({ CONTROL_PLANE_PORT: '1' }), /leave CONTROL_PLANE_PORT out, or name the data folder/);
  assert.match(await readFault({ GATEWAY_PORT: '1' }), /leave GATEWAY_PORT out/);
  assert.match(await readFault({ HOST: '127.0.0.2' }), /leave HOST out/);
  assert.match(await readFault({ CONTROL_PLANE_PORT: 'many' }), /CONTROL_PLANE_PORT is "many"/);
});

test('a service that does not answer, or is not ready, is reported as such', async () => {
  healthy = false;
  assert.match(await readFault(), /does not answer yet: try again in a moment\.$/);
  writeRun(DATA_DIR, at('http://127.0.0.1:1'), []);
  assert.match(await readFault(), /does not answer yet/);
});

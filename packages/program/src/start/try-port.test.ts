import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { tryPort } from './try-port.ts';

for (const reusePort of process.platform === 'linux' ? [false, true] : [false])
  test(`reports a port in use${reusePort ? ' with reusePort' : ''} as not free, and as free once it is closed`, async () => {
    const server = createServer().listen({ host: '127.0.0.1', port: 0, reusePort });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await assert.rejects(tryPort('127.0.0.1', port), { code: 'EADDRINUSE' });
    server.close();
    await once(server, 'close');
    assert.equal(await tryPort('127.0.0.1', port), port);
  });

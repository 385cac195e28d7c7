import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { serveMetrics } from './serve-metrics.ts';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

test('serves metrics although a client holds idle connections', async () => {
  const port = await freePort();
  const stop = await serveMetrics({ host: '127.0.0.1', port }, [{ text: async () => 'counted 1\n' }]);
  const idle = Array.from({ length: 40 }, () => connect({ port, host: '127.0.0.1', localAddress: '127.0.0.66' }));
  await Promise.all(
    idle.map((socket) =>
      once(
        socket.on('error', () => undefined),
        'connect',
      ),
    ),
  );
  for (let asked = 0; asked < 3; asked += 1) assert.equal(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), 'counted 1\n');
  assert.ok(idle.filter(({ closed }) => !closed).length <= 16);
  await stop();
});

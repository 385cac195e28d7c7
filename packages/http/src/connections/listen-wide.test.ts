import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { CAN_LISTEN_WIDE, listenWide } from './listen-wide.ts';
import { newServer } from './new-server.ts';

const COMING = 96;

const CLIENT = `
  const { connect } = require('node:net');
  const [port, count] = process.argv.slice(1).map(Number);
  let answered = 0;
  for (let n = 0; n < count; n += 1) {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n'));
    socket.once('data', (data) => {
      answered += String(data).startsWith('HTTP/1.1 200') ? 1 : 0;
      socket.destroy();
      if (answered === count) console.log('all answered');
    });
  }`;

const skip = !CAN_LISTEN_WIDE && 'the system shares no port among sockets';

test('connections that arrive during a long turn of the event loop are accepted in a few turns, and not one by one', {
  skip,
}, async () => {
  const server = newServer((_request, response) => void response.end('here'), { totalMax: 1_000, perAddressMax: 1_000 });
  server.listen({ host: '127.0.0.1', port: 0, reusePort: true });
  await once(server, 'listening');
  const listeners = await listenWide(server);
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  try {
    const turns: number[] = [];
    server.on('connection', (socket: Socket) => {
      turns.push(turn);
      // A tick with much work for one client: others arrive meanwhile.
      for (const until = performance.now() + (turns.length === 1 ? 1_000 : 0); performance.now() < until; );
      socket.on('error', () => undefined);
    });
    const { port } = server.address() as AddressInfo;
    const client = spawn(process.execPath, ['-e', CLIENT, String(port), String(COMING)], { stdio: ['ignore', 'pipe', 'inherit'] });
    assert.equal((await text(client.stdout)).trim(), 'all answered');
    assert.equal(turns.length, COMING);
    const took = (turns.at(-1) ?? 0) - (turns[0] ?? 0);
    assert.ok(took < COMING / 3, `${COMING} connections took ${took} turns`);
  } finally {
    clearImmediate(counting);
    for (const each of [server, ...listeners]) each.close();
  }
});

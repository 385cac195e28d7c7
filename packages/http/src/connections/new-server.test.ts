import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getConnection } from './connection.ts';
import { newServer } from './new-server.ts';

const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

const listen = async (handle: RequestListener, bounds = { totalMax: 100, perAddressMax: 100 }, unread?: object): Promise<number> => {
  const server = newServer(handle, bounds, { unreadMs: 20_000, unreadBytesMax: 1e9, ...unread });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

const open = async (port: number, localAddress = '127.0.0.1'): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

const closes = async (socket: Socket): Promise<boolean> =>
  socket.closed || Promise.race([once(socket.resume(), 'close').then(() => true), sleep(30_000, false, { ref: false })]);

const answered = async (socket: Socket, path: string): Promise<boolean> => {
  socket.write(request(path));
  return Promise.race([
    once(socket, 'data').then(() => true),
    once(socket, 'close').then(() => false),
    sleep(30_000, false, { ref: false }),
  ]);
};

describe('a connection that pipelines', () => {
  test('is answered in order, one request after the other', async () => {
    let atOnce = 0;
    let most = 0;
    const port = await listen(async (asked, answer) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await sleep(5);
      atOnce -= 1;
      answer.end(`<${asked.url}>`);
    });
    const socket = await open(port);
    let text = '';
    socket.setEncoding('latin1').on('data', (part) => {
      text += part;
    });
    socket.write(Array.from({ length: 10 }, (_, index) => request(`/${index}`)).join(''));
    for (let waited = 0; waited < 3_000 && !text.includes('</9>'); waited += 1) await sleep(10);
    assert.deepEqual(
      [...text.matchAll(/<\/(\d)>/g)].map(([, index]) => Number(index)),
      Array.from({ length: 10 }, (_, index) => index),
    );
    assert.equal(most, 1);
    assert.equal(await answered(socket, '/again'), true, 'and goes on afterwards');
  });

  test('gets each response in its own turn of the event loop, so that others are served between', async () => {
    let turn = 0;
    let counting = setImmediate(function count() {
      turn += 1;
      counting = setImmediate(count);
    });
    const turns = new Set<number>();
    const port = await listen((asked, answer) => {
      turns.add(turn);
      answer.end(`<${asked.url}>`);
    });
    const socket = await open(port);
    let text = '';
    socket.setEncoding('latin1').on('data', (part) => {
      text += part;
    });
    socket.write(Array.from({ length: 10 }, (_, index) => request(`/${index}`)).join(''));
    for (let waited = 0; waited < 3_000 && !text.includes('</9>'); waited += 1) await sleep(10);
    clearImmediate(counting);
    assert.equal(turns.size, 10);
  });

  test('after a CONNECT is not read any further, whether that comes at once or in pieces', async () => {
    const seen: string[] = [];
    const port = await listen((asked, answer) => {
      seen.push(`${asked.method} ${asked.url}`);
      answer.end('answer');
    });
    const socket = await open(port);
    socket.write(`${request('/first')}CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n${request('/with-it').slice(0, 20)}`);
    await sleep(50);
    if (!socket.closed) socket.write(request('/after'));
    assert.ok(await closes(socket));
    assert.deepEqual(seen, ['GET /first', 'CONNECT x:1']);
  });

  test('and reads nothing gets no further responses', async () => {
    let made = 0;
    const port = await listen((_asked, answer) => {
      made += 1;
      answer.end(Buffer.alloc(8_000_000));
    });
    const socket = (await open(port)).pause();
    socket.write(request('/').repeat(10));
    await sleep(300);
    assert.equal(made, 1);
  });

  test('beyond the limit is not read further, and closed when its accepted requests are answered', async () => {
    let made = 0;
    const port = await listen((_asked, answer) => {
      made += 1;
      setTimeout(() => answer.end(), 5);
    });
    const socket = await open(port);
    socket.write(request('/').repeat(200));
    assert.equal(await closes(socket), true);
    assert.equal(made, 17);
  });

  test('beyond the limit and reads nothing costs only its accepted requests, and is closed after a while', async () => {
    const port = await listen((_asked, answer) => answer.end(Buffer.alloc(1_000_000)), undefined, { unreadMs: 300 });
    const hostile = await Promise.all(Array.from({ length: 10 }, () => open(port)));
    const before = process.memoryUsage().rss;
    for (const socket of hostile) socket.pause().write(request('/').repeat(20_000));
    await sleep(200);
    assert.ok(process.memoryUsage().rss - before < 100_000_000);
    assert.equal(await isLeftWith(0), true);
  });
});

const listConnections = (server: Server | undefined): Promise<number> =>
  new Promise((resolve) => server?.getConnections((_error, count) => resolve(count)));

/** True if only so many connections are open, after a while. */
const isLeftWith = async (count: number): Promise<boolean> => {
  for (let waited = 0; waited < 1_500 && (await listConnections(servers.at(-1))) > count; waited += 1) await sleep(20);
  return (await listConnections(servers.at(-1))) === count;
};

describe('an unread response', () => {
  test('is dropped with its connection, and one in progress is not', async () => {
    const port = await listen(
      (asked, answer) => {
        if (asked.url === '/large') answer.end(Buffer.alloc(8_000_000));
        else setTimeout(() => answer.end('late'), 700);
      },
      undefined,
      { unreadMs: 200 },
    );
    const [unread, late] = [(await open(port)).pause(), await open(port)];
    unread.write(request('/large'));
    assert.equal(await answered(late, '/late'), true);
    assert.equal(await isLeftWith(1), true);
  });

  test('counts towards the limit of all of them, and the largest is dropped first', async () => {
    const port = await listen(
      (asked, answer) => {
        answer.end(Buffer.alloc(Number(asked.url?.slice(1))));
      },
      undefined,
      { unreadBytesMax: 20_000_000 },
    );
    const [small, large] = [(await open(port)).pause(), (await open(port)).pause()];
    small.write(request('/8000000'));
    large.write(request('/40000000'));
    assert.equal(await isLeftWith(1), true);
    await closes(large);
    assert.ok(large.bytesRead < 40_000_000);
    assert.equal(small.destroyed, false);
  });
});

describe('at the limit of connections', () => {
  let atWork = false;
  const handle: RequestListener = (asked, answer) => {
    const connection = getConnection(asked.socket);
    if (asked.url === '/slow') atWork = true;
    if (asked.url === '/proof') connection?.noteProof('org_1');
    if (asked.url !== '/slow') answer.end('ok');
  };

  test('idle unauthenticated connections are closed, and authenticated or working ones stay', async () => {
    const port = await listen(handle, { totalMax: 6, perAddressMax: 6 });
    const proven = await open(port);
    assert.equal(await answered(proven, '/proof'), true);
    const busy = await open(port);
    busy.write(request('/slow'));
    while (!atWork) await sleep(5);
    const idle = await Promise.all([open(port), open(port), open(port), open(port)]);
    for (const _ of idle) assert.equal(await answered(await open(port), '/'), true);
    assert.deepEqual(await Promise.all(idle.map((socket) => closes(socket))), [true, true, true, true]);
    assert.equal(await answered(proven, '/'), true);
    assert.equal(busy.destroyed, false);
  });

  test('with all at work for authenticated callers, the newcomer is refused', async () => {
    const port = await listen(handle, { totalMax: 2, perAddressMax: 2 });
    for (const socket of [await open(port), await open(port)]) {
      assert.equal(await answered(socket, '/proof'), true);
      socket.write(request('/slow'));
    }
    await sleep(100);
    assert.equal(await closes(await open(port)), true);
  });

  test('a connection beyond the limit gets one response with Retry-After, is closed, and few are open at a time', async () => {
    const port = await listen(handle, { totalMax: 100, perAddressMax: 2 });
    for (const socket of [await open(port), await open(port)]) {
      assert.equal(await answered(socket, '/proof'), true);
      socket.write(request('/slow'));
    }
    await sleep(100);
    const read = async (text: string): Promise<string> => {
      const socket = await open(port);
      let got = '';
      socket.setEncoding('latin1').on('data', (part) => {
        got += part;
      });
      socket.write(text);
      assert.equal(await closes(socket), true);
      return got;
    };
    const post = 'POST /v1/agents HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhello';
    for (const text of [request('/'), request('/').repeat(3), post]) {
      const answer = await read(text);
      assert.match(answer, /^HTTP\/1\.1 429 /);
      assert.match(answer, /^retry-after: 1\r$/im);
      assert.equal(answer.split('HTTP/1.1').length, 2, 'is answered once');
      assert.equal(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').error.code, 'RATE_LIMITED');
    }
    // Silent connections, and one with an endless header: each is closed after a moment, and those beyond the limit at once.
    const openedAt = performance.now();
    const silent = await Promise.all(Array.from({ length: 40 }, () => open(port)));
    silent[0]?.write('GET / HTTP/1.1\r\n');
    await sleep(200);
    assert.ok((await listConnections(servers.at(-1))) <= 2 + 16);
    assert.deepEqual(new Set(await Promise.all(silent.map(closes))), new Set([true]));
    // A header may take 12 s from others.
    const tookMs = performance.now() - openedAt;
    assert.ok(tookMs < 9_000, `${tookMs} ms`);
    assert.match(await read(request('/')), /^HTTP\/1\.1 429 /);
  });

  test('one address takes places from itself only', async () => {
    const port = await listen(handle, { totalMax: 100, perAddressMax: 3 });
    const neighbour = await open(port, '127.0.0.1');
    const hostile: Socket[] = [];
    for (let index = 0; index < 10; index += 1) hostile.push(await open(port, '127.0.0.66'));
    await sleep(100);
    assert.ok((await listConnections(servers.at(-1))) <= 4);
    assert.equal(await answered(neighbour, '/'), true);
    for (const socket of hostile) socket.destroy();
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { readBody, type Unreadable } from './read-body.ts';

const newMessage = () => Object.assign(new PassThrough(), { headers: {} });
const read = (message: PassThrough, onLarge: () => Promise<Unreadable | undefined>) =>
  readBody(message as unknown as IncomingMessage, { bytesMax: 100, smallBytesMax: 10 }, onLarge);

test('pauses a large body while its permission is pending, and reads all of it afterwards', async () => {
  const message = newMessage();
  const asked = Promise.withResolvers<undefined>();
  let times = 0;
  const reading = read(message, () => {
    times += 1;
    return asked.promise;
  });
  for (const piece of ['small', ' and large', ' and more']) message.write(piece);
  message.end();
  await new Promise(setImmediate);
  assert.ok(message.isPaused());
  asked.resolve(undefined);
  assert.equal(String(await reading), 'small and large and more');
  assert.equal(times, 1);
});

test('reads little of a large, fully arrived response per event-loop tick, so that other work runs between', async () => {
  const bytes = 8_388_608;
  const server = createServer((_, response) => response.end(Buffer.alloc(bytes, 'x')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [message] = (await once(get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), 'response')) as [IncomingMessage];
  let [most, inTurn] = [0, 0];
  const turn = (): void => {
    most = Math.max(most, inTurn);
    inTurn = 0;
    if (!message.readableEnded) setImmediate(turn);
  };
  turn();
  const reading = readBody(message, { bytesMax: bytes, smallBytesMax: 65_536 }, () => undefined);
  message.on('data', (piece: Buffer) => {
    inTurn += piece.length;
  });
  const body = await reading;
  server.close();
  assert.ok(!('unreadable' in body) && body.length === bytes);
  assert.ok(most <= 262_144, `${most} bytes in one turn`);
});

test('reports a connection that breaks meanwhile after the permission resolves, so that its slot is released', async () => {
  const message = newMessage();
  const asked = Promise.withResolvers<undefined>();
  const told: string[] = [];
  const reading = read(message, () => asked.promise).catch((error: Error) => told.push(error.message));
  message.write('a large answer');
  await new Promise(setImmediate);
  message.destroy(new Error('it broke'));
  await new Promise(setImmediate);
  assert.deepEqual(told, []);
  asked.resolve(undefined);
  await reading;
  assert.deepEqual(told, ['it broke']);
});

test('rejects a response that ends early, and drops one that may not be read', async () => {
  const left = newMessage();
  const reading = read(left, async () => undefined);
  left.write('small');
  left.destroy();
  await assert.rejects(reading, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  const refused = newMessage();
  refused.write('a large answer');
  assert.deepEqual(await read(refused, async () => ({ unreadable: 'no room' })), { unreadable: 'no room' });
  assert.ok(refused.destroyed);
});

test('rejects a compressed response, since a small one can be a huge one', async () => {
  for (const encoding of ['gzip', 'br', ' DEFLATE ', 'gzip, gzip', 'zstd']) {
    const message = Object.assign(newMessage(), { headers: { 'content-encoding': encoding } });
    message.end('small');
    const body = await read(message, async () => undefined);
    assert.match('unreadable' in body ? body.unreadable : '', /compressed/, encoding);
  }
  for (const encoding of ['gzip, chunked', 'gzip', 'chunked, chunked', 'x']) {
    const message = Object.assign(newMessage(), { headers: { 'transfer-encoding': encoding } });
    message.end('small');
    const body = await read(message, async () => undefined);
    assert.match('unreadable' in body ? body.unreadable : '', /compressed/, encoding);
  }
  const plain = Object.assign(newMessage(), { headers: { 'content-encoding': 'identity', 'transfer-encoding': 'Chunked' } });
  plain.end('small');
  assert.equal(String(await read(plain, async () => undefined)), 'small');
});

test('drops a response at the first byte over the limit, and when it arrives in too many small pieces', async () => {
  const large = newMessage();
  for (const piece of ['x'.repeat(100), 'y']) large.write(piece);
  large.end();
  assert.deepEqual(await read(large, async () => undefined), { unreadable: 'The response is larger than 100 bytes.', tooLarge: true });
  const fits = newMessage();
  fits.end('x'.repeat(100));
  assert.equal((await read(fits, async () => undefined)).toString().length, 100);
  const dripped = newMessage();
  const reading = readBody(dripped as unknown as IncomingMessage, { bytesMax: 100_000, smallBytesMax: 100_000 }, async () => undefined);
  for (let n = 0; n < 1_100; n += 1) dripped.write('z');
  dripped.end();
  assert.deepEqual(await reading, { unreadable: 'The response arrived in too many small chunks.' });
});

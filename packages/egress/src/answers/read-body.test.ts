import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { readBody, type Unreadable } from './read-body.ts';

const newMessage = () => Object.assign(new PassThrough(), { headers: {} });
const read = (message: PassThrough, onLarge: () => Promise<Unreadable | undefined>) =>
  readBody(message as unknown as IncomingMessage, { bytesMax: 100, smallBytesMax: 10 }, onLarge);

test('while it is asked whether a large body may be read nothing more of it comes, and all of it does afterwards', async () => {
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

test('a connection that breaks meanwhile is told when that has been answered, so that what it took is given back', async () => {
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

test('an answer that is left before its end rejects, and one that may not be read is left', async () => {
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

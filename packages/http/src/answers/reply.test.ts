import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import { test } from 'node:test';
import Fastify from 'fastify';
import { send } from './reply.ts';
import { serializeResponse } from './written.ts';

const askFor = async (away: (raw: EventEmitter & { destroy: () => void }) => Promise<void>): Promise<number> => {
  let released = 0;
  const release = (): void => {
    released += 1;
  };
  const app = Fastify();
  app.get('/', async (_request, reply) => {
    await away(reply.raw);
    return send(reply, 200, serializeResponse(Buffer.from('{}'), { release }));
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  await fetch(url).then(
    (answer) => answer.text(),
    () => undefined,
  );
  await app.close();
  return released;
};

test('the memory of a large response is freed when its client has it', async () => {
  assert.equal(await askFor(async () => undefined), 1);
});

test('the memory of a large response is freed at once if its client disconnected while it was made', async () => {
  const away = async (raw: EventEmitter & { destroy: () => void }): Promise<void> => {
    const closed = new Promise((resolve) => raw.once('close', resolve));
    raw.destroy();
    await closed;
  };
  assert.equal(await askFor(away), 1);
});

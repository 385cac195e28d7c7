import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { type DownloadBounds, newDownload } from './download.ts';

const BOUNDS = { perOrganizationMax: 2, totalMax: 1, lifeMs: 60_000, lookMs: 1_000, bytesPerSecondMin: 1e9, graceMs: 1_000 };
const closing: (() => Promise<unknown>)[] = [];
after(() => Promise.all(closing.map((close) => close())));

/** Starts a server whose files belong to the organization in the path: endless and as fast as they are read, or one byte now and then. */
const listen = async (bounds: DownloadBounds) => {
  const wire = newDownload(bounds);
  const app = Fastify();
  const reasons = new Map<string, unknown>();
  app.decorateRequest('admitted');
  app.get('/:organization/:manner', (request, reply) => {
    const { organization, manner } = request.params as { readonly organization: string; readonly manner: 'fast' | 'slow' };
    Object.assign(request, { admitted: { scope: { organization_id: organization } } });
    async function* parts(ended: AbortSignal) {
      ended.addEventListener('abort', () => reasons.set(organization, ended.reason));
      while (!ended.aborted) {
        yield manner === 'fast' ? Buffer.alloc(1_000_000) : Buffer.alloc(1);
        if (manner === 'slow') await sleep(10);
      }
    }
    return wire.answer(reply, 200, { type: 'text/plain', fileName: 'file', parts }, async () => true);
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const breaking = new AbortController();
  const ask = (path: string): Promise<Response> => fetch(`${url}/${path}`, { signal: breaking.signal });
  closing.push(() => {
    breaking.abort();
    app.server.closeAllConnections();
    return app.close();
  });
  return { ask, reasons };
};

const read = async ({ body }: Response): Promise<void> => {
  for await (const _ of body as unknown as AsyncIterable<Uint8Array>);
};

test('at the limit, a client that reads nothing of a file gives up its place, and not in its first moments', async () => {
  const { ask, reasons } = await listen(BOUNDS);
  assert.equal((await ask('a/fast')).status, 200);
  assert.equal((await ask('b/fast')).status, 429);
  await sleep(BOUNDS.graceMs + 50);
  assert.equal((await ask('b/fast')).status, 200);
  assert.equal(reasons.get('a'), 'no_room');
});

test('a client that reads everything available keeps the place, however slowly the file is made', async () => {
  const { ask, reasons } = await listen(BOUNDS);
  const made = await ask('a/slow');
  assert.equal(made.status, 200);
  void read(made).catch(() => undefined);
  await sleep(BOUNDS.graceMs + 50);
  assert.equal((await ask('b/fast')).status, 429);
  assert.equal(reasons.get('a'), undefined);
});

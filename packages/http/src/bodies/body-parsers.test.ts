import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { FairScheduler } from '@svc/fairness/quantum/fair-turns.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { addBodyParsers } from './body-parsers.ts';

const holders: string[] = [];
const turns: FairScheduler = {
  run: (holder, work) => {
    holders.push(holder);
    return work();
  },
};

let app: FastifyInstance;
before(async () => {
  app = Fastify();
  app.decorateRequest('admitted', null);
  addBodyParsers(app, turns);
  app.addHook('onRequest', async (request) => {
    const { whose } = request.headers;
    if (typeof whose === 'string') Object.assign(request, { admitted: { scope: { organization_id: whose } } });
  });
  app.post('/', async (request) => Object.keys(request.body as object).length);
  await app.ready();
});
after(() => app.close());
beforeEach(() => {
  holders.length = 0;
});

const send = async (characters: number, headers: Record<string, string>): Promise<readonly string[]> => {
  const payload = JSON.stringify({ a: 'x'.repeat(characters) });
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: '/',
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });
  assert.deepEqual([statusCode, body], [200, '1']);
  return holders;
};

test('a body of an unauthenticated client above 2 KiB is read in the time slice of such clients, and a smaller one at once', async () => {
  assert.deepEqual(await send(2_000, {}), []);
  assert.deepEqual(await send(2_100, {}), ['']);
});

test('a body of an authenticated caller above 16 KiB is read in the turn of their organization, and a smaller one at once', async () => {
  assert.deepEqual(await send(16_000, { whose: 'org_1' }), []);
  assert.deepEqual(await send(17_000, { whose: 'org_1' }), ['org_1']);
});

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { newFairTurns } from '@svc/fairness/quantum/fair-turns.ts';
import type { FastifyInstance } from 'fastify';
import { ORGANIZATION, startBoundRows } from './start-bound-rows.fixture.ts';

const DEAR_MS = 10;
const DEAR_COUNT = 60;

const fair = newFairTurns();
let begun = 0;
const turns: typeof fair = {
  run: (holder, work) => {
    begun += 1;
    return fair.run(holder, work);
  },
};
const handled: string[] = [];
let app: FastifyInstance;
let url: string;

const burn = async (): Promise<void> => {
  const until = performance.now() + DEAR_MS;
  while (performance.now() < until);
};

const noting = (name: string) => () => {
  handled.push(name);
  return {};
};

before(async () => {
  app = await startBoundRows({ act: noting('act'), gatewayReady: noting('gatewayReady') }, turns, 10);
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
after(() => app.close());

test('a request whose client disconnects while it waits is not started, and health checks do not wait', async () => {
  const dear = [...Array(DEAR_COUNT)].map(() => turns.run(ORGANIZATION, burn));
  let strangersDone = 0;
  const strangers = [...Array(DEAR_COUNT)].map(() => turns.run('', burn).then(() => (strangersDone += 1)));
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  const body = JSON.stringify({ tool: 'gone' });
  socket.write(`POST ${ENDPOINTS.act.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\n`);
  socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  assert.equal((await fetch(`${url}${ENDPOINTS.gatewayReady.path}`)).status, 200);
  assert.ok(strangersDone < DEAR_COUNT / 2, `health waited for ${strangersDone} of what others had asked`);
  await sleep(50);
  socket.destroy();
  await Promise.all([...dear, ...strangers]);
  await sleep(50);
  assert.deepEqual(handled, ['gatewayReady']);
});

test('a request whose caller had to be authenticated again waits for another turn before it runs', async () => {
  begun = 0;
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  const body = JSON.stringify({ tool: 'late' });
  socket.write(`POST ${ENDPOINTS.act.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\n`);
  socket.write(`Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`);
  await sleep(200);
  const before = begun;
  handled.length = 0;
  const answered = new Promise((resolve) => socket.once('close', resolve));
  socket.resume().write(body);
  await answered;
  assert.deepEqual(handled, ['act']);
  assert.ok(begun - before >= 2, `${begun - before} turns`);
});

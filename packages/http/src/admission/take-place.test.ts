import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { newFairTurns } from '@svc/fairness/quantum/fair-turns.ts';
import type { FastifyInstance } from 'fastify';
import { startBoundRows } from '../plane/start-bound-rows.fixture.ts';

const PATIENCE_MS = 60_000;

/** Requests that reached the handler, in order, each with a function that ends it. */
const handled: { readonly name: string; readonly end: () => void }[] = [];
let underWay = 0;
let mostAtOnce = 0;
let app: FastifyInstance;

const handler = async (call: {
  readonly body?: { readonly tool: string };
  readonly params: { readonly actionId?: string };
}): Promise<object> => {
  underWay += 1;
  mostAtOnce = Math.max(mostAtOnce, underWay);
  await new Promise<void>((end) => handled.push({ name: call.body?.tool ?? call.params.actionId ?? '', end }));
  underWay -= 1;
  return {};
};

before(async () => {
  app = await startBoundRows({ act: handler, getOwnAction: handler }, newFairTurns(), 1);
});
after(() => app.close());

const send = async (head: string, body = ''): Promise<Socket> => {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(`${head} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\n`);
  socket.write(`${body === '' ? '' : `Content-Length: ${body.length}\r\n`}\r\n${body}`);
  await sleep(100);
  return socket;
};
const act = (tool: string) => send(`POST ${ENDPOINTS.act.path}`, JSON.stringify({ tool }));
const look = (actionId: string) => send(`GET ${ENDPOINTS.getOwnAction.path.replace('{actionId}', actionId)}`);

const until = async (isSo: () => boolean): Promise<void> => {
  for (const end = performance.now() + PATIENCE_MS; !isSo() && performance.now() < end; ) await sleep(5);
};
const names = (): string[] => handled.map(({ name }) => name);

for (const [kind, ask] of Object.entries({ 'with a body': act, 'without a body': look })) {
  test(`a request ${kind} whose client disconnected while it waited is not started, and its turn goes to the next`, async () => {
    handled.length = 0;
    const sockets = [await ask('first'), await ask('gone'), await ask('gone.too'), await ask('last')];
    assert.deepEqual(names(), ['first']);
    sockets[1]?.destroy();
    sockets[2]?.destroy();
    await sleep(50);
    handled[0]?.end();
    await until(() => handled.length > 1);
    await sleep(50);
    for (const { end } of handled) end();
    assert.deepEqual(names(), ['first', 'last']);
    await until(() => underWay === 0);
    assert.equal(mostAtOnce, 1);
    for (const socket of sockets) socket.destroy();
  });
}

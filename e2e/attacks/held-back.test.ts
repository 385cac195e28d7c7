import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

let planes: Planes;
let governed: Governed;
let db: pg.Client;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
  db = await planes.database.client();
});
after(async () => {
  await db.end();
  await planes.stop();
});

type Held = { readonly socket: Socket; readonly finish: () => Promise<{ readonly status: number; readonly code: string | undefined }> };

/** Begins a request, delays its body for longer than a request may take, and completes it on command. */
const holdBack = async (base: string, method: string, path: string, token: string, body: object): Promise<Held> => {
  const { port, hostname } = new URL(base);
  const text = JSON.stringify(body);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('utf8').on('data', (part) => {
    answer += part;
  });
  const lines = [`${method} ${path} HTTP/1.1`, 'host: x', `authorization: Bearer ${token}`, 'content-type: application/json'];
  socket.write(`${[...lines, `content-length: ${text.length}`, 'connection: close'].join('\r\n')}\r\n\r\n${text.slice(0, 1)}`);
  await sleep(250);
  assert.equal(answer, '', 'it was admitted');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return {
    socket,
    finish: async () => {
      socket.write(text.slice(1));
      await closed;
      return { status: Number(answer.split(' ')[1]), code: /"code":"(\w+)"/.exec(answer)?.[1] };
    },
  };
};

const workspaces = async (): Promise<number> => (await db.query('select count(*)::int as n from workspaces')).rows[0].n;
const makeWorkspace = (token: string) => holdBack(planes.controlUrl, 'POST', '/v1/workspaces', token, { name: 'Held back' });

const newKey = (): Promise<{ token: string; api_key: { id: string } }> =>
  newControlClient(planes.controlUrl, governed.tenant.token).createApiKey({
    body: { name: 'k', role_id: 'rol_00000000000000000000000002' },
  });

test('a request with a delayed body is executed only for a caller who is still permitted then', async () => {
  const held = await makeWorkspace((await newKey()).token);
  assert.equal((await held.finish()).status, 201);
});

test('it does not outlive a revoked key, an ended session, a lost role or an expired proof', async () => {
  const before = await workspaces();
  const { organization_id, environment_id, token } = governed.tenant;

  const key = await newKey();
  const byKey = await makeWorkspace(key.token);
  await newControlClient(planes.controlUrl, token).revokeApiKey({ params: { apiKeyId: key.api_key.id } });
  assert.deepEqual(await byKey.finish(), { status: 401, code: 'UNAUTHENTICATED' });

  const person = await insertPerson(db, organization_id, 'admin', { steppedUp: true });
  const byPerson = await makeWorkspace(person.token);
  const path = `/v1/environments/${environment_id}/pause`;
  const guarded = await holdBack(planes.controlUrl, 'POST', path, person.token, { reason: 'held back' });
  await db.query("update sessions set stepped_up_until = now() - interval '1 second' where user_id = $1", [person.id]);
  assert.deepEqual(await guarded.finish(), { status: 403, code: 'STEP_UP_REQUIRED' });
  await db.query("update members set role_id = 'rol_00000000000000000000000007' where user_id = $1", [person.id]);
  assert.deepEqual(await byPerson.finish(), { status: 403, code: 'PERMISSION_DENIED' });

  const again = await insertPerson(db, organization_id, 'admin');
  const afterLogout = await makeWorkspace(again.token);
  assert.equal((await call(planes.controlUrl, 'POST', '/v1/auth/logout', { token: again.token })).status, 200);
  assert.deepEqual(await afterLogout.finish(), { status: 401, code: 'UNAUTHENTICATED' });
  assert.equal(await workspaces(), before);
});

test('an agent that is stopped meanwhile is refused', async () => {
  const acting = await holdBack(planes.gatewayUrl, 'POST', '/gateway/v1/actions', governed.token, { tool: 'pay' });
  const done = await governed.act({});
  const path = `/gateway/v1/actions/${done.json.action_id}/outcome`;
  const reporting = await holdBack(planes.gatewayUrl, 'POST', path, governed.token, { status: 'COMPLETED' });
  assert.equal((await governed.owner('POST', `/v1/agents/${governed.agent.id}/revoke`, { reason: 'test' })).status, 200);
  assert.equal((await acting.finish()).code, 'AGENT_IDENTITY_REVOKED');
  assert.equal((await reporting.finish()).code, 'AGENT_IDENTITY_REVOKED');
  const { json } = await governed.owner('GET', `/v1/actions/${done.json.action_id}`);
  assert.equal(json.status, 'ALLOWED');
});

test('a request that arrives too slowly is reported and cut off, before or after its headers', async () => {
  const cutOff = (bytes: string): Promise<{ readonly tookMs: number; readonly answer: string }> =>
    new Promise((resolve) => {
      const { port, hostname } = new URL(planes.controlUrl);
      const startedAt = performance.now();
      let answer = '';
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.setEncoding('utf8').on('data', (part) => {
        answer += part;
      });
      socket.on('close', () => resolve({ tookMs: performance.now() - startedAt, answer }));
    });
  const head = 'POST /v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n';
  for (const { tookMs, answer } of await Promise.all([cutOff(head), cutOff(`${head}\r\n{`)])) {
    assert.match(answer, /^HTTP\/1\.1 400 .*\r\n\r\n\{"error":\{"code":"INVALID_REQUEST"/s);
    assert.ok(tookMs < 90_000, `${tookMs} ms`);
  }
});

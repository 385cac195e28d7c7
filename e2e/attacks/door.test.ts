import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { mintToken, newAgent, SDK } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call } from '@svc/testing/people/client.ts';
import { openUnauthenticatedSocket, sendAskAsStranger } from '@svc/testing/people/stranger.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';
import { assertRefused } from '../bad-input/refusals.ts';

const ADDRESS_BUDGET = 150;
const ORGANIZATION_BUDGET = 100;
const KIB_BUDGET = 16_384;

let planes: Planes;
let governed: Governed;
let owner: pg.Client;
before(async () => {
  planes = await startPlanes({
    env: {
      SVC_RATE_ADDRESS_PER_MINUTE: String(ADDRESS_BUDGET),
      SVC_RATE_ORGANIZATION_PER_MINUTE: String(ORGANIZATION_BUDGET),
      SVC_RATE_ORGANIZATION_ACTIONS_PER_MINUTE: String(ORGANIZATION_BUDGET),
      SVC_RATE_ORGANIZATION_KIB_PER_MINUTE: String(KIB_BUDGET),
    },
  });
  governed = await newGoverned(planes);
  owner = await planes.database.client();
});
after(async () => {
  await owner?.end();
  await planes?.stop();
});

const LARGE_BYTES = 262_000;
const ofBytes = (bytes: number): string => JSON.stringify({ email: 'x'.repeat(bytes), password: 'x' });

describe('a body', () => {
  test('of an unauthenticated client is refused beyond 16 KiB before it is read, and of a known caller beyond 256 KiB', async () => {
    for (const [base, path] of [
      [planes.gatewayUrl, '/gateway/v1/token'],
      [planes.gatewayUrl, '/gateway/v1/handshake'],
      [planes.controlUrl, '/v1/auth/login'],
      [planes.controlUrl, '/v1/auth/signup'],
    ] as const) {
      const answer = await call(base, 'POST', path, { raw: ofBytes(17_000) });
      assertRefused(answer, 'INVALID_REQUEST', path);
      assert.match(answer.json.error.message, /larger than 16 KiB/);
    }
    const known = (bytes: number) => call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: governed.token, raw: ofBytes(bytes) });
    assert.match((await known(270_000)).json.error.message, /larger than 256 KiB/);
    assertRefused(await known(100_000), 'VALIDATION_FAILED', 'known');
  });

  test('with thousands of faults gets twenty of them in little time', async () => {
    const members = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`m${index}`, index]));
    const tookMs: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const startedAt = performance.now();
      const answer = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
        token: governed.token,
        body: { tool: 'pay', ...members },
      });
      tookMs.push(performance.now() - startedAt);
      assert.equal(answer.json.error.details.faults.length, 20);
    }
    // The fastest of several, since other load only adds time.
    assert.ok(Math.min(...tookMs) < 1_000, `${tookMs} ms`);
  });

  test('that is aborted leaves no error in the log and frees its slot', async () => {
    const head = `POST /gateway/v1/actions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${governed.token}\r\ncontent-type: application/json\r\n`;
    const breakOff = async (): Promise<void> => {
      const socket = openUnauthenticatedSocket(planes.gatewayUrl);
      await once(socket, 'connect');
      socket.write(`${head}content-length: 500\r\n\r\n{"tool":`);
      await sleep(100);
      socket.resetAndDestroy();
      await once(socket, 'close');
    };
    const before = planes.logs();
    await Promise.all(Array.from({ length: 20 }, breakOff));
    assert.equal((await governed.act({})).status, 200);
    assert.equal(planes.logs().slice(before.length), '');
  });
});

describe('a budget', () => {
  test('of an organization is shared by all its keys, regardless of their own, and delays no stop', async () => {
    const other = await newGoverned(planes);
    const { token, controlUrl, environment_id } = governed.tenant;
    const newKey = (name: string) =>
      newControlClient(controlUrl, token)
        .createApiKey({ body: { name, role_id: getBuiltInRole('admin').id } })
        .then((key) => key.token as string);
    const keys = await Promise.all(['a', 'b', 'c'].map(newKey));
    const statuses = await Promise.all(
      Array.from({ length: ORGANIZATION_BUDGET }, (_, index) => call(controlUrl, 'GET', '/v1/agents', { token: keys[index % 3] ?? '' })),
    );
    const refused = statuses.filter(({ status }) => status === 429);
    assert.ok(refused.length > 0 && refused.length < ORGANIZATION_BUDGET, String(refused.length));
    assert.equal(refused[0]?.headers.get('ratelimit-limit'), String(ORGANIZATION_BUDGET));
    assert.match(refused[0]?.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal((await governed.owner('GET', '/v1/agents')).status, 429);
    assert.equal((await governed.owner('POST', `/v1/environments/${environment_id}/pause`, { reason: 'test' })).status, 200);
    assert.equal((await other.owner('GET', '/v1/agents')).status, 200);
  });

  test('of an organization is shared by all its agents', async () => {
    const other = await newGoverned(planes);
    const second = await newAgent(other.tenant, { capabilities: ['pay'] });
    const token = await mintToken(planes.gatewayUrl, second);
    const acts = Array.from({ length: ORGANIZATION_BUDGET + 20 }, (_, index) => other.act({}, index % 2 ? { token } : {}));
    const answers = await Promise.all(acts);
    assert.equal(answers.filter(({ status }) => status === 429).length, 20);
    assert.equal((await other.act({}, { token })).json.error.code, 'RATE_LIMITED');
    assert.notEqual((await governed.act({})).status, 429);
  });

  test('of an organization covers bytes too, without delaying small requests, people or others', async () => {
    const [large, other] = await Promise.all([newGoverned(planes), newGoverned(planes)]);
    const send = ({ token }: Governed) =>
      call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token, raw: ofBytes(LARGE_BYTES) }).then(({ json }) => json.error);
    const fits = Math.floor(KIB_BUDGET / Math.ceil(ofBytes(LARGE_BYTES).length / 1024));
    const codes: string[] = [];
    for (let each = 0; each < fits; each += 1) codes.push((await send(large)).code);
    assert.deepEqual(new Set(codes), new Set(['VALIDATION_FAILED']));
    const { code, message } = await send(large);
    assert.equal(code, 'RATE_LIMITED');
    assert.match(message, /bodies larger than 4 KiB/);
    assert.equal((await large.act({})).status, 200);
    const tool = { name: 'large', description: 'x'.repeat(5_000), risk: 'LOW', parameters_schema: { type: 'object' } };
    assert.notEqual((await large.owner('POST', '/v1/tools', tool)).status, 429);
    assert.equal((await send(other)).code, 'VALIDATION_FAILED');
  });

  test('of an address is charged before an unauthenticated request is read, without delaying known callers or health checks', async () => {
    const body = JSON.stringify({ agent_id: governed.agent.id, assertion: 'a.b.c', sdk: SDK });
    const ask = () => sendAskAsStranger(`${planes.gatewayUrl}/gateway/v1/token`, 'POST', body);
    let answered = 0;
    while ((await ask()) === 401) answered += 1;
    assert.ok(answered > ADDRESS_BUDGET / 2 && answered <= ADDRESS_BUDGET, String(answered));
    assert.deepEqual(await Promise.all([ask(), ask()]), [429, 429]);
    const forged = { authorization: `Bearer ${governed.token.slice(0, -8)}AAAAAAAA` };
    assert.equal(await sendAskAsStranger(`${planes.gatewayUrl}/gateway/v1/approvals/apr_x`, 'GET', undefined, forged), 429);
    assert.equal(await sendAskAsStranger(`${planes.gatewayUrl}/openapi.json`, 'GET'), 429);
    assert.equal(await sendAskAsStranger(`${planes.gatewayUrl}/health/live`, 'GET'), 200);
    assert.notEqual((await governed.act({})).status, 429);
    assert.equal((await call(planes.gatewayUrl, 'GET', '/openapi.json')).status, 200);
  });
});

describe('the hash of a request', () => {
  const unkeyed = (body: unknown): Buffer => createHash('sha256').update(JSON.stringify(body)).digest();

  test('stored for an idempotency key reveals nothing of it, and one from before hashes were keyed still replays', async () => {
    const tenant = (await newGoverned(planes)).tenant;
    const create = (key: string, name: string) =>
      call(planes.controlUrl, 'POST', '/v1/workspaces', { token: tenant.token, body: { name }, headers: { 'idempotency-key': key } });
    const first = await create('one', 'Short');
    assert.equal(first.status, 201);
    const { rows } = await owner.query(`select request_hash from idempotency_keys where organization_id = $1 and key = 'one'`, [
      tenant.organization_id,
    ]);
    assert.ok(!rows[0].request_hash.equals(unkeyed({ name: 'Short' })));
    await owner.query(`update idempotency_keys set request_hash = $2 where organization_id = $1 and key = 'one'`, [
      tenant.organization_id,
      unkeyed({ name: 'Short' }),
    ]);
    assert.deepEqual((await create('one', 'Short')).json, first.json);
    assertRefused(await create('one', 'Other'), 'IDEMPOTENCY_KEY_REUSED', 'another body');
  });

  test('of an action and of an approved request is stored that way too', async () => {
    const rules = [{ id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'A person decides.' }];
    const held = await newGoverned(planes, { rules });
    const body = { tool: 'pay', parameters: { pin: '1234' } };
    const first = await held.act(body, { key: 'one' });
    assert.equal(first.json.error.code, 'APPROVAL_REQUIRED');
    const find = async () =>
      (
        await owner.query(
          `select a.idempotency_hash, p.request_hash, p.id from actions a join approvals p on p.action_id = a.id where a.organization_id = $1`,
          [held.tenant.organization_id],
        )
      ).rows[0];
    const kept = await find();
    assert.ok(!kept.idempotency_hash.equals(unkeyed(body)));
    await owner.query('update actions set idempotency_hash = $2 where organization_id = $1', [held.tenant.organization_id, unkeyed(body)]);
    const again = await held.act(body, { key: 'one' });
    assert.equal(again.json.error.details.approval_id, first.json.error.details.approval_id);
    assertRefused(await held.act({ ...body, parameters: { pin: '1235' } }, { key: 'one' }), 'IDEMPOTENCY_KEY_REUSED', 'another pin');
    const bound = { agent: held.agent.id, amount: null, currency: null, delegation: null, destination: null };
    const canonical = JSON.stringify({ ...bound, parameters: body.parameters, tool: held.tool.id });
    const plain = createHash('sha256').update(canonical).digest();
    assert.ok(!kept.request_hash.equals(plain));
    await owner.query('update approvals set request_hash = $2 where organization_id = $1', [held.tenant.organization_id, plain]);
    assert.equal((await held.owner('POST', `/v1/approvals/${kept.id}/approve`, {})).status, 200);
    assert.equal((await held.act({ ...body, approval_id: kept.id })).status, 200, 'an approval from before is used up');
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newKeyPair } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

const PARALLEL = 12;
const ROUNDS = countRepetitions({ short: 3, long: 8 });

let planes: Planes;
let db: pg.Client;
before(async () => {
  planes = await leasePlanes();
  db = await planes.database.client();
});
after(async () => {
  await db.end();
  await planes.stop();
});

const atOnce = (ask: (n: number) => Promise<TestResponse>): Promise<TestResponse[]> =>
  Promise.all(Array.from({ length: PARALLEL }, (_, n) => ask(n)));
const listCodes = (answers: readonly TestResponse[]): Record<string, number> => {
  const counted: Record<string, number> = {};
  for (const { status, json } of answers) {
    const code = json?.error?.code ?? String(status);
    counted[code] = (counted[code] ?? 0) + 1;
  }
  return counted;
};

type Event = { readonly type: string; readonly data: { before: Record<string, unknown>; after: Record<string, unknown> } };
const readEvents = async (subjectId: string, like: string): Promise<Event[]> =>
  (
    await db.query(
      "select type, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 and type like $2 order by id",
      [subjectId, like],
    )
  ).rows;

describe('concurrent changes', () => {
  test('pause once and resume once, and each is recorded once', async () => {
    const governed = await newGoverned(planes);
    const { environment_id } = governed.tenant;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const operation of ['pause', 'resume']) {
        const answers = await atOnce(() => governed.owner('POST', `/v1/environments/${environment_id}/${operation}`, { reason: 'x' }));
        assert.deepEqual(listCodes(answers), { 200: 1, INVALID_STATE_TRANSITION: PARALLEL - 1 });
      }
    }
    const events = await readEvents(environment_id, 'environment.%ed');
    const steps = events.map(({ type }) => type).filter((type) => type !== 'environment.created');
    assert.deepEqual(steps, Array.from({ length: ROUNDS }, () => ['environment.paused', 'environment.resumed']).flat());
  });

  test('of the mode each start from the previous one, and the last recorded one is active', async () => {
    const governed = await newGoverned(planes);
    const { environment_id, token } = governed.tenant;
    const modes = ['OBSERVE', 'SIMULATE', 'ENFORCE'];
    for (let round = 0; round < ROUNDS; round += 1) {
      const body = (n: number) => ({ mode: modes[(n + round) % 3], reason: 'x' });
      const answers = await atOnce((n) => governed.owner('POST', `/v1/environments/${environment_id}/gateway-mode`, body(n)));
      assert.deepEqual(listCodes(answers), { 200: PARALLEL });
    }
    const events = await readEvents(environment_id, 'environment.mode_changed');
    assert.ok(events.length > ROUNDS);
    let mode = 'ENFORCE';
    for (const { data } of events) {
      assert.equal(data.before.mode, mode);
      assert.notEqual(data.after.mode, mode);
      mode = String(data.after.mode);
    }
    const all: TestResponse = await call(planes.controlUrl, 'GET', '/v1/environments', { token });
    assert.equal(all.json.find((each: { id: string }) => each.id === environment_id).mode, mode);
    const decided = await governed.act({}, { gateway: 1 });
    assert.equal(decided.json.mode, mode);
  });

  test('of an agent end with the revocation', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const governed: Governed = await newGoverned(planes);
      const { id } = governed.agent;
      const operations = ['pause', 'resume', 'suspend', 'revoke', 'rotate-credentials', 'resume'];
      const bodies: Record<string, object> = { 'rotate-credentials': { public_key: newKeyPair().publicKey } };
      const answers = await atOnce((n) => {
        const operation = operations[n % operations.length] ?? '';
        return governed.owner('POST', `/v1/agents/${id}/${operation}`, bodies[operation] ?? { reason: 'x' });
      });
      assert.ok(
        answers.every((answer) => answer.status < 500),
        JSON.stringify(listCodes(answers)),
      );
      const agent = await governed.owner('GET', `/v1/agents/${id}`);
      assert.equal(agent.json.status, 'REVOKED');
      const { rows } = await db.query('select count(*)::int as n from agent_keys where agent_id = $1 and retired_at is null', [id]);
      assert.equal(rows[0].n, 0, 'no key of it is in use');
      for (const gateway of [0, 1]) assert.equal((await governed.act({}, { gateway })).json.error.code, 'AGENT_IDENTITY_REVOKED');
    }
  });

  test('by rotation each create a generation, and only one key is active', async () => {
    const governed = await newGoverned(planes);
    const { id } = governed.agent;
    const answers = await atOnce(() =>
      governed.owner('POST', `/v1/agents/${id}/rotate-credentials`, { public_key: newKeyPair().publicKey }),
    );
    assert.deepEqual(listCodes(answers), { 200: PARALLEL });
    const generations = answers.map(({ json }) => json.data.agent.key_generation).sort((a, b) => a - b);
    assert.deepEqual(
      generations,
      Array.from({ length: PARALLEL }, (_, n) => n + 2),
    );
    const { rows } = await db.query('select generation from agent_keys where agent_id = $1 and retired_at is null', [id]);
    assert.deepEqual(rows, [{ generation: PARALLEL + 1 }]);
  });

  test('of an action leave one outcome, and a vote for and one against leave one decision', async () => {
    const governed = await newGoverned(planes, { rules: [{ id: 'hold', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
    for (let round = 0; round < ROUNDS; round += 1) {
      const held = await governed.act({ parameters: { round } });
      const {
        approval_id,
        decision: { action_id },
      } = held.json.error.details;
      const votes = await Promise.all([
        governed.owner('POST', `/v1/approvals/${approval_id}/approve`, {}),
        governed.owner('POST', `/v1/approvals/${approval_id}/deny`, { reason: 'x' }),
      ]);
      assert.equal(votes.filter((vote) => vote.status === 200).length, 1);
      const approved = votes[0]?.status === 200;
      const used = await governed.act({ parameters: { round }, approval_id }, { gateway: 1 });
      assert.equal(used.status === 200, approved, used.text);
      if (!approved) continue;
      const answers = await atOnce((n) =>
        call(planes.gatewayUrls[n % 2] ?? '', 'POST', `/gateway/v1/actions/${action_id}/outcome`, {
          token: governed.token,
          body: { status: n % 2 === 0 ? 'COMPLETED' : 'FAILED' },
        }),
      );
      assert.deepEqual(listCodes(answers), { 200: 1, INVALID_STATE_TRANSITION: PARALLEL - 1 });
    }
  });
});

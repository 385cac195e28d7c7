import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

const ROUNDS = countRepetitions({ short: 5, long: 100 });
const PARALLEL = 32;

let planes: Planes;
before(async () => {
  planes = await startPlanes({ gateways: 2, env: { SVC_GATEWAY_URL: 'http://gateway.test' } });
});
after(() => planes.stop());

const many = <Value>(make: (n: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: PARALLEL }, (_, n) => make(n)));
const codes = (answers: readonly TestResponse[]): Record<string, number> => {
  const counted: Record<string, number> = {};
  for (const { status, json } of answers) {
    const code = json?.error?.code ?? String(status);
    counted[code] = (counted[code] ?? 0) + 1;
  }
  return counted;
};

describe('exactly one wins', () => {
  test(`of ${PARALLEL} parallel replays of one assertion over two gateways, ${ROUNDS} rounds`, async () => {
    const governed = await newGoverned(planes);
    const audience = await readAudience(planes.gatewayUrl);
    for (let round = 0; round < ROUNDS; round += 1) {
      const body = { agent_id: governed.agent.id, assertion: signAssertion(governed.agent, audience), sdk: SDK };
      const answers = await many((n) => call(planes.gatewayUrls[n % 2] as string, 'POST', '/gateway/v1/token', { body }));
      assert.deepEqual(codes(answers), { 200: 1, NONCE_REPLAYED: PARALLEL - 1 }, `round ${round}`);
    }
  });

  test(`of ${PARALLEL} parallel uses of one approval over two gateways, ${ROUNDS} rounds`, async () => {
    const governed = await newGoverned(planes, { rules: [{ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
    for (let round = 0; round < ROUNDS; round += 1) {
      const request = { parameters: { round } };
      const held = await governed.act(request);
      assert.equal(held.json.error.code, 'APPROVAL_REQUIRED', held.text);
      const {
        approval_id,
        decision: { action_id },
      } = held.json.error.details;
      assert.equal((await governed.owner('POST', `/v1/approvals/${approval_id}/approve`, {})).status, 200);
      const answers = await many((n) => governed.act({ ...request, approval_id }, { gateway: n % 2 }));
      assert.deepEqual(codes(answers), { 200: 1, APPROVAL_NOT_GRANTED: PARALLEL - 1 }, `round ${round}`);
      assert.equal(answers.find((answer) => answer.status === 200)?.json.action_id, action_id);
    }
  });

  test(`of ${PARALLEL} parallel requests with one idempotency key over two gateways, ${ROUNDS} rounds`, async () => {
    const governed = await newGoverned(planes);
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await many((n) => governed.act({ parameters: { round } }, { key: `round-${round}`, gateway: n % 2 }));
      assert.deepEqual(codes(answers), { 200: PARALLEL }, `round ${round}`);
      assert.equal(new Set(answers.map((answer) => answer.json.action_id)).size, 1, `round ${round}`);
    }
    const owner = await planes.database.client();
    const { rows } = await owner.query<{ n: number }>('select count(*)::int as n from actions where agent_id = $1', [governed.agent.id]);
    await owner.end();
    assert.equal(rows[0]?.n, ROUNDS);
  });

  test('a key with another body is refused, and a key belongs to one agent', async () => {
    const governed = await newGoverned(planes);
    const first = await governed.act({ parameters: { a: 1 } }, { key: 'k' });
    assert.equal(first.status, 200);
    assert.equal((await governed.act({ parameters: { a: 2 } }, { key: 'k' })).json.error.code, 'IDEMPOTENCY_KEY_REUSED');
    const other = await newGoverned(planes);
    const theirs = await other.act({ parameters: { a: 1 } }, { key: 'k' });
    assert.equal(theirs.status, 200);
    assert.notEqual(theirs.json.action_id, first.json.action_id);
  });

  test('a resubmission that is repeated with its key gets its first response again', async () => {
    const governed = await newGoverned(planes, { rules: [{ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
    const held = await governed.act({}, { key: 'first' });
    const again = await governed.act({}, { key: 'first' });
    assert.equal(again.json.error.details.approval_id, held.json.error.details.approval_id);
    const { approval_id } = held.json.error.details;
    await governed.owner('POST', `/v1/approvals/${approval_id}/approve`, {});
    const answers = await many((n) => governed.act({ approval_id }, { key: 'second', gateway: n % 2 }));
    assert.deepEqual(codes(answers), { 200: PARALLEL });
    assert.equal((await governed.act({ approval_id, parameters: { x: 1 } }, { key: 'second' })).json.error.code, 'IDEMPOTENCY_KEY_REUSED');
    assert.equal((await governed.act({ approval_id }, { key: 'third' })).json.error.code, 'APPROVAL_NOT_GRANTED');
  });
});

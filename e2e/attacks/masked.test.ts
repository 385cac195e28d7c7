import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

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

const SECRET = 'kept-from-everybody-4711';

const MASKING = [
  { id: 'fine', effect: 'ALLOW', reason: 'Fine.' },
  { id: 'hide', effect: 'MASK', reason: 'Hidden.', mask: { parameters: ['pin', 'deep.list.pin'], result: ['pin'] } },
  { id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'A person decides.', when: { field: 'parameters.hold', op: 'is_true' } },
  { id: 'stop', effect: 'BLOCK', reason: 'No.', when: { field: 'parameters.pin', op: 'ends_with', value: '4712' } },
];
const TESTS = [{ name: 'masked', given: {}, then: { effect: 'MASK' } }];

/** Asserts that the secret is not in the database and not in the output of the planes. */
const assertNowhere = async (secret: string): Promise<void> => {
  const { rows } = await db.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'");
  for (const { name } of rows) {
    const found = await db.query(`select t::text as row from ${name} t where position($1 in t::text) > 0`, [secret]);
    assert.deepEqual(found.rows, [], name);
  }
  assert.ok(!planes.logs().includes(secret));
};

test('masked values are not stored, for any result and any number of requests', async () => {
  const governed = await newGoverned(planes, { rules: MASKING, tests: TESTS });
  const parameters = { pin: SECRET, deep: { list: [{ pin: SECRET }, [{ pin: SECRET }]] } };
  const bodies: object[] = [
    { parameters },
    { parameters: { ...parameters, pin: `${SECRET}4712` } },
    { parameters: { ...parameters, hold: true } },
    { parameters, delegation_id: 'del_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
    { parameters, approval_id: 'apr_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
    { parameters, tool: 'none.such' },
    { parameters, amount: 1, currency: 'ZZZ' },
    { parameters, dry_run: true },
  ];
  for (const body of bodies)
    for (const key of ['one', 'one', undefined]) await governed.act(body, key ? { key: `${key}-${bodies.indexOf(body)}` } : {});
  const ask = { agent_id: governed.agent.id, tool: 'pay', parameters };
  for (const path of ['/v1/policies/simulate', '/v1/actions/evaluate']) await governed.owner('POST', path, ask);
  const { json } = await governed.act({ parameters });
  const report = { status: 'COMPLETED', result: { pin: SECRET }, error: SECRET };
  await governed.owner('GET', `/v1/actions/${json.action_id}`);
  const { token } = governed;
  await fetch(`${planes.gatewayUrl}/gateway/v1/actions/${json.action_id}/outcome`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(report),
  });
  await assertNowhere(SECRET);
});

test('a short masked value is not revealed by the hash on the card of the approval', async () => {
  const governed = await newGoverned(planes, { rules: MASKING, tests: TESTS });
  const held = await governed.act({ parameters: { pin: '4711', hold: true } });
  const card = await governed.owner('GET', `/v1/approvals/${held.json.error.details.approval_id}`);
  assert.deepEqual(card.json.parameters, { pin: '[masked]', hold: true });
  const [listed] = (await governed.owner('GET', '/v1/approvals')).json;
  assert.deepEqual(JSON.parse(listed.parameters_excerpt), { pin: '[masked]', hold: true });
  const guessed = Array.from({ length: 10_000 }, (_, n) => `${n}`.padStart(4, '0')).filter((pin) => {
    // The text of an approval's binding in RFC 8785 form.
    const bound = `{"agent":"${governed.agent.id}","amount":null,"currency":null,"delegation":null,"destination":null,"parameters":{"hold":true,"pin":"${pin}"},"tool":"${governed.tool.id}"}`;
    return createHash('sha256').update(bound).digest('hex') === card.json.request_hash;
  });
  assert.deepEqual(guessed, []);
});

test('only host and port of an address are stored, also if the request is refused before evaluation', async () => {
  const governed = await newGoverned(planes);
  for (const destination of [`https://api.example.com/x?key=${SECRET}`, `https://me:${SECRET}@api.example.com`]) {
    const refused = await governed.act({ tool: 'none.such', destination });
    assert.equal(refused.json.error.code, 'NOT_FOUND');
    const { json } = await governed.owner('GET', `/v1/actions/${refused.json.error.details.decision.action_id}`);
    assert.equal(json.destination, destination.includes('@') ? null : 'api.example.com:443');
  }
  await assertNowhere(SECRET);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newDelegating } from '@svc/testing/agents/delegating.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
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

const count = async (text: string): Promise<number> => (await db.query(text)).rows[0].n;
const deadlocks = () => count('select deadlocks::int as n from pg_stat_database where datname = current_database()');
const waiting = () =>
  count("select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");

/** Changes of a suspended agent, and the delegations and approvals that are affected. */
const CHANGES = {
  resume: (agent: string) => ['POST', `/v1/agents/${agent}/resume`, { reason: 'looked at' }],
  'resume in bulk': (agent: string) => ['POST', '/v1/agents/bulk', { operation: 'resume', agent_ids: [agent], reason: 'looked at' }],
  decommission: (agent: string) => ['POST', `/v1/agents/${agent}/decommission`, { reason: 'over' }],
  revoke: (agent: string) => ['POST', `/v1/agents/${agent}/revoke`, { reason: 'over' }],
} as const satisfies Record<string, (agent: string) => readonly [string, string, object]>;
const NAMES = Object.keys(CHANGES) as (keyof typeof CHANGES)[];

/** Creates suspended agents; for each, a person who delegated to it and gave it unused approvals. */
const newScene = async (agents: number, approvals: number) => {
  const { owner, tenant, ...scene } = await newDelegating(planes, agents);
  const pairs: { readonly agent: string; readonly member: string }[] = [];
  for (const { id: agent } of scene.agents) {
    const person = await insertPerson(db, tenant.organization_id, 'developer', { steppedUp: true });
    const body = { delegate_agent_id: agent };
    const made = await call(planes.controlUrl, 'POST', '/v1/delegations', { token: person.token, body });
    assert.equal(made.status, 201, made.text);
    assert.equal((await owner('POST', `/v1/agents/${agent}/suspend`, { reason: 'odd' })).status, 200);
    for (let n = 0; n < approvals; n += 1)
      await insertHeldAction(db, tenant, { status: 'APPROVED', approved_by: [person.id] }, { agent_id: agent, status: 'APPROVED' });
    const { rows } = await db.query('select id from members where user_id = $1', [person.id]);
    pairs.push({ agent, member: `/v1/members/${rows[0].id}` });
  }
  return { owner, pairs };
};

const isDone = ({ status, json, text }: TestResponse): void => {
  assert.equal(status, 200, text);
  if (json.counts) assert.equal(json.counts.changed, 1, text);
};

test('changing an agent with requests does not deadlock with removing a person who approved them', async () => {
  const { owner, pairs } = await newScene(NAMES.length, 1);
  const before = await deadlocks();
  for (const [index, name] of NAMES.entries()) {
    const { agent, member } = pairs[index] as (typeof pairs)[number];
    const holder = await planes.database.client();
    await holder.query('begin');
    await holder.query('select from approvals where agent_id = $1 for update', [agent]);
    const removed = owner('DELETE', member);
    await waitUntil('the removal waits', async () => (await waiting()) === 1);
    const changed = owner(...CHANGES[name](agent));
    await waitUntil(`${name} waits`, async () => (await waiting()) === 2);
    await holder.query('commit');
    await holder.end();
    isDone(await removed);
    isDone(await changed);
  }
  assert.equal(await deadlocks(), before);
});

test('concurrent removals and agent changes do not deadlock', async () => {
  const { owner, pairs } = await newScene(16, 8);
  const before = await deadlocks();
  const answers = await Promise.all(
    pairs.flatMap(({ agent, member }, index) => [owner('DELETE', member), owner(...CHANGES[NAMES[index % 3] as 'resume'](agent))]),
  );
  answers.forEach(isDone);
  assert.equal(await deadlocks(), before);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DeliveryAttempt } from '@svc/contract/events/deliveries.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { type ClaimedDelivery, claimDeliveries } from '@svc/postgres/events/webhooks/claim-deliveries.ts';
import { takeReceivers } from '@svc/postgres/events/webhooks/lease-receivers.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { insertOrganization, insertWebhook } from '@svc/testing/events/insert-webhook.ts';
import type pg from 'pg';
import { pino } from 'pino';
import { type FinishedDelivery, settleEnded } from './settle-ended.ts';

const WORKER = 'w';
const REFUSED = 'half of a character: \ud83d';
const WHOLE = 'out of order';

let database: FreshDatabase;
let owner: pg.Client;
let pools: Record<'reader' | 'database', Database>;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  const as = (role: DatabaseRole) => connect({ url: database.url, role, ...testLogin(role), connectionsMax: 1, timeoutMs: 20_000 });
  pools = { reader: as('svc_reader'), database: as('svc_app') };
});
after(async () => {
  await Promise.all([...Object.values(pools).map((pool) => pool.destroy()), owner.end()]);
  await database.drop();
});

/** Creates running deliveries, each of a receiver and an organization of its own. */
const underWay = async (count: number): Promise<ClaimedDelivery[]> => {
  for (let n = 0; n < count; n += 1) {
    const { organizationId, userId } = await insertOrganization(owner);
    const { id } = await insertWebhook(owner, { organizationId, userId, url: 'https://hooks.example.com/' });
    await owner.query(
      `insert into webhook_deliveries (organization_id, id, subscription_id, event_id, event_type, subject_id, due_at)
       values ($1, 'dlv_' || $2, $2, 'evt_1', 'agent.created', 'agt_1', now())`,
      [organizationId, id],
    );
  }
  const taken = await takeReceivers(pools.reader, WORKER, count);
  return claimDeliveries(pools.reader, WORKER, new Map(taken.map(({ id }) => [id, { room: 1, inFlight: 0 }])));
};

const ended = (delivery: ClaimedDelivery, more: Partial<DeliveryAttempt>): FinishedDelivery => {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    delivery,
    attempt: { attempt: delivery.attempt, at, duration_ms: 1, response_status: 500, reason: null, excerpt: WHOLE, ...more },
    asked: null,
  };
};
const toldOf = async (deliveries: readonly ClaimedDelivery[]) => {
  const { rows } = await owner.query<{ id: string; state: string; tries: DeliveryAttempt[] }>(
    'select id, state, tries from webhook_deliveries where id = any ($1)',
    [deliveries.map(({ id }) => id)],
  );
  return deliveries.map(({ id }) => {
    const row = rows.find((each) => each.id === id);
    return [row?.state, row?.tries.at(-1)?.excerpt];
  });
};

test('a response that the database cannot store does not prevent recording others, and is omitted', async () => {
  const deliveries = await underWay(7);
  const bad = 3;
  await settleEnded(
    { ...pools, clock: () => new Date(), log: pino({ level: 'silent' }) },
    deliveries.map((each, n) => ended(each, { excerpt: n === bad ? REFUSED : WHOLE })),
  );
  assert.deepEqual(
    await toldOf(deliveries),
    deliveries.map((_, n) => ['DELIVERED', n === bad ? null : WHOLE]),
  );
});

test('final failures do not delay others either, and are recorded in the audit logs of their organizations', async () => {
  const deliveries = (await underWay(3)).map((each) => ({ ...each, failures: LIMITS.webhooks.retryDelaysSeconds.length }));
  await settleEnded(
    { ...pools, clock: () => new Date(), log: pino({ level: 'silent' }) },
    deliveries.map((each, n) => ended(each, { reason: 'It failed.', excerpt: n === 0 ? REFUSED : WHOLE })),
  );
  assert.deepEqual(
    await toldOf(deliveries),
    deliveries.map((_, n) => ['FAILED', n === 0 ? null : WHOLE]),
  );
  const { rows } = await owner.query("select organization_id from audit_events where type = 'webhook.delivery_failed'");
  assert.equal(new Set(rows.map(({ organization_id }) => organization_id)).size, 3);
});

test('an organization in which nothing can be recorded is reported in the log, and the others continue', async () => {
  const deliveries = (await underWay(3)).map((each) => ({ ...each, failures: LIMITS.webhooks.retryDelaysSeconds.length }));
  const [first] = deliveries;
  const lines: string[] = [];
  await owner.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not here' using errcode = 'P0001'; end $$;
     create trigger refuse before insert on audit_events for each row when (new.organization_id = '${first?.organization_id}') execute function refuse()`,
  );
  await settleEnded(
    { ...pools, clock: () => new Date(), log: pino({ level: 'error' }, { write: (line) => void lines.push(line) }) },
    deliveries.map((each) => ended(each, { reason: 'It failed.' })),
  );
  assert.deepEqual(
    (await toldOf(deliveries)).map(([state]) => state),
    ['WAITING', 'FAILED', 'FAILED'],
  );
  assert.equal(lines.filter((line) => line.includes(String(first?.organization_id))).length, 1);
});

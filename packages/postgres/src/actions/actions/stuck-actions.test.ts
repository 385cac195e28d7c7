import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { insertOrganization } from '@svc/testing/events/insert-webhook.ts';
import { insertAction } from '@svc/testing/records/insert-action.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { sql } from 'kysely';
import { connect } from '../../connection/connect.ts';
import { findOrganizationsWithStuckActions } from './stuck-actions.ts';

const CLOSED = 5_000;

test('walks past closed entries once, and not again at each look-up', async (t) => {
  const fresh = await createFreshDatabase();
  const owner = await fresh.client();
  const identity = connect({ url: fresh.url, role: 'svc_identity', ...testLogin('svc_identity'), connectionsMax: 1, timeoutMs: 20_000 });
  t.after(async () => {
    await Promise.all([identity.destroy(), owner.end()]);
    await fresh.drop();
  });
  const [busy, left] = [await insertOrganization(owner), await insertOrganization(owner)];
  const place = ({ organizationId }: { organizationId: string }) => ({
    ...{ organization_id: organizationId, workspace_id: 'wsp_1', environment_id: 'env_1' },
  });
  const held = { status: 'EXECUTING', held_until: new Date(Date.now() - 60_000) };
  const first = await insertAction(owner, place(busy), held);
  await owner.query(`create temp table more as select * from actions where id = $1`, [first]);
  await owner.query(
    `insert into actions select (jsonb_populate_record(a, jsonb_build_object('id', a.id || n))).* from more, actions a, generate_series(1, ${CLOSED - 1}) n where a.id = more.id`,
  );
  await owner.query("update actions set status = 'COMPLETED', completed_at = now()");
  await insertAction(owner, place(left), held);
  let readBefore = 0;
  const look = async () => {
    const found = await findOrganizationsWithStuckActions(identity);
    await sql`select pg_stat_force_next_flush()`.execute(identity);
    const { rows } = await sql<{ read: number }>`select pg_stat_get_tuples_returned('actions_held'::regclass)::int as read`.execute(
      identity,
    );
    const readByNow = rows[0]?.read ?? 0;
    const read = readByNow - readBefore;
    readBefore = readByNow;
    return { found, read };
  };
  const once = await look();
  assert.deepEqual([once.found, once.read > CLOSED], [[left.organizationId], true]);
  // An older snapshot may still need what was closed, that of a vacuum perhaps.
  await waitUntil('closed actions are passed over', async () => {
    const again = await look();
    assert.deepEqual(again.found, [left.organizationId]);
    return again.read < 100;
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { insertOrganization } from '@svc/testing/events/insert-webhook.ts';
import { sql } from 'kysely';
import { connect } from '../../connection/connect.ts';
import { readChunksToSum } from './sum-up.ts';

const EVENTS = 60_000;

test('reads a range event by event, even if the planner has statistics of one table only', async (t) => {
  const fresh = await createFreshDatabase();
  const owner = await fresh.client();
  const reader = connect({ url: fresh.url, role: 'svc_reader', ...testLogin('svc_reader'), connectionsMax: 1, timeoutMs: 20_000 });
  t.after(async () => {
    await Promise.all([reader.destroy(), owner.end()]);
    await fresh.drop();
  });
  const { organizationId } = await insertOrganization(owner);
  await owner.query('analyze audit_events');
  await owner.query(
    `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
     select $1, 'evt_01JXRT7K00' || lpad(n::text, 16, '0'), 'action.allowed', now(), 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', 't', '{}'
       from generate_series(1, $2::int) n`,
    [organizationId, EVENTS],
  );
  await owner.query(
    `insert into audit_leaves (organization_id, leaf_index, event_id, leaf_hash)
     select organization_id, row_number() over (order by id) - 1, id, '\\x00' from audit_events`,
  );
  await owner.query('analyze audit_leaves');
  const read = await reader.transaction().execute(async (tx) => {
    const chunks = await readChunksToSum(tx, { organization_id: organizationId, leaves: 8_192 });
    const { rows } = await sql<{ walks: number; looks: number }>`
      select sum(seq_scan)::int as walks, sum(idx_scan)::int as looks from pg_stat_xact_all_tables where relname like 'audit\\_events\\_%'`.execute(
      tx,
    );
    return { events: chunks.flatMap(({ events }) => events).length, ...rows[0] };
  });
  assert.deepEqual(read, { events: 512, walks: 0, looks: 512 });
});

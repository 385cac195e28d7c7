import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ALL_EVENT_TYPES } from '@svc/contract/tables/events.ts';
import { SOURCE_TYPES } from '@svc/domain/events/notifications/sources.ts';
import { beginFeed, stepFeed } from '@svc/postgres/audit/feed-positions.ts';
import { readFeed } from '@svc/postgres/audit/read-feed.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import { noticeEvents } from './notice-events.ts';

let fresh: FreshDatabase;
let owner: pg.Client;
let reader: Database;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  reader = connect({ url: fresh.url, role: 'svc_reader', ...testLogin('svc_reader'), connectionsMax: 1, timeoutMs: 20_000 });
});
after(async () => {
  await Promise.all([owner.end(), reader.destroy()]);
  await fresh.drop();
});

let written = 0;
const write = async (type: string, data: object = {}, subject = 'apr_1'): Promise<string> => {
  written += 1;
  const id = `evt_${String(written).padStart(26, '0')}`;
  await owner.query(
    `insert into audit_events (organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, subject_type, subject_id,
       severity, request_id, trace_id, data)
     values ('org_1', $1, $2, now(), 'wsp_1', 'env_1', 'AGENT', 'agt_1', 'approval', $3, 'info', 'req_1', 't', $4)`,
    [id, type, subject, JSON.stringify(data)],
  );
  return id;
};
const takeAll = async (): Promise<void> => {
  const last = await write('approval.requested', {}, 'apr_last');
  await waitUntil('they are taken', async () => {
    await stepFeed(reader, { consumer: 'notices', read: readFeed, interest: noticeEvents.interest, take: noticeEvents.take });
    return (await owner.query('select from notices where event_id = $1', [last])).rowCount === 1;
  });
};

test('records each notifiable event once with its scope and nothing else, and no notification about a notification', async () => {
  assert.ok(SOURCE_TYPES.every((type) => ALL_EVENT_TYPES.includes(type) && type !== ('notification.created' as string)));
  await beginFeed(reader, 'notices', 'first');
  const asked = await write('approval.requested');
  for (const type of ['notification.created', 'action.allowed', 'approval.approved']) await write(type);
  await write('agent.suspended', { reason: 'by hand' });
  const stopped = await write('agent.suspended', { break_glass: true });
  await write('webhook.subscription_updated', { change: 'disabled', reason: 'BY_HAND' });
  const disabled = await write('webhook.subscription_updated', { change: 'disabled', reason: 'FAILING' });
  const failed = await write('webhook.delivery_failed', {}, 'whs_1');
  await write('webhook.delivery_failed', {}, 'whs_1');
  await takeAll();
  const { rows } = await owner.query(
    "select kind, event_id, subject_id, workspace_id, environment_id from notices where subject_id <> 'apr_last' order by event_id",
  );
  assert.deepEqual(
    rows.map(({ kind, event_id }) => [kind, event_id]),
    [
      ['approval_waiting', asked],
      ['emergency', stopped],
      ['webhook_failing', disabled],
      ['webhook_failing', failed],
    ],
  );
  assert.deepEqual(rows[0], { ...rows[0], subject_id: 'apr_1', workspace_id: 'wsp_1', environment_id: 'env_1' });
});

test('a restored backup that repeats an event notifies no one again', async () => {
  const before = (await owner.query('select from notices')).rowCount ?? 0;
  await owner.query("update notices set done_at = now(); update feed_positions set transaction_id = '0', id = ''");
  await takeAll();
  assert.equal((await owner.query('select from notices')).rowCount, before + 1);
  assert.equal((await owner.query('select from notices where done_at is null')).rowCount, 1);
});

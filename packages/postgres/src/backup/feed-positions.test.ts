import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectAsOwner, createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_AUTHENTICATOR, TEST_INSTALLATION, testLogin } from '@svc/testing/database/master-key.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import { beginFeed, stepFeed } from '../audit/feed-positions.ts';
import { readFeed } from '../audit/read-feed.ts';
import { connect, type Database } from '../connection/connect.ts';
import { loadBackup } from './load-backup.ts';
import { openBackup } from './read-backup.ts';

let first: FreshDatabase;
let owner: pg.Client;
const restored = `restored_${process.pid}`;
before(async () => {
  first = await createFreshDatabase();
  owner = await first.client();
});
after(async () => {
  await owner.query(`drop database if exists ${restored} with (force)`);
  await owner.end();
  await first.drop();
});

const getUrl = (name: string): string => {
  const url = new URL(first.url.replace('@/', '@placeholder/'));
  url.pathname = `/${name}`;
  return url.href.replace('@placeholder/', '@/');
};

const getReader = (url: string): Database =>
  connect({ url, role: 'svc_reader', ...testLogin('svc_reader'), connectionsMax: 1, timeoutMs: 20_000 });

const write = (client: pg.Client, id: string) =>
  client.query(
    `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
     values ('org_1', $1, 'action.allowed', now(), 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', 't', '{}')`,
    [id],
  );

const takeAll = async (reader: Database, consumer: string, count: number): Promise<string[]> => {
  const ids: string[] = [];
  await waitUntil(`${count} events are taken by ${consumer}`, async () => {
    await stepFeed(reader, { consumer, read: readFeed, take: async (_, events) => void ids.push(...events.map(({ event }) => event.id)) });
    return ids.length >= count;
  });
  return ids;
};

test('gives each consumer of a restored backup its unhandled events, and no handled ones except those out of id order', async () => {
  const reader = getReader(first.url);
  for (const consumer of ['up_to_date', 'behind', 'never']) await beginFeed(reader, consumer, 'first');
  for (const id of ['evt_010', 'evt_020', 'evt_050']) await write(owner, id);
  await takeAll(reader, 'up_to_date', 3);
  await takeAll(reader, 'behind', 3);
  for (const id of ['evt_040', 'evt_060']) await write(owner, id);
  await takeAll(reader, 'up_to_date', 2);
  await reader.destroy();
  const backup = await openBackup(first.url);
  await owner.query(`create database ${restored}`);
  await loadBackup(getUrl(restored), TEST_INSTALLATION, backup.head, backup.parts, TEST_AUTHENTICATOR);
  await backup.close();
  const there = getReader(getUrl(restored));
  const client = await connectAsOwner(getUrl(restored));
  await write(client, 'evt_070');
  assert.deepEqual(await takeAll(there, 'up_to_date', 1), ['evt_070']);
  assert.deepEqual(await takeAll(there, 'behind', 4), ['evt_040', 'evt_050', 'evt_060', 'evt_070']);
  assert.deepEqual(await takeAll(there, 'never', 6), ['evt_010', 'evt_020', 'evt_040', 'evt_050', 'evt_060', 'evt_070']);
  await Promise.all([there.destroy(), client.end()]);
});

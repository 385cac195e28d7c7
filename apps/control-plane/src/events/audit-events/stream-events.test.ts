import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { getEventMac } from '@svc/testing/events/authenticate-events.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { type OpenedStream, openStream } from '@svc/testing/people/open-stream.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

let planes: Planes;
let tenant: Tenant;
let owner: pg.Client;
let open: OpenedStream[] = [];
before(async () => {
  planes = await leasePlanes();
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  owner = await planes.database.client();
});
afterEach(async () => {
  await Promise.all(open.map((each) => each.close()));
  open = [];
});
after(async () => {
  await owner.end();
  await planes.stop();
});

type Options = { readonly token?: string; readonly query?: string; readonly headers?: Record<string, string> };

const watch = async ({ token = tenant.token, query = '', headers = {} }: Options = {}): Promise<OpenedStream> => {
  const stream = await openStream(`${planes.controlUrl}/v1/events/stream${query}`, { authorization: `Bearer ${token}`, ...headers });
  open.push(stream);
  return stream;
};

const resume = (stream: OpenedStream, options: Options = {}): Promise<OpenedStream> =>
  watch({ ...options, headers: { ...options.headers, 'last-event-id': stream.lastId() ?? '' } });

const listIds = ({ events }: OpenedStream): string[] => events.map(({ data }) => data.id);
const arrived = (stream: OpenedStream, id: string): Promise<void> => waitUntil(`${id} to arrive`, () => listIds(stream).includes(id));
const toError = ({ text }: OpenedStream) => JSON.parse(text).error;

const readRole = async (name: string): Promise<string> =>
  (await mustCall(planes.controlUrl, 'GET', '/v1/roles', { token: tenant.token })).find((each: { name: string }) => each.name === name).id;

const COLUMNS =
  'organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data';

/** Inserts an event; returns its id. */
const write = async (overrides: Readonly<Record<string, unknown>> = {}, client = owner): Promise<string> => {
  const row: Record<string, unknown> = {
    ...{ organization_id: tenant.organization_id, id: `evt_${newUlid()}`, type: 'agent.paused', occurred_at: new Date() },
    ...{ workspace_id: tenant.workspace_id, environment_id: tenant.environment_id, actor_type: 'USER', actor_id: tenant.user.id },
    ...{ subject_type: 'agent', subject_id: 'agt_1', severity: 'info', request_id: 'req_1', trace_id: '0', data: '{}' },
    ...overrides,
  };
  const at = new Date(row.occurred_at as Date).toISOString();
  const mac = getEventMac({ ...(row as Parameters<typeof getEventMac>[0]), occurred_at: at, data: JSON.parse(String(row.data)) });
  const names = COLUMNS.split(', ');
  await client.query(
    `insert into audit_events (${COLUMNS}, mac) values (${names.map((_, n) => `$${n + 1}`).join()}, $${names.length + 1})`,
    [...names.map((name) => row[name]), mac],
  );
  return String(row.id);
};

test('streams an event as a search returns it, with an id that resumes the stream without gap or repeat', async () => {
  const first = await watch();
  assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'text/event-stream; charset=utf-8']);
  await newControlClient(planes.controlUrl, tenant.token).createWorkspace({ body: { name: 'Streamed' } });
  // Events of the tenant's creation may arrive late and are not under test.
  const made = () => first.events.find(({ data }) => data.type === 'workspace.created' && data.workspace_id !== tenant.workspace_id);
  await waitUntil('the event', () => made() !== undefined);
  const told = made();
  assert.equal(told?.name, undefined);
  const { text } = await call(planes.controlUrl, 'GET', `/v1/audit-events/${told?.data.id}`, { token: tenant.token });
  assert.deepEqual([told?.data, told?.data.type], [JSON.parse(text), 'workspace.created']);
  await first.close();
  const missed = [await write(), await write(), await write()];
  const second = await resume(first);
  const now = await write();
  await arrived(second, now);
  assert.deepEqual(listIds(second), [...missed, now]);
  const behind = await watch({ query: `?after=${missed[1]}` });
  await arrived(behind, now);
  assert.deepEqual(listIds(behind), [missed[2], now]);
});

test('a reconnect before any event misses nothing', async () => {
  const first = await watch();
  await waitUntil('an id', () => first.lastId() !== undefined);
  await first.close();
  const id = await write();
  const second = await resume(first);
  await arrived(second, id);
  assert.deepEqual(listIds(second), [id]);
});

test('with overlapping transactions and reconnects, every event arrives once in feed order', async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, () => planes.database.client()));
  const subject_id = `agt_${newUlid()}`;
  const written: string[] = [];
  const writer = async (client: pg.Client, n: number): Promise<void> => {
    for (let round = 0; round < 12; round += 1) {
      await client.query('begin');
      const ids: string[] = [];
      for (let index = 0; index <= (round + n) % 3; index += 1) {
        ids.push(await write({ subject_id }, client));
        await client.query('select pg_sleep($1)', [((round * 7 + n * 5) % 9) / 1_000]);
      }
      await client.query(round % 5 === 4 ? 'rollback' : 'commit');
      if (round % 5 !== 4) written.push(...ids);
    }
  };
  let isOver = false;
  let stream = await watch({ query: `?subject_id=${subject_id}` });
  const writing = Promise.all(clients.map(writer)).finally(() => {
    isOver = true;
  });
  const seen: string[] = [];
  await waitUntil('all of them', async () => {
    const last = stream;
    assert.deepEqual([last.status, last.text, last.isOver()], [200, '', false]);
    const isThere = seen.length + last.events.length >= written.length && isOver;
    if (last.events.length === 0 && !isThere) return false;
    await last.close();
    seen.push(...listIds(last));
    if (!isThere) stream = await resume(last, { query: `?subject_id=${subject_id}` });
    return isThere;
  });
  await writing;
  const { rows } = await owner.query('select id from audit_events where subject_id = $1 order by transaction_id, id', [subject_id]);
  assert.deepEqual(
    seen,
    rows.map(({ id }) => id),
  );
  assert.equal(seen.length, written.length);
  await Promise.all(clients.map((client) => client.end()));
});

test('a limited caller, or one with filters, is streamed what its search returns, live and afterwards', async () => {
  const body = { name: 'Elsewhere' };
  const other = await newControlClient(planes.controlUrl, tenant.token).createWorkspace({ body });
  const role_id = await readRole('auditor');
  const key = await newControlClient(planes.controlUrl, tenant.token).createApiKey({
    body: { name: 'Watcher', role_id, workspace_id: other.id },
  });
  const actor_id = `usr_${newUlid()}`;
  const views: Options[] = [
    { token: key.token },
    { headers: { 'x-svc-workspace': tenant.workspace_id } },
    { headers: { 'x-svc-environment': tenant.environment_id } },
    { query: '?type=agent.resumed' },
    { query: '?severity=critical' },
    { query: '?subject_id=agt_2' },
    {},
  ];
  const live = await Promise.all(views.map((view) => watch({ ...view, query: `${view.query ?? '?'}&actor_id=${actor_id}` })));
  const stranger = await newTenant(planes);
  const foreign = await watch({ token: stranger.token, query: `?actor_id=${actor_id}` });
  await waitUntil('an id', () => live[0]?.lastId() !== undefined);
  const begun = live[0]?.lastId() ?? '';
  for (const more of [
    {},
    { workspace_id: other.id, environment_id: null },
    { workspace_id: null, environment_id: null },
    { environment_id: null, type: 'agent.resumed' },
    { severity: 'critical', workspace_id: other.id, environment_id: null },
    { subject_id: 'agt_2' },
  ])
    await write({ actor_id, ...more });
  const last = await write({ actor_id, organization_id: stranger.organization_id, workspace_id: null, environment_id: null });
  await arrived(foreign, last);
  assert.deepEqual(listIds(foreign), [last]);
  for (const [n, view] of views.entries()) {
    const query = `${view.query ?? '?'}&actor_id=${actor_id}`;
    const { json } = await call(planes.controlUrl, 'GET', `/v1/audit-events${query}`, { token: tenant.token, ...view });
    const expected = json.data.map(({ id }: { id: string }) => id).toReversed();
    assert.ok(expected.length > 0, query);
    const stream = live[n] as OpenedStream;
    await waitUntil('as many as a search finds', () => stream.events.length >= expected.length);
    const again = await watch({ ...view, query, headers: { ...view.headers, 'last-event-id': begun } });
    await waitUntil('the same afterwards', () => again.events.length >= expected.length);
    assert.deepEqual([listIds(stream), listIds(again)], [expected, expected], query);
  }
});

test('refuses an id that is unknown, old, or of another organization or scope, and states how to continue', async () => {
  const stranger = await newTenant(planes);
  const foreign = await write({ organization_id: stranger.organization_id });
  const old = await write({ occurred_at: new Date(Date.now() - 3_700_000) });
  const never = `evt_${newUlid()}`;
  const answers = await Promise.all([foreign, never, 'x', 'A'.repeat(80)].map((id) => watch({ headers: { 'last-event-id': id } })));
  const messages = new Set<string>();
  for (const answer of answers) {
    assert.deepEqual([answer.status, toError(answer).code], [400, 'INVALID_REQUEST']);
    messages.add(toError(answer).message);
  }
  assert.equal(messages.size, 1);
  assert.match([...messages].join(), /GET \/v1\/audit-events/);
  const [late] = [await watch({ headers: { 'last-event-id': old } })];
  assert.match(toError(late).message, /within 60 minutes.*from=/);
  const query = await watch({ query: `?after=${old}` });
  assert.deepEqual([query.status, toError(query).details.faults[0].pointer], [400, '/after']);
  const limited = await watch({
    headers: { 'last-event-id': await write({ workspace_id: null, environment_id: null }), 'x-svc-workspace': tenant.workspace_id },
  });
  assert.equal(limited.status, 400);
});

test('refuses a stream of an unknown event type, and suggests the likely one', async () => {
  const refused = await watch({ query: '?type=agent.paused,agent.resumd' });
  assert.equal(refused.status, 400);
  const [fault] = toError(refused).details.faults;
  assert.deepEqual(fault, { pointer: '/type', message: 'There is no event type "agent.resumd". Did you mean "agent.resumed"?' });
});

test('the id of a stream of another organization is a position like any other, and shows nothing of that organization', async () => {
  const stranger = await newTenant(planes);
  const theirs = await watch({ token: stranger.token });
  await waitUntil('an id', () => theirs.lastId() !== undefined);
  const hidden = await write({ organization_id: stranger.organization_id });
  const mine = [await write(), await write()];
  const stream = await resume(theirs);
  await arrived(stream, mine[1] ?? '');
  // Events written before may arrive too: they are behind these in the feed if a transaction held them back.
  assert.deepEqual(listIds(stream).slice(-2), mine);
  assert.ok(!listIds(stream).includes(hidden));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { longOnly } from '@svc/testing/length/test-length.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene();

type Query = Readonly<Record<string, string>>;
const get = (path: string, token = s.tenant.token): Promise<TestResponse> => call(s.planes.controlUrl, 'GET', path, { token });
const search = (query: Query, token = s.tenant.token) => get(`/v1/audit-events?${new URLSearchParams(query)}`, token);
const readIds = async (query: Query): Promise<string[]> => {
  const { status, json, text } = await search(query);
  assert.equal(status, 200, text);
  return json.data.map(({ id }: { id: string }) => id);
};
const listPointers = ({ json }: TestResponse) => json.error.details.faults.map((fault: { pointer: string }) => fault.pointer);

/** Inserts an event as the owner of the database; returns its id. */
const record = async (overrides: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  const occurred_at = (overrides.occurred_at as Date | undefined) ?? new Date();
  const row = {
    organization_id: s.tenant.organization_id,
    id: `evt_${newUlid(occurred_at.getTime())}`,
    type: 'agent.paused',
    occurred_at,
    workspace_id: s.tenant.workspace_id,
    environment_id: s.tenant.environment_id,
    actor_type: 'USER',
    actor_id: s.tenant.user.id,
    actor_name: 'Somebody',
    subject_type: 'agent',
    subject_id: 'agt_00000000000000000000000001',
    severity: 'info',
    request_id: 'req_00000000000000000000000001',
    trace_id: '0'.repeat(32),
    data: '{}',
    ...overrides,
  };
  const names = Object.keys(row);
  await s.owner.query(
    `insert into audit_events (${names.join()}) values (${names.map((_, at) => `$${at + 1}`).join()})`,
    Object.values(row),
  );
  return row.id;
};

test('a change is returned as its event, with who, what, where and the trace of its request', async () => {
  const agent = await newAgent(s.tenant);
  const made = await call(s.planes.controlUrl, 'POST', `/v1/agents/${agent.id}/pause`, {
    token: s.tenant.token,
    body: { reason: 'lunch' },
  });
  const { data } = (await search({ subject_id: agent.id, type: 'agent.paused' })).json;
  assert.equal(data.length, 1);
  const { id, occurred_at, ...event } = data[0];
  assert.match(id, /^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(occurred_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(event, {
    type: 'agent.paused',
    organization_id: s.tenant.organization_id,
    workspace_id: s.tenant.workspace_id,
    environment_id: s.tenant.environment_id,
    actor: { type: 'USER', id: s.tenant.user.id, name: s.tenant.user.name },
    subject: { type: 'agent', id: agent.id },
    severity: 'warning',
    request_id: made.headers.get('x-request-id'),
    trace_id: made.headers.get('x-trace-id'),
    data: { before: { status: 'ACTIVE' }, after: { status: 'PAUSED' }, reason: 'lunch' },
    sequence: null,
  });
});

test('getAuditEvent returns one event, and is not found for another organization', async () => {
  const id = await record();
  assert.equal((await get(`/v1/audit-events/${id}`)).json.id, id);
  const stranger = await newTenant(s.planes);
  const [foreign, never] = [
    await get(`/v1/audit-events/${id}`, stranger.token),
    await get('/v1/audit-events/evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', stranger.token),
  ];
  assert.deepEqual([foreign.status, foreign.json.error.code], [404, 'NOT_FOUND']);
  assert.equal(foreign.text.replace(foreign.json.error.request_id, ''), never.text.replace(never.json.error.request_id, ''));
});

test('searchAuditEvents returns every event once, newest first, while new ones arrive', async () => {
  const subject_id = `agt_${newUlid()}`;
  const ids: string[] = [];
  for (let n = 0; n < 25; n += 1) ids.unshift(await record({ subject_id }));
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { json } = await search({ subject_id, limit: '10', ...(cursor === undefined ? {} : { cursor }) });
    found.push(...json.data.map(({ id }: { id: string }) => id));
    assert.equal(json.page.has_more, json.page.next_cursor !== '');
    cursor = json.page.has_more ? json.page.next_cursor : undefined;
    await record({ subject_id });
  } while (cursor !== undefined);
  assert.deepEqual(found, ids);
});

test('each filter selects what it names and nothing else, and all of them combine', async () => {
  const subject_id = `agt_${newUlid()}`;
  const plain = await record({ subject_id });
  const others = {
    type: await record({ subject_id, type: 'agent.resumed' }),
    severity: await record({ subject_id, severity: 'critical' }),
    actor_id: await record({ subject_id, actor_id: 'apk_00000000000000000000000001' }),
    request_id: await record({ subject_id, request_id: 'req_00000000000000000000000002' }),
  };
  const asked = {
    type: 'agent.resumed',
    severity: 'critical',
    actor_id: 'apk_00000000000000000000000001',
    request_id: 'req_00000000000000000000000002',
  };
  for (const [name, value] of Object.entries(asked)) {
    assert.deepEqual(await readIds({ subject_id, [name]: value }), [others[name as keyof typeof others]], name);
  }
  assert.equal((await readIds({ subject_id })).length, 5);
  assert.ok((await readIds({ subject_id })).includes(plain));
  assert.deepEqual(await readIds({ subject_id, type: 'agent.resumed', severity: 'critical' }), []);
  assert.deepEqual(await readIds({ subject_id: `${subject_id.slice(0, -1)}!` }), []);
});

test('several types are separated by commas, and events are filtered by scope and kind of actor', async () => {
  const subject_id = `agt_${newUlid()}`;
  const here = await record({ subject_id, type: 'agent.paused', actor_type: 'API_KEY' });
  const nowhere = await record({ subject_id, type: 'agent.resumed', workspace_id: null, environment_id: null });
  const other = await record({ subject_id, type: 'agent.updated', environment_id: null });
  assert.deepEqual(await readIds({ subject_id, type: 'agent.paused,agent.resumed' }), [nowhere, here]);
  assert.deepEqual(await readIds({ subject_id, workspace_id: s.tenant.workspace_id }), [other, here]);
  assert.deepEqual(await readIds({ subject_id, environment_id: s.tenant.environment_id }), [here]);
  assert.deepEqual(await readIds({ subject_id, actor_type: 'API_KEY' }), [here]);
  assert.deepEqual(await readIds({ subject_id, workspace_id: `wsp_${newUlid()}` }), []);
  assert.deepEqual(listPointers(await search({ actor_type: 'ROBOT' })), ['/actor_type']);
});

test('from is inclusive and to is exclusive, regardless of ids within the same moment', async () => {
  const subject_id = `agt_${newUlid()}`;
  const at = (ms: number) => new Date(Date.UTC(2026, 1, 28, 12, 0, 0, ms));
  const ids = [];
  for (const ms of [0, 1, 2, 3]) ids.push(await record({ subject_id, occurred_at: at(ms) }));
  const between = (from: number, to: number) => readIds({ subject_id, from: at(from).toISOString(), to: at(to).toISOString() });
  assert.deepEqual(await between(1, 3), [ids[2], ids[1]]);
  assert.deepEqual(await between(0, 1), [ids[0]]);
  assert.deepEqual(await between(3, 1), []);
  assert.equal((await readIds({ subject_id, from: at(0).toISOString() })).length, 4);
  const late = await record({ subject_id, occurred_at: at(1), id: `evt_${newUlid(at(300_000).getTime())}` });
  assert.ok((await between(1, 2)).includes(late));
});

test('a time in another form, or on a day that does not exist, is refused with its pointer', async () => {
  for (const wrong of ['2026-02-30T00:00:00.000Z', '2026-02-28', '2026-02-28T00:00:00Z', 'yesterday', '']) {
    for (const name of ['from', 'to']) assert.deepEqual(listPointers(await search({ [name]: wrong })), [`/${name}`], `${name}=${wrong}`);
  }
});

test('q finds part of the type, the subject and the data, without wildcards', async () => {
  const subject_id = `agt_${newUlid()}`;
  const note = await record({ subject_id, data: JSON.stringify({ reason: 'Said "stop" in C:\\temp, 100% sure; Überweisung' }) });
  const other = await record({ subject_id, type: 'agent.revoked', data: '{"reason":"plain"}' });
  const find = async (q: string) => (await readIds({ subject_id, q })).toSorted();
  for (const q of ['stop', 'SAID "stop"', 'C:\\temp', '100% s', 'überweisung']) assert.deepEqual(await find(q), [note], q);
  assert.deepEqual(await find('revo'), [other]);
  assert.deepEqual(await find(subject_id.slice(4, 20)), [note, other].toSorted());
  for (const q of ['%stop%', 's_op', "'; drop table audit_events; --", '\\"stop']) assert.deepEqual(await find(q), [], q);
});

test('a cursor continues only the search that issued it', async () => {
  const subject_id = `agt_${newUlid()}`;
  for (let n = 0; n < 3; n += 1) await record({ subject_id });
  const { next_cursor: cursor } = (await search({ subject_id, limit: '1' })).json.page;
  assert.equal((await readIds({ cursor, subject_id, limit: '2' })).length, 2);
  const refused: readonly Query[] = [
    { cursor },
    { cursor, subject_id, severity: 'info' },
    { cursor, subject_id: `agt_${newUlid()}` },
    { cursor: `${cursor}x`, subject_id },
    { cursor: cursor.slice(1), subject_id },
    { cursor: '', subject_id },
    { cursor: 'x'.repeat(2001), subject_id },
  ];
  for (const query of refused) {
    const answer = await search(query);
    assert.deepEqual(
      [answer.status, answer.json.error.code, listPointers(answer)],
      [400, 'VALIDATION_FAILED', ['/cursor']],
      JSON.stringify(query),
    );
  }
  const stranger = await newTenant(s.planes);
  assert.deepEqual(listPointers(await search({ cursor, subject_id }, stranger.token)), ['/cursor']);
  const actions = await get(`/v1/actions?cursor=${cursor}`);
  assert.deepEqual(listPointers(actions), ['/cursor']);
});

test('finds one match among very many events across pages, none of which scans all of them', longOnly, async () => {
  const crowd = await newTenant(s.planes);
  const rare = await record({ organization_id: crowd.organization_id, type: 'agent.revoked', occurred_at: new Date(Date.now() - 60_000) });
  await s.owner.query(
    `insert into audit_events select organization_id, $2 || lpad(n::text, 10, '0'), 'action.allowed', occurred_at, workspace_id, environment_id,
       actor_type, actor_id, actor_name, subject_type, subject_id, severity, request_id, trace_id, data
       from audit_events, generate_series(1, 101000) n where id = $1`,
    [rare, `evt_${newUlid().slice(0, 16)}`],
  );
  await s.owner.query('analyze audit_events');
  for (const filter of [
    { type: 'agent.revoked' },
    { q: 'agent.revoked' },
    { actor_id: s.tenant.user.id, severity: 'info', type: 'agent.revoked' },
  ]) {
    const pages = [(await search(filter, crowd.token)).json];
    while (pages.at(-1).page.has_more) pages.push((await search({ ...filter, cursor: pages.at(-1).page.next_cursor }, crowd.token)).json);
    assert.ok(pages.length > 1);
    assert.ok(pages.slice(0, -1).every(({ page }) => page.stopped_early === true));
    assert.deepEqual([pages.at(-1).page.has_more, pages.at(-1).page.stopped_early], [false, undefined]);
    assert.deepEqual(
      pages.flatMap(({ data }) => data.map(({ id }: { id: string }) => id)),
      [rare],
    );
  }
});

test('a page has one to two hundred events', async () => {
  for (const limit of ['0', '201', '-1', '1.5', 'all']) assert.deepEqual(listPointers(await search({ limit })), ['/limit'], limit);
  assert.deepEqual(listPointers(await search({ severity: 'fatal' })), ['/severity']);
  assert.deepEqual(listPointers(await search({ sort: 'asc' })), ['/sort']);
});

test('events are visible only to their organization', async () => {
  const stranger = await newTenant(s.planes);
  const page = await mustCall(s.planes.controlUrl, 'GET', '/v1/audit-events?limit=200', { token: stranger.token });
  assert.ok(page.data.length > 0);
  for (const event of page.data) assert.equal(event.organization_id, stranger.organization_id);
});

test('masks secrets that people write in any event, and shows identifiers unchanged', async () => {
  const secrets = ['svc_key_0123456789abcdefghijklmnop', '4111 1111 1111 1111', 'hunter2hunter2'];
  const [key, card, password] = secrets;
  const agent = await newAgent(s.tenant, { labels: { password: password ?? '', ticket: 'OPS-1' } });
  const send = (method: string, path: string, body: object) => mustCall(s.planes.controlUrl, method, path, { token: s.tenant.token, body });
  await send('PATCH', `/v1/agents/${agent.id}`, { description: `Signs in with ${key}.` });
  await send('POST', `/v1/agents/${agent.id}/pause`, { reason: `Somebody posted ${key} and the card ${card}.` });
  await send('POST', `/v1/agents/${agent.id}/resume`, {});
  const { action_id } = await send('POST', '/v1/actions/evaluate', { agent_id: agent.id, tool: `tool ${key}` });
  const { json } = await search({ limit: '200' });
  const events: { type: string; subject: { id: string }; data: Record<string, unknown> }[] = json.data;
  const about = events.filter(({ subject }) => subject.id === agent.id || subject.id === action_id);
  assert.ok(about.length >= 6, `${about.length}`);
  const text = JSON.stringify(about);
  for (const secret of secrets) assert.ok(!text.includes(secret), secret);
  assert.match(text, /"password":"\[masked\]"/);
  assert.match(text, /"ticket":"OPS-1"/);
  assert.match(text, /Somebody posted \[masked\] and the card \[masked\]\./);
  const signedIn = events.find(({ type }) => type === 'user.login_succeeded');
  assert.match(String(signedIn?.data.session_id), /^ses_/);
});

test('refuses a search for an unknown event type, since an empty result would mean that it never happened', async () => {
  for (const type of ['agent.pausd', 'agent.paused,agent.pausd', '']) {
    const refused = await search({ type });
    assert.deepEqual([refused.status, refused.json.error?.code, listPointers(refused)], [400, 'VALIDATION_FAILED', ['/type']], type);
  }
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, afterEach, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newBrowser } from '@svc/testing/people/browser.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { type OpenedStream, openStream } from '@svc/testing/people/open-stream.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

let planes: StartedPlanes;
let tenant: Tenant;
let owner: pg.Client;
let open: OpenedStream[] = [];
before(async () => {
  planes = await startPlanes({ gateways: 0 });
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

const watch = async (headers: Readonly<Record<string, string>>): Promise<OpenedStream> => {
  const stream = await openStream(`${planes.controlUrl}/v1/events/stream`, headers);
  assert.equal(stream.status, 200, stream.text);
  open.push(stream);
  return stream;
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ask = (method: string, path: string, body?: object, token = tenant.token) =>
  mustCall(planes.controlUrl, method, path, { token, ...(body ? { body } : {}) });
const endOf = ({ events }: OpenedStream) => [events.at(-1)?.name, events.at(-1)?.data.reason];

/** Creates a user who may watch, and their membership. */
const newWatcher = async () => {
  const person = await insertPerson(owner, tenant.organization_id, 'auditor');
  const { rows } = await owner.query<{ id: string }>('select id from members where user_id = $1', [person.id]);
  return { ...person, memberId: rows[0]?.id ?? '' };
};
type Watcher = Awaited<ReturnType<typeof newWatcher>>;

const WITHIN_MS = 1_000;
const ENDS: Readonly<Record<string, (who: Watcher) => Promise<unknown>>> = {
  'who signs out': ({ token }) => ask('POST', '/v1/auth/logout', {}, token),
  'whose sessions are revoked': ({ memberId }) => ask('POST', `/v1/members/${memberId}/revoke-sessions`, {}),
  'who loses the permission': ({ memberId }) => ask('PATCH', `/v1/members/${memberId}`, { role_id: getBuiltInRole('viewer').id }),
  'who is limited to a part': ({ memberId }) => ask('PATCH', `/v1/members/${memberId}`, { workspace_ids: [tenant.workspace_id] }),
  'who is no longer a member': ({ memberId }) => ask('DELETE', `/v1/members/${memberId}`),
};

for (const [who, end] of Object.entries(ENDS))
  test(`the stream of a person ${who} ends within a second and states so; others continue`, async () => {
    const [watcher, other] = [await newWatcher(), await newWatcher()];
    const [ending, staying] = [await watch(bearer(watcher.token)), await watch(bearer(other.token))];
    await end(watcher);
    const since = performance.now();
    await waitUntil('its end', ending.isOver);
    const waited = performance.now() - since;
    assert.ok(waited < WITHIN_MS, `${waited} ms`);
    assert.deepEqual([...endOf(ending), staying.isOver()], ['end', 'not_admitted', false]);
  });

test('delivers no event to a member after their removal was confirmed', async () => {
  for (let round = 0; round < 6; round += 1) {
    const watcher = await newWatcher();
    const stream = await watch(bearer(watcher.token));
    await ask('POST', '/v1/workspaces', { name: `Seen ${round}` });
    await waitUntil('an event', () => stream.events.some(({ data }) => data.type === 'workspace.created'));
    await ask('DELETE', `/v1/members/${watcher.memberId}`);
    const seen = stream.events.length;
    await Promise.all([0, 1, 2].map((n) => ask('POST', '/v1/workspaces', { name: `Unseen ${round} ${n}` })));
    await waitUntil('its end', stream.isOver);
    assert.deepEqual(
      stream.events.slice(seen).map(({ name }) => name),
      ['end'],
    );
  }
});

test('the stream of an API key ends within a second of its revocation', async () => {
  const { token, api_key } = await ask('POST', '/v1/api-keys', { name: 'Watcher', role_id: getBuiltInRole('auditor').id });
  const stream = await watch(bearer(token));
  await ask('DELETE', `/v1/api-keys/${api_key.id}`);
  const since = performance.now();
  await waitUntil('its end', stream.isOver);
  assert.ok(performance.now() - since < WITHIN_MS);
  assert.deepEqual(endOf(stream), ['end', 'not_admitted']);
});

test('a page streams by its cookie alone, and its stream ends with the session', async () => {
  const page = { origin: planes.controlUrl, 'x-svc-page': '1', 'sec-fetch-site': 'same-origin' };
  const browser = newBrowser({ ...page, 'content-type': 'application/json' });
  const credentials = JSON.stringify({ email: tenant.email, password: tenant.password });
  const { csrf_token } = (await (
    await browser.ask(`${planes.controlUrl}/v1/auth/login`, { method: 'POST', body: credentials })
  ).json()) as { csrf_token: string };
  const cookie = [...browser.cookies(planes.controlUrl)].map(([name, value]) => `${name}=${value}`).join('; ');
  const stream = await watch({ ...page, cookie });
  await ask('POST', '/v1/workspaces', { name: 'Seen by a page' });
  await waitUntil('the event', () => stream.events.some(({ data }) => data.type === 'workspace.created'));
  const left = await browser.ask(`${planes.controlUrl}/v1/auth/logout`, {
    method: 'POST',
    body: '{}',
    headers: { 'x-svc-csrf': csrf_token },
  });
  assert.equal(left.status, 200, await left.text());
  await waitUntil('its end', stream.isOver);
  assert.deepEqual(endOf(stream), ['end', 'not_admitted']);
});

test('a stopped instance ends its streams, states so, and exits before its drain period ends', async () => {
  const streams = await Promise.all([watch(bearer(tenant.token)), watch(bearer(tenant.token))]);
  planes.control.ref();
  const gone = once(planes.control, 'exit');
  planes.control.kill('SIGTERM');
  const [code] = await gone;
  await waitUntil('their ends', () => streams.every((each) => each.isOver()));
  assert.deepEqual([code, ...streams.map(endOf)], [0, ['end', 'stopping'], ['end', 'stopping']]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene();

const getOrganization = () => newControlClient(s.planes.controlUrl, s.tenant.token).getOrganization();
const updateOrganization = (body: unknown, token = s.tenant.token) =>
  call(s.planes.controlUrl, 'PATCH', '/v1/organization', { token, body });

const changesSince = async (work: () => Promise<unknown>) => {
  const events = async () =>
    (
      await s.owner.query(
        "select id, type, data::jsonb - 'record_digests' as data from audit_events where organization_id = $1 and type like 'organization.%' order by id",
        [s.tenant.organization_id],
      )
    ).rows;
  const before = (await events()).length;
  await work();
  return (await events()).slice(before).map(({ type, data }) => ({ type, data }));
};
const epoch = async () =>
  (await s.owner.query('select epoch from environment_epochs where environment_id = $1', [s.tenant.environment_id])).rows[0]
    .epoch as string;

test('a caller reads its own organization', async () => {
  const organization = await getOrganization();
  assert.deepEqual(
    [organization.id, organization.name, organization.require_mfa, organization.base_currency, organization.time_zone],
    [s.tenant.organization_id, s.tenant.organization.name, false, 'USD', 'UTC'],
  );
});

test('a change of name is recorded with the previous one, and increments the epoch of decisions', async () => {
  const { name } = await getOrganization();
  const moved = await epoch();
  const changes = await changesSince(async () => assert.equal((await updateOrganization({ name: 'Renamed' })).json.name, 'Renamed'));
  assert.deepEqual(changes, [{ type: 'organization.updated', data: { before: { name }, after: { name: 'Renamed' } } }]);
  assert.notEqual(await epoch(), moved);
  assert.equal((await getOrganization()).name, 'Renamed');
});

test('a change of the base currency writes a separate event', async () => {
  const changes = await changesSince(() => updateOrganization({ base_currency: 'EUR', name: 'Renamed again' }));
  assert.deepEqual(changes, [
    { type: 'organization.base_currency_changed', data: { before: { base_currency: 'USD' }, after: { base_currency: 'EUR' } } },
    { type: 'organization.updated', data: { before: { name: 'Renamed' }, after: { name: 'Renamed again' } } },
  ]);
});

test('a change without effect writes nothing', async () => {
  const organization = await getOrganization();
  const moved = await epoch();
  const same = { name: organization.name, base_currency: organization.base_currency, require_mfa: false };
  const changes = await changesSince(async () => {
    assert.deepEqual((await updateOrganization({})).json, organization);
    assert.deepEqual((await updateOrganization(same)).json, organization);
  });
  assert.deepEqual([changes, await epoch()], [[], moved]);
});

test('a code of no current currency is refused with its pointer', async () => {
  for (const base_currency of ['ABC', 'XAU', 'usd', 'EURO', 7, null]) {
    const { status, json } = await updateOrganization({ base_currency });
    assert.deepEqual([status, json.error.details.faults[0].pointer], [400, '/base_currency'], String(base_currency));
  }
  assert.equal((await getOrganization()).base_currency, 'EUR');
});

test('requiring a second factor requires having one, unless the caller confirms the lockout', async () => {
  await stepUp(s.planes.controlUrl, s.tenant);
  const changes = await changesSince(async () => {
    const { status, json } = await updateOrganization({ require_mfa: true, name: 'Never' });
    assert.deepEqual([status, json.error.code, json.error.details.confirm], [422, 'UNPROCESSABLE', 'confirm_lockout']);
    const half = await updateOrganization({ require_mfa: true, confirm_lockout: false });
    assert.equal(half.json.error.code, 'UNPROCESSABLE');
  });
  assert.deepEqual(changes, []);
  assert.deepEqual([(await getOrganization()).require_mfa, (await getOrganization()).name], [false, 'Renamed again']);
  const stranger = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, stranger);
  const send = (token: string, body: object) => call(s.planes.controlUrl, 'PATCH', '/v1/organization', { token, body });
  assert.equal((await send(stranger.token, { require_mfa: true, confirm_lockout: true })).json.require_mfa, true);
  // A user with a second factor needs no confirmation.
  const other = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, other);
  await s.owner.query("update sessions set amr = '{PASSWORD,TOTP}' where user_id = $1", [other.user.id]);
  assert.equal((await send(other.token, { require_mfa: true })).json.require_mfa, true);
});

test('the time zone changes to an existing one, and decisions use it at once', async () => {
  const moved = await epoch();
  const changes = await changesSince(async () =>
    assert.equal((await updateOrganization({ time_zone: 'australia/lord_howe' })).json.time_zone, 'Australia/Lord_Howe'),
  );
  assert.deepEqual(changes, [
    { type: 'organization.updated', data: { before: { time_zone: 'UTC' }, after: { time_zone: 'Australia/Lord_Howe' } } },
  ]);
  assert.notEqual(await epoch(), moved);
  const nothing = await changesSince(async () => {
    for (const time_zone of ['+02:00', 'Mars/Olympus', '', 'x'.repeat(65), 7, null])
      assert.deepEqual((await updateOrganization({ time_zone })).json.error.details.faults[0].pointer, '/time_zone', String(time_zone));
  });
  assert.deepEqual([nothing, (await getOrganization()).time_zone], [[], 'Australia/Lord_Howe']);
});

test('the identifier cannot be changed', async () => {
  assert.equal((await updateOrganization({ id: 'org_x' })).json.error.details.faults[0].pointer, '/id');
});

test('a key of one workspace cannot change the organization, with any role', async () => {
  const { token } = await newControlClient(s.planes.controlUrl, s.tenant.token).createApiKey({
    body: { name: 'Key', role_id: getBuiltInRole('admin').id, workspace_id: s.tenant.workspace_id },
  });
  assert.equal((await updateOrganization({ name: 'Taken over' }, token)).json.error.code, 'PERMISSION_DENIED');
  assert.equal((await call(s.planes.controlUrl, 'GET', '/v1/organization', { token })).status, 200);
});

test('concurrent changes do not overwrite each other', async () => {
  const changes = await changesSince(() =>
    Promise.all([
      updateOrganization({ name: 'One' }),
      updateOrganization({ name: 'Two' }),
      updateOrganization({ name: 'Three' }),
      updateOrganization({ base_currency: 'JPY' }),
    ]),
  );
  const names = changes.flatMap(({ type, data }) => (type === 'organization.updated' ? [data] : []));
  assert.equal(names.length, 3);
  const last = await getOrganization();
  assert.equal(last.base_currency, 'JPY');
  // Each one started from the result of the one before.
  const seen = new Set(['Renamed again', ...names.map(({ after }) => after.name)]);
  for (const { before } of names) assert.ok(seen.has(before.name));
  assert.equal(new Set(names.map(({ before }) => before.name)).size, 3);
});

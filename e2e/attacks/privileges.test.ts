import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BUILT_IN_ROLES, type BuiltInRole, type BuiltInRoleName, isKeyRole, KEY_ROLES } from '@svc/contract/tables/built-in-roles.ts';
import { getStepUp, PERMISSION_NAMES } from '@svc/contract/tables/permissions.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { readTables } from '@svc/testing/records/read-tables.ts';
import type pg from 'pg';

let planes: Planes;
let governed: Governed;
let db: pg.Client;
/** One signed-in person per role, and one API key per role that keys may have; only the owner has stepped up. */
let keys: Record<Exclude<BuiltInRoleName, 'owner'>, string> & { readonly owner?: undefined };
let people: Record<BuiltInRoleName, string>;

before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
  db = await planes.database.client();
  const { token, organization_id } = governed.tenant;
  const made = await Promise.all(
    BUILT_IN_ROLES.map(async ({ id, name }) => {
      const body = { name, role_id: id };
      const key = isKeyRole(id) ? await newControlClient(planes.controlUrl, token).createApiKey({ body }) : undefined;
      return [name, key?.token as string | undefined, (await insertPerson(db, organization_id, name)).token] as const;
    }),
  );
  keys = Object.fromEntries(made.map(([name, key]) => [name, key])) as typeof keys;
  people = Object.fromEntries(made.map(([name, , person]) => [name, person])) as typeof people;
});
after(async () => {
  await db.end();
  await planes.stop();
});

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);
const post = (token: string, path: string, body: object) => call(planes.controlUrl, 'POST', path, { token, body });

const holds = (role: BuiltInRole, permission: string): boolean => (role.permissions as readonly string[]).includes(permission);
const isWithin = (inner: BuiltInRole, outer: BuiltInRole): boolean => inner.permissions.every((permission) => holds(outer, permission));

describe('a caller cannot grant permissions that they do not hold', () => {
  test('a key of each role creates keys of exactly the roles within its own, never the owner role, and so do people', async () => {
    for (const maker of BUILT_IN_ROLES) {
      for (const made of BUILT_IN_ROLES) {
        const may = holds(maker, 'apikey:create') && isWithin(made, maker);
        const expected = may ? (isKeyRole(made.id) ? '201' : 'VALIDATION_FAILED') : 'PERMISSION_DENIED';
        for (const token of [keys[maker.name] ?? people[maker.name], people[maker.name]]) {
          const answer = await post(token, '/v1/api-keys', { name: 'k', role_id: made.id });
          assert.equal(getCode(answer), expected, `${maker.name} makes ${made.name}`);
        }
      }
    }
  });

  test('a key created by a key of a weaker role does not regain permissions', async () => {
    const viewer = await newControlClient(planes.controlUrl, keys.developer).createApiKey({
      body: { name: 'viewer', role_id: BUILT_IN_ROLES[6].id },
    });
    for (const role of BUILT_IN_ROLES)
      assert.equal(getCode(await post(viewer.token, '/v1/api-keys', { name: 'k', role_id: role.id })), 'PERMISSION_DENIED');
  });

  test('an operation that no role permits is refused on every path: a caller who may register agents but not grant cannot grant by registering', async () => {
    const { workspace_id, environment_id } = governed.tenant;
    const body = { name: 'Granted', workspace_id, environment_id, capabilities: ['pay'] };
    const permissions = ['agent:read', 'agent:create'];
    const role = await mustCall(planes.controlUrl, 'POST', '/v1/roles', {
      token: governed.tenant.token,
      body: { name: 'Registers', permissions },
    });
    const { token } = await insertPerson(db, governed.tenant.organization_id, role);
    const { status, json } = await post(token, '/v1/agents', body);
    assert.deepEqual([status, json.error?.details], [403, { permission: 'agent:manage_capabilities' }]);
    assert.equal(getCode(await post(token, '/v1/agents', { ...body, name: 'Bare', capabilities: [] })), '201');
    for (const role of BUILT_IN_ROLES) {
      const answer = await post(keys[role.name] ?? people[role.name], '/v1/agents', body);
      const may = holds(role, 'agent:create') && holds(role, 'agent:manage_capabilities');
      assert.equal(getCode(answer) === '201' || getCode(answer) === 'ALREADY_EXISTS', may, `${role.name}: ${answer.text}`);
    }
  });

  test('lifting a security restriction requires its permission and a reason', async () => {
    const { agent } = await newGoverned(planes);
    assert.equal(
      getCode(await post(people.security, `/v1/agents/${agent.id}/suspend`, { reason: 'x' })),
      'NOT_FOUND',
      'of another organization',
    );
    const mine = governed.agent.id;
    assert.equal(getCode(await post(people.security, `/v1/agents/${mine}/suspend`, { reason: 'x' })), '200');
    assert.equal(getCode(await post(keys.developer, `/v1/agents/${mine}/resume`, { reason: 'x' })), 'PERMISSION_DENIED');
    assert.equal(getCode(await post(people.security, `/v1/agents/${mine}/resume`, {})), 'VALIDATION_FAILED');
    assert.equal(getCode(await post(people.security, `/v1/agents/${mine}/resume`, { reason: 'x' })), '200');
  });
});

describe('automation cannot replace a person', () => {
  test('no key can use a permission that requires a recent step-up, with any permissions', async () => {
    const guarded = PERMISSION_NAMES.filter((name) => getStepUp(name) !== false);
    assert.equal(guarded.length, 13);
    const before = await readTables(db);
    const { environment_id } = governed.tenant;
    const tries: readonly (readonly [string, object])[] = [
      [`/v1/agents/${governed.agent.id}/revoke`, { reason: 'x' }],
      [`/v1/environments/${environment_id}/pause`, { reason: 'x' }],
      [`/v1/environments/${environment_id}/resume`, { reason: 'x' }],
      [`/v1/environments/${environment_id}/gateway-mode`, { mode: 'OBSERVE', reason: 'x' }],
      [`/v1/environments/${environment_id}/gateway-mode`, { mode: 'SIMULATE', reason: 'x' }],
      [`/v1/policies/${governed.policyId}/activate`, { version_id: 'pvr_x', reason: 'x' }],
      [`/v1/policies/${governed.policyId}/rollback`, { target_version_number: 1, reason: 'x' }],
    ];
    for (const role of KEY_ROLES) {
      for (const [path, body] of tries) {
        const code = getCode(await post(keys[role.name] ?? '', path, body));
        assert.ok(['STEP_UP_REQUIRED', 'PERMISSION_DENIED'].includes(code), `${role.name} ${path}: ${code}`);
        if (role.name === 'admin') assert.equal(code, 'STEP_UP_REQUIRED', path);
      }
      assert.equal(
        getCode(await post(keys[role.name] ?? '', '/v1/auth/step-up', { password: governed.tenant.password })),
        'PERMISSION_DENIED',
      );
    }
    assert.deepEqual(await readTables(db), before);
  });

  test('a proof expires, and is valid for one person only', async () => {
    const { environment_id, organization_id } = governed.tenant;
    const pause = (token: string) => post(token, `/v1/environments/${environment_id}/pause`, { reason: 'x' });
    const proven = await insertPerson(db, organization_id, 'security', { steppedUp: true });
    await db.query("update sessions set stepped_up_until = now() - interval '1 millisecond' where user_id = $1", [proven.id]);
    assert.equal(getCode(await pause(proven.token)), 'STEP_UP_REQUIRED');
    assert.equal(getCode(await pause(people.security)), 'STEP_UP_REQUIRED');
  });

  test('a former member has no session, and a demoted one has the new role at once', async () => {
    const { organization_id } = governed.tenant;
    const person = await insertPerson(db, organization_id, 'admin');
    const make = () => post(person.token, '/v1/workspaces', { name: 'x' });
    assert.equal(getCode(await make()), '201');
    await db.query('update members set role_id = $1 where user_id = $2', [BUILT_IN_ROLES[6].id, person.id]);
    assert.equal(getCode(await make()), 'PERMISSION_DENIED');
    await db.query('update members set role_id = $1 where user_id = $2', ['rol_01ARZ3NDEKTSV4RRFFQ69G5FAV', person.id]);
    assert.equal(getCode(await make()), 'PERMISSION_DENIED', 'a role that nobody knows holds nothing');
    await db.query('delete from members where user_id = $1', [person.id]);
    assert.equal(getCode(await make()), 'UNAUTHENTICATED');
  });
});

describe('a key', () => {
  test('is invalid once its revocation was answered, and after it expires', async () => {
    const { token } = governed.tenant;
    const { api_key, token: secret } = await newControlClient(planes.controlUrl, token).createApiKey({
      body: { name: 'k', role_id: BUILT_IN_ROLES[6].id, expires_in_days: 1 },
    });
    const ask = () => call(planes.controlUrl, 'GET', '/v1/agents', { token: secret });
    assert.equal((await ask()).status, 200);
    await db.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [api_key.id]);
    assert.equal(getCode(await ask()), 'UNAUTHENTICATED');
    await db.query("update api_keys set expires_at = now() + interval '1 day' where id = $1", [api_key.id]);
    assert.equal((await ask()).status, 200);
    const asking = Promise.all(Array.from({ length: 20 }, ask));
    assert.equal((await call(planes.controlUrl, 'DELETE', `/v1/api-keys/${api_key.id}`, { token })).status, 200);
    const after = await Promise.all(Array.from({ length: 20 }, ask));
    assert.ok(after.every((answer) => getCode(answer) === 'UNAUTHENTICATED'));
    await asking;
  });
});

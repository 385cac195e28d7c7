import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { call } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  planes = await startPlanes();
});
after(() => planes.stop());

const rows = Object.entries<Endpoint>(ENDPOINTS);
const getBase = ({ plane }: Endpoint): string => (plane === 'control' ? planes.controlUrl : planes.gatewayUrl);

describe('a new installation', () => {
  test('has no account, key or member, and accepts no credential before one is created', async () => {
    const database = await planes.database.client();
    for (const table of ['users', 'members', 'organizations', 'api_keys', 'sessions', 'agents', 'scim_settings', 'sso_connections']) {
      const { rows: found } = await database.query<{ n: number }>(`select count(*)::int as n from ${table}`);
      assert.deepEqual(found, [{ n: 0 }], table);
    }
    await database.end();
  });

  test('returns nothing cacheable, except responses that are equal for all callers', async () => {
    const { token } = await signUp(planes.controlUrl);
    const kept: string[] = [];
    const answered = rows.filter(([, { method, wire }]) => method === 'GET' && wire !== 'stream');
    for (const [name, row] of answered) {
      const answer = await call(getBase(row), 'GET', row.path.replaceAll(/\{\w+\}/g, 'x'), { token });
      const control = answer.headers.get('cache-control') ?? 'nothing';
      if (control === 'no-store') continue;
      kept.push(name);
      assert.ok(row.cacheSeconds !== undefined && row.credential === 'none', `${name}: ${control}`);
    }
    assert.ok(answered.length > 40 && kept.length < 17, kept.join());
    const opened = await signUp(planes.controlUrl);
    const login = await call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email: opened.email, password: opened.password } });
    assert.deepEqual([login.status, login.headers.get('cache-control')], [200, 'no-store']);
    assert.equal(login.headers.get('referrer-policy'), 'no-referrer');
  });

  test('lists no folder, serves none of its source, and has no metrics at the addresses of the planes', async () => {
    for (const base of [planes.controlUrl, planes.gatewayUrl]) {
      const asked = ['/.git/config', '/.git/HEAD', '/.svn/entries', '/package.json', '/assets/', '/assets/..%2fpackage.json', '/metrics'];
      for (const path of asked) assert.equal((await call(base, 'GET', path)).status, 404, `${base}${path}`);
    }
  });

  test('accepts no secret in an address, except the code that a terminal shows', () => {
    const words = /token|secret|password|code|key$|state/i;
    const found = rows.flatMap(([name, { query }]) => {
      const members = Object.keys((query as { readonly properties?: object } | undefined)?.properties ?? {});
      return members.filter((member) => words.test(member)).map((member) => `${name} ${member}`);
    });
    // An error code, and the state of a proposal or a run of checks, which come from tables and are no secrets.
    assert.deepEqual(found.toSorted(), [
      'findCliRequest user_code',
      'listRuntimeRuns state',
      'listToolProposals state',
      'searchActions code',
    ]);
  });
});

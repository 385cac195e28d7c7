import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPathParameter } from '@svc/contract/tables/path-parameters.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import type { Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { createTenantKeys, getAllBut, type PermissionTokens } from '@svc/testing/records/permission-holders.ts';
import type pg from 'pg';
import { type CanaryOrganization, newOrganization } from './canary-organization.ts';
import { EXPECTED_ROWS, type ExpectedEndpoint } from './expected.ts';
import { listServedOperations, runForEach } from './served.ts';

let planes: Planes;
let db: pg.Client;
let tenant: Tenant;
let place: CanaryOrganization;
let holders: PermissionTokens;
/** Invalid credentials, and those of a person without a required second factor. */
let tokens: Readonly<Record<'expired' | 'expiredKey' | 'revoked' | 'revokedKey' | 'agent' | 'unfactored', string>>;

before(async () => {
  planes = await leasePlanes();
  db = await planes.database.client();
  place = await newOrganization(planes, `Permitted${Date.now()}`);
  ({ tenant } = place);
  holders = createTenantKeys(db, tenant);
  const [expired, revoked] = [
    await insertPerson(db, tenant.organization_id, 'owner'),
    await insertPerson(db, tenant.organization_id, 'owner'),
  ];
  await db.query("update sessions set expires_at = now() - interval '1 second' where user_id = $1", [expired.id]);
  await db.query('update sessions set revoked_at = now() where user_id = $1', [revoked.id]);
  const key = async (): Promise<{ token: string; api_key: { id: string } }> =>
    newControlClient(planes.controlUrl, tenant.token).createApiKey({ body: { name: 'k', role_id: 'rol_00000000000000000000000002' } });
  const [expiredKey, revokedKey] = [await key(), await key()];
  await db.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [expiredKey.api_key.id]);
  await db.query('update api_keys set revoked_at = now() where id = $1', [revokedKey.api_key.id]);
  const agent = await mintToken(planes.gatewayUrl, await newAgent(place.tenant));
  tokens = {
    ...{ expired: expired.token, revoked: revoked.token, expiredKey: expiredKey.token, revokedKey: revokedKey.token, agent },
    unfactored: (await insertPerson(db, tenant.organization_id, 'owner', { steppedUp: true })).token,
  };
});
after(async () => {
  await db.end();
  await planes.stop();
});

const getName = ({ plane, method, path }: Pick<ExpectedEndpoint, 'plane' | 'method' | 'path'>): string =>
  `${plane === 'gateway' ? 'gateway ' : ''}${method} ${path}`;

const getUrl = ({ path }: ExpectedEndpoint): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!isPathParameter(name)) throw new Error(`nothing is known of the path parameter ${name}`);
    return place.resources[name];
  });

const SHED = /service is overloaded, and the request was not started/;
const SHED_TRIES = 10;

/** Sends an invalid body or query, so that a permitted caller changes nothing: these are validated after every check of the caller. */
const ask = async (row: ExpectedEndpoint, token: string | undefined): Promise<TestResponse> => {
  const base = row.plane === 'gateway' ? planes.gatewayUrl : planes.controlUrl;
  const isRead = row.method === 'GET';
  const path = `${getUrl(row)}${isRead ? '?bogus=1' : ''}`;
  for (let tries = 1; ; tries += 1) {
    const answer = await call(base, row.method, path, { token, ...(isRead ? {} : { body: { bogus: 1 } }) });
    // An overloaded plane refuses before it has authenticated the caller.
    if (tries === SHED_TRIES || !SHED.test(answer.text)) return answer;
    await sleep(500);
  }
};

/** The code of an OAuth error begins its description. */
const getCode = ({ status, json }: TestResponse): string =>
  json?.error?.code ?? /^([A-Z_]+): /.exec(json?.error_description ?? '')?.[1] ?? String(status);
const IN = 'let in';
/** Returns what a response states about the caller only: admitted, or why not, and by which permission. */
const verdict = (answer: TestResponse): string => {
  const code = getCode(answer);
  if (code === 'PERMISSION_DENIED')
    return `PERMISSION_DENIED ${(answer.json.error.details ?? answer.json.details)?.permission ?? ''}`.trim();
  if (answer.status === 401) return code === 'SESSION_EXPIRED' ? code : 'UNAUTHENTICATED';
  if (answer.status === 403) return code;
  // Pages that are not built are requested all the same.
  const isPageless = answer.status === 503 && answer.json === undefined;
  return isPageless || [200, 204, 302, 400, 404, 410].includes(answer.status) ? IN : `${answer.status} ${code}`;
};

type Cell = { readonly who: string; readonly token: string | undefined; readonly expected: string };

/** Returns callers without or with an ended credential. */
const strangers = ({ who, plane, marks }: ExpectedEndpoint): Cell[] => {
  const refused = (expected: string): string => (who === 'anybody' ? IN : expected);
  const isGateway = plane === 'gateway';
  return [
    { who: 'nobody', token: undefined, expected: refused('UNAUTHENTICATED') },
    { who: 'garbage', token: 'garbage', expected: refused('UNAUTHENTICATED') },
    {
      who: 'an expired session',
      token: tokens.expired,
      expected: refused(isGateway || who === 'directory' ? 'UNAUTHENTICATED' : 'SESSION_EXPIRED'),
    },
    { who: 'an expired key', token: tokens.expiredKey, expected: refused('UNAUTHENTICATED') },
    { who: 'a revoked session', token: tokens.revoked, expected: refused('UNAUTHENTICATED') },
    { who: 'a revoked key', token: tokens.revokedKey, expected: refused('UNAUTHENTICATED') },
    { who: 'an agent', token: tokens.agent, expected: refused(who === 'agent' && !marks.has('of-partners') ? IN : 'UNAUTHENTICATED') },
  ];
};

/** Returns people and keys who hold some of the permissions. */
const readHolders = async (row: ExpectedEndpoint): Promise<Cell[]> => {
  const { who, permissions, marks, plane } = row;
  if (who === 'anybody') return [];
  const isElsewhere = plane === 'gateway' || who === 'directory';
  const everywhere = (expected: string): string => (isElsewhere ? 'UNAUTHENTICATED' : expected);
  const ofPeople = who === 'person' || marks.has('of-people');
  const guarded = marks.has('step-up');
  const lacking = await Promise.all(
    permissions.flatMap((permission) => [
      holders
        .steppedUp(getAllBut(permission))
        .then((token) => ({ who: `all but ${permission}`, token, expected: `PERMISSION_DENIED ${permission}` })),
      holders.key(getAllBut(permission)).then((token) => ({
        who: `a key of all but ${permission}`,
        token,
        expected: ofPeople ? 'PERMISSION_DENIED' : `PERMISSION_DENIED ${permission}`,
      })),
    ]),
  );
  const keyExpected = ofPeople ? 'PERMISSION_DENIED' : guarded ? 'STEP_UP_REQUIRED' : IN;
  const enough: Cell[] = [
    { who: 'what is needed alone', token: await holders.steppedUp(permissions), expected: IN },
    { who: 'what is needed without a step-up', token: await holders.plain(permissions), expected: guarded ? 'STEP_UP_REQUIRED' : IN },
    { who: 'a key of what is needed', token: await holders.key(permissions), expected: keyExpected },
  ];
  return [...lacking, ...enough].map((cell) => ({ ...cell, expected: everywhere(cell.expected) }));
};

test('every served operation is in the table', async () => {
  const known = new Set(EXPECTED_ROWS.map(getName));
  assert.equal(known.size, EXPECTED_ROWS.length, 'a line stands twice');
  const unknown = (await listServedOperations(planes)).map(getName).filter((name) => !known.has(name));
  const lacking = 'typed by hand, a line that says who may call it is wanted in e2e/sweeps/expected-lines.ts for';
  assert.deepEqual(unknown, [], `${lacking} ${unknown.join(', ')}`);
});

const readCells = async (row: ExpectedEndpoint): Promise<Cell[]> => [...strangers(row), ...(await readHolders(row))];

/** Returns callers under a required second factor: without one, and with one. */
const factorCells = async ({ who, plane, marks, permissions }: ExpectedEndpoint): Promise<Cell[]> => {
  if (who === 'anybody' || plane === 'gateway' || who === 'directory') return [];
  return [
    { who: 'a session without a factor', token: tokens.unfactored, expected: marks.has('enrolment') ? IN : 'MFA_REQUIRED' },
    { who: 'a session with a factor', token: await holders.steppedUp(permissions), expected: IN },
  ];
};

/** Sends a request of each caller; returns unexpected responses. */
const sweep = async (cells: (row: ExpectedEndpoint) => Promise<Cell[]>): Promise<{ asked: number; wrong: string[] }> => {
  const served = new Set((await listServedOperations(planes)).map(getName));
  const wrong: string[] = [];
  let asked = 0;
  await runForEach(
    EXPECTED_ROWS.filter((row) => served.has(getName(row))),
    async (row) => {
      for (const { who, token, expected } of await cells(row)) {
        const answer = await ask(row, token);
        asked += 1;
        const found = verdict(answer);
        if (found !== expected) wrong.push(`${getName(row)} by ${who}: ${found} and not ${expected}: ${answer.text.slice(0, 200)}`);
      }
    },
  );
  return { asked, wrong };
};

test('every operation permits exactly the callers in the table', async (context) => {
  const { asked, wrong } = await sweep(readCells);
  assert.deepEqual(wrong, []);
  context.diagnostic(`${asked} requests`);
  assert.ok(asked > 1_000, `${asked} requests`);
});

test('with a required second factor, a session without one reaches exactly the enrolment rows of the table', async () => {
  await db.query('update organizations set require_mfa = true where id = $1', [tenant.organization_id]);
  const { asked, wrong } = await sweep(factorCells);
  assert.deepEqual(wrong, []);
  assert.ok(asked > 150, `${asked} requests`);
});

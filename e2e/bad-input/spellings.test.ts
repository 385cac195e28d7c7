import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { readTables } from '@svc/testing/records/read-tables.ts';
import type pg from 'pg';
import { sendRaw } from './raw.ts';
import { assertRefused } from './refusals.ts';
import { listAddressVariants, listOtherAddresses, notAddresses } from './spellings/address-spellings.ts';
import { ENDPOINTS } from './spellings/doors.ts';
import { newPlace, type SecretOwner, withCodesOfNow } from './spellings/place.ts';
import { listVariants } from './spellings/text-spellings.ts';

const SPELLINGS_MIN = 30;

let planes: Planes;
let owner: pg.Client;
let place: SecretOwner;
before(async () => {
  // Separate planes: every table is compared, and jobs write for other tenants.
  planes = await startPlanes({ gateways: 1 });
  owner = await planes.database.client();
  place = await newPlace(planes, owner);
});
after(async () => {
  await owner.end();
  await planes.stop();
});

/** Resets guess counters, so that one encoding does not affect the next. */
const forgive = async (): Promise<void> => {
  await owner.query('delete from sign_in_failures');
  await owner.query('update mfa_challenges set failures = 0');
  await owner.query('update sessions set step_up_failures = 0');
};

/** Tables in which guesses are counted and recorded. */
const COUNTED = new Set(['sign_in_failures', 'audit_events', 'mfa_challenges', 'sessions', 'sso_attempts']);

/** Returns the tables that changed, apart from those of guesses. */
const changedSince = async (before: Readonly<Record<string, string>>, counts: boolean): Promise<string[]> =>
  Object.entries(await readTables(owner))
    .filter(([table, contents]) => before[table] !== contents && !(counts && (COUNTED.has(table) || table.startsWith('audit_events'))))
    .map(([table]) => table);

test('has at least thirty wrong forms of each', () => {
  for (const right of ['492039', 'k3v8-0q2d-xm7t-5hzp']) assert.ok(Object.keys(listVariants(right)).length >= SPELLINGS_MIN);
  assert.ok(Object.keys(notAddresses('ada@example.com')).length >= SPELLINGS_MIN);
});

describe('a wrong form is never accepted, fails cleanly, stores nothing and does not use up the correct one', () => {
  for (const { name, wrong, ask, codes, counts = false } of ENDPOINTS) {
    test(`of ${name}`, async () => {
      const before = await readTables(owner);
      for (const [what, value] of Object.entries(wrong(place))) {
        assertRefused(await ask(place, value), codes, `${name}, ${what}`);
        if (counts) await forgive();
      }
      assert.deepEqual(await changedSince(before, counts), []);
    });
  }

  test('and each correct one works afterwards', async () => {
    await forgive();
    const now = await withCodesOfNow(place);
    for (const { name, right } of ENDPOINTS) {
      const answer = await right?.(now);
      if (answer) assert.ok(answer.status < 300, `${name}: ${answer.text}`);
    }
  });
});

/** Variants of a header value, without those that HTTP itself strips or that end a header. */
const ofHeader = (right: string): [string, string][] =>
  Object.entries(listVariants(right, (text) => /[\r\n]/.test(text) || text.trim() === right)).filter(
    (each): each is [string, string] => typeof each[1] === 'string',
  );
const bytes = (text: string): string => Buffer.from(text).toString('latin1');

describe('a wrong form of a credential is refused', () => {
  const session = (header: string): Promise<TestResponse> =>
    sendRaw(planes.controlUrl, ['GET /v1/auth/session HTTP/1.1', 'host: x', bytes(header), 'connection: close']);

  test('in the authorization header, of a session, a key, a directory or an agent', async () => {
    const governed = await newGoverned(planes);
    const agentToken = await mintToken(planes.gatewayUrl, governed.agent);
    const before = await readTables(owner);
    const doors = [
      { right: place.tenant.token, base: planes.controlUrl, path: 'GET /v1/auth/session' },
      { right: place.key, base: planes.controlUrl, path: 'GET /v1/agents' },
      { right: place.scimToken, base: planes.controlUrl, path: 'GET /scim/v2/Users' },
      { right: agentToken, base: planes.gatewayUrl, path: 'POST /gateway/v1/actions' },
    ];
    for (const { right, base, path } of doors) {
      const spellings = ofHeader(right);
      assert.ok(spellings.length >= SPELLINGS_MIN - 5);
      const send = (text: string) =>
        sendRaw(base, [`${path} HTTP/1.1`, 'host: x', bytes(`authorization: Bearer ${text}`), 'content-length: 0', 'connection: close']);
      assert.notEqual((await send(right)).status, 401, path);
      for (const [what, text] of spellings) {
        const answer = await send(text);
        assert.ok([400, 401, 431].includes(answer.status), `${path}, ${what}: ${answer.text}`);
      }
    }
    assert.deepEqual(await changedSince(before, false), []);
  });

  test('in a cookie, or in two of the name', async () => {
    const { token } = place.tenant;
    assert.equal((await session(`cookie: svc-session=${token}`)).status, 200);
    const before = await readTables(owner);
    for (const [what, text] of ofHeader(token)) {
      const answer = await session(`cookie: svc-session=${text}`);
      assert.ok([400, 401, 431].includes(answer.status), `${what}: ${answer.text}`);
    }
    for (const cookies of [
      `svc-session=${token}; svc-session=${token}`,
      `svc-session=x; svc-session=${token}`,
      `SVC-SESSION=${token}`,
      `svc-session =${token}x`,
      `svc-session="${token}"`,
      `$Version=1; svc-session="${token}"`,
      `__Host-svc-session=${token}`,
    ])
      assertRefused(await session(`cookie: ${cookies}`), 'UNAUTHENTICATED', cookies);
    assertRefused(await session(`cookie: svc-session=${token}\r\ncookie: svc-session=${token}`), 'UNAUTHENTICATED', 'two headers');
    assert.deepEqual(await changedSince(before, false), []);
  });
});

describe('an address', () => {
  const keys = async (): Promise<{ key: string; failures: number }[]> =>
    (await owner.query("select key, failures from sign_in_failures where key like 'account:%' order by key")).rows;
  const post = (path: string, body: object) => call(planes.controlUrl, 'POST', path, { body });

  test('is one account in all its forms: wrong guesses at any of them, on every endpoint, count under one key', async () => {
    const { email, password } = await signUp(planes.controlUrl);
    await forgive();
    const doors = [
      (address: string) => post('/v1/auth/login', { email: address, password: 'wrong horse battery' }),
      (address: string) => post('/v1/auth/signup/verify', { email: address, code: '000000' }),
      (address: string) => post('/v1/auth/password/reset', { email: address, code: '000000', new_password: 'a phrase of nobody' }),
    ];
    let asked = 0;
    for (const address of listAddressVariants(email).slice(0, 2)) {
      for (const ask of doors) {
        assertRefused(await ask(address), 'INVALID_CREDENTIALS', address);
        asked += 1;
        assert.deepEqual(
          (await keys()).map(({ failures }) => failures),
          [asked],
          address,
        );
      }
    }
    const [, , third = '', fourth = ''] = listAddressVariants(email);
    const codes: string[] = [];
    for (; asked < LIMITS.sessions.loginAttemptsMax; asked += 1)
      codes.push(
        (await post('/v1/auth/login', { email: asked % 2 === 0 ? third : fourth, password: 'wrong horse battery' })).json.error.code,
      );
    assert.ok(
      codes.every((code) => ['INVALID_CREDENTIALS', 'RATE_LIMITED'].includes(code)),
      codes.join(),
    );
    for (const address of listAddressVariants(email))
      assertRefused(await post('/v1/auth/login', { email: address, password }), 'RATE_LIMITED', address);
    await forgive();
    for (const address of listAddressVariants(email))
      assert.equal((await post('/v1/auth/login', { email: address, password })).status, 200, address);
  });

  test('that only looks alike is another: it opens no account, and its guesses count under no key of that one', async () => {
    const { email, password } = await signUp(planes.controlUrl);
    await forgive();
    await post('/v1/auth/login', { email, password: 'wrong horse battery' });
    const [own] = await keys();
    for (const [what, address] of Object.entries(listOtherAddresses(email))) {
      if (address === email) continue;
      await owner.query("delete from sign_in_failures where key like 'address:%'");
      assertRefused(await post('/v1/auth/login', { email: address, password }), ['INVALID_CREDENTIALS', 'VALIDATION_FAILED'], what);
      assert.equal((await keys()).find(({ key }) => key === own?.key)?.failures, 1, what);
    }
    await forgive();
  });
});

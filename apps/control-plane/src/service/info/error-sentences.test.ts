import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
let table: ReadonlyMap<string, { readonly when: string }>;
before(async () => {
  planes = await startPlanes({ env: { MAX_LOGIN_ATTEMPTS: '3' } });
  governed = await newGoverned(planes);
  const listed = (await call(planes.controlUrl, 'GET', '/v1/meta/error-codes')).json as { code: string; when: string }[];
  table = new Map(listed.map((row) => [row.code, row]));
});
after(() => planes.stop());

const getCode = ({ json }: TestResponse): string => json?.error?.code;
const saidOf = (code: string): string => table.get(code)?.when ?? '';

/** Asserts that the sentence of the code mentions it, and that any other sentence that mentions it names the code. */
const assertTold = (code: string, told: RegExp, otherwise: string, claimed = told): void => {
  assert.match(saidOf(code), told);
  const claims = saidOf(otherwise)
    .split(/[;.]/)
    .filter((part) => claimed.test(part));
  for (const part of claims) assert.match(part, new RegExp(`\\b${code}\\b`), `${otherwise} claims it too`);
};

test('INVALID_CREDENTIALS is a wrong password, with or without an account, and used-up attempts are RATE_LIMITED, as the table states', async () => {
  const person = await signUp(planes.controlUrl);
  const login = (email: string) => call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password: 'wrong wrong wrong' } });
  assert.equal(getCode(await login('nobody-at-all@example.com')), 'INVALID_CREDENTIALS');
  const answers = [];
  for (let tried = 0; tried < 4; tried += 1) answers.push(getCode(await login(person.email)));
  assert.deepEqual([answers[0], answers.at(-1)], ['INVALID_CREDENTIALS', 'RATE_LIMITED']);
  assertTold('RATE_LIMITED', /attempts/, 'INVALID_CREDENTIALS');
});

test('SESSION_EXPIRED is an expired session, and an ended one is UNAUTHENTICATED, as the table states', async () => {
  const [idle, out] = [await signUp(planes.controlUrl), await signUp(planes.controlUrl)];
  const database = await planes.database.client();
  const longAgo = `now() - interval '${LIMITS.sessions.idleTimeoutSeconds + 60} seconds'`;
  await database.query(`update sessions set last_used_at = ${longAgo} where user_id = $1`, [idle.user.id]);
  await database.end();
  await call(planes.controlUrl, 'POST', '/v1/auth/logout', { token: out.token, body: {} });
  const read = (token: string) => call(planes.controlUrl, 'GET', '/v1/auth/session', { token });
  assert.deepEqual([getCode(await read(idle.token)), getCode(await read(out.token))], ['SESSION_EXPIRED', 'UNAUTHENTICATED']);
  assertTold('UNAUTHENTICATED', /revoked/, 'SESSION_EXPIRED');
});

test('INVALID_POLICY is a version whose tests fail at its activation, as the table states', async () => {
  const tests = [{ name: 'wrong', given: {}, then: { effect: 'BLOCK' } }];
  const rules = [{ id: 'allow', effect: 'ALLOW', reason: 'Fine.' }];
  const { json } = await governed.owner('POST', '/v1/policies', { name: 'failing', rules, tests });
  const body = { version_id: json.versions[0].version_id, reason: 'sentence' };
  const refused = await governed.owner('POST', `/v1/policies/${json.id}/activate`, body);
  assert.deepEqual([refused.status, getCode(refused)], [400, 'INVALID_POLICY']);
  assert.equal(refused.json.error.details.failing_cases[0].name, 'wrong');
  assertTold('INVALID_POLICY', /failing or no tests/, 'UNPROCESSABLE');
});

test('TOOL_NOT_AUTHORIZED is a known tool, and an unknown one is NOT_FOUND, as the table states', async () => {
  const { agent, tool } = governed;
  assert.equal(getCode(await governed.act({ tool: 'nobody-registered-this' })), 'NOT_FOUND');
  assert.equal((await governed.owner('DELETE', `/v1/tools/${tool.id}/agents/${agent.id}`)).status, 200);
  assert.equal(getCode(await governed.act({})), 'TOOL_NOT_AUTHORIZED');
  assertTold('NOT_FOUND', /tool/, 'TOOL_NOT_AUTHORIZED', /unknown/);
});

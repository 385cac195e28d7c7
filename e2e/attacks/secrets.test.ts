import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { newAgent, newKeyPair, readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: StartedPlanes;
let governed: Governed;
before(async () => {
  planes = await startPlanes({ env: { LOG_LEVEL: 'debug' } });
  governed = await newGoverned(planes);
});
after(() => planes.stop());

/** Every secret of a run, by kind. */
const secrets = new Map<string, string>();
const secret = (what: string, text: string): string => {
  secrets.set(what, text);
  return text;
};

const PASSWORD = 'a very secret passphrase 7413';

let rounds = 0;

const anything = async (): Promise<TestResponse[]> => {
  rounds += 1;
  const { controlUrl, gatewayUrl } = planes;
  const { token } = governed.tenant;
  const email = `somebody.secret.${rounds}@example.com`;
  const post = (path: string, body: unknown, bearer?: string) => call(controlUrl, 'POST', path, { token: bearer, body });
  const signed = await post('/v1/auth/signup', { email, password: secret('password', PASSWORD), name: 'S', organizationName: 'S' });
  secret('session', signed.json.token);
  const key = await newControlClient(controlUrl, token).createApiKey({ body: { name: 'k', role_id: 'rol_00000000000000000000000007' } });
  secret('API key', key.token);
  const { workspace_id, environment_id } = governed.tenant;
  const made = await post('/v1/agents', { name: `generated ${rounds}`, workspace_id, environment_id, capabilities: [] }, token);
  secret('private key', made.json.data.private_key);
  const agent = await newAgent(governed.tenant);
  const audience = await readAudience(gatewayUrl);
  const assertion = secret('assertion', signAssertion(agent, audience));
  const minted = await call(gatewayUrl, 'POST', '/gateway/v1/token', { body: { agent_id: agent.id, assertion, sdk: SDK } });
  secret('agent token', minted.json.data.token);
  const parameters = { password: secret('parameter', 'parameter-secret-5521'), card: '4111111111111111' };
  return [
    signed,
    minted,
    await post('/v1/auth/login', { email, password: `${PASSWORD}!` }),
    await post('/v1/auth/login', { email, password: PASSWORD, extra: PASSWORD }),
    await post('/v1/auth/login', { email: PASSWORD, password: email }),
    await call(controlUrl, 'POST', '/v1/auth/login', { raw: `{"email":"${email}","password":"${PASSWORD}"` }),
    await post('/v1/auth/step-up', { password: PASSWORD }, signed.json.token),
    await post('/v1/auth/step-up', { password: 'wrong' }, signed.json.token),
    await call(controlUrl, 'GET', `/v1/agents?token=${signed.json.token}`, { token: `${signed.json.token}x` }),
    await call(controlUrl, 'GET', `/v1/nothing/${signed.json.token}`, { token: signed.json.token }),
    await call(controlUrl, 'GET', `/v1/agents/${key.token}`, { token: key.token }),
    await call(gatewayUrl, 'POST', '/gateway/v1/token', { body: { agent_id: agent.id, assertion, sdk: SDK } }),
    await call(gatewayUrl, 'POST', '/gateway/v1/token', { body: { agent_id: agent.id, assertion: `${assertion}x`, sdk: SDK } }),
    await governed.act({ parameters }, { token: minted.json.data.token }),
    await governed.act({ parameters, amount: -1 }),
    await post(
      '/v1/agents',
      { name: 'weak', workspace_id, environment_id, capabilities: [], public_key: made.json.data.private_key },
      token,
    ),
    await call(controlUrl, 'POST', `/v1/agents/${agent.id}/rotate-credentials`, {
      token,
      body: { public_key: newKeyPair().publicKey },
    }),
  ];
};

test('no secret is in the logs of either plane, at the debug level and after a database error', async () => {
  await anything();
  const owner = await planes.database.client();
  // A row that violates a constraint: PostgreSQL then quotes the whole row, including the password hash.
  await owner.query("alter table users add constraint nobody_called_broken check (name <> 'Broken')");
  const signup = { email: 'broken@example.com', password: PASSWORD, name: 'Broken', organizationName: 'B' };
  const broken = await call(planes.controlUrl, 'POST', '/v1/auth/signup', { body: signup });
  assert.equal(broken.json.error.code, 'INTERNAL_ERROR');
  const { rows } = await owner.query<{ password_hash: string }>('select password_hash from users limit 1');
  await owner.end();
  secret('hash of a password', (rows[0]?.password_hash ?? '').slice(0, 15));
  secret('master key', TEST_MASTER_KEY);
  for (const { pid } of [planes.control, ...planes.gateways]) assert.ok(pid);
  await planes.stop();
  const logs = planes.logs();
  assert.match(logs, /"route":"\/v1\/auth\/login","status":401/);
  assert.match(logs, /nobody_called_broken/);
  for (const [what, text] of secrets) {
    assert.ok(text.length > 10, what);
    for (const form of [text, encodeURIComponent(text), Buffer.from(text).toString('base64')])
      assert.ok(!logs.includes(form), `${what} is in the logs`);
  }
  for (const line of logs.trim().split('\n')) assert.doesNotThrow(() => JSON.parse(line), line);
  planes = await startPlanes({ env: { LOG_LEVEL: 'debug' } });
  governed = await newGoverned(planes);
});

test('no response reveals the implementation, and no refusal repeats a secret', async () => {
  const answers = await anything();
  for (const { status, text, headers } of answers) {
    if (status >= 400) for (const [what, one] of secrets) assert.ok(what === 'parameter' || !text.includes(one), `${what}: ${text}`);
    assert.doesNotMatch(
      text,
      /postgres|kysely|fastify|node_modules|\.ts:\d|\bat \w+ \(|select .* from|svc_(\w+_)?app|127\.0\.0\.1:5432|stack/i,
    );
    for (const name of ['server', 'x-powered-by', 'via']) assert.equal(headers.get(name), null, name);
  }
});

test('a secret that was returned once is nowhere in the database, including stored responses for retries', async () => {
  const { token, workspace_id, environment_id } = governed.tenant;
  const body = { name: 'replayed', workspace_id, environment_id, capabilities: [] };
  const create = () => call(planes.controlUrl, 'POST', '/v1/agents', { token, body, headers: { 'idempotency-key': 'once' } });
  const first = (await create()).json.data.private_key;
  assert.ok(first.length > 40);
  assert.equal((await create()).json.data.private_key, null);
  secret('generated key', first);
  await anything();
  const owner = await planes.database.client();
  const { rows: tables } = await owner.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'");
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`);
    const all = rows.map(({ row }) => row).join('\n');
    for (const [what, text] of secrets) {
      if (what === 'parameter' || what === 'hash of a password') continue;
      assert.ok(!all.includes(text), `${what} is in ${name}`);
    }
  }
  await owner.end();
});

test('only rows that return a secret have it in their schema', () => {
  const names = Object.entries(ENDPOINTS).filter(([, row]) => /"(token|access_token|private_key)":/.test(JSON.stringify(row.result)));
  assert.deepEqual(
    names.map(([name]) => name).sort(),
    [
      'acceptInvitation',
      'createAgent',
      'createApiKey',
      'createScimToken',
      'exportPassport',
      'getAgentPassport',
      'handshake',
      'issueOauthToken',
      'login',
      'mintToken',
      'redeemCliSignIn',
      'renewPassport',
      'rotateAgentCredentials',
      'rotateApiKey',
      'signup',
      'switchOrganization',
      'verifyMfa',
      'verifyPasskeySignIn',
      'verifySignup',
    ].sort(),
  );
});

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { mintToken, newAgent, readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

const running: Planes[] = [];
const start = async (env: Record<string, string>): Promise<Planes> => {
  const planes = await startPlanes({ env });
  running.push(planes);
  return planes;
};
after(() => Promise.all(running.map((planes) => planes.stop())));

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);

const login = (planes: Planes, email: string, password: string, headers: Record<string, string> = {}) =>
  call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password }, headers });

const assertTold = (answer: TestResponse, what: string): void => {
  assert.equal(getCode(answer), 'RATE_LIMITED', `${what}: ${answer.text}`);
  const seconds = Number(answer.headers.get('retry-after'));
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 900, `${what}: Retry-After ${answer.headers.get('retry-after')}`);
};

describe('guesses at a password', () => {
  test('are counted regardless of X-Forwarded-For, without a proxy', async () => {
    const planes = await start({ SVC_RATE_LOGIN_PER_MINUTE: '3' });
    for (let n = 0; n < 3; n += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${n}`, 'x-real-ip': `198.51.100.${n}`, forwarded: `for=198.51.100.${n}` };
      assert.equal(getCode(await login(planes, `victim-${n}@example.com`, 'wrong', headers)), 'INVALID_CREDENTIALS');
    }
    assertTold(await login(planes, 'victim-9@example.com', 'wrong', { 'x-forwarded-for': '203.0.113.9' }), 'another address');
  });

  test('are counted by the address that the proxy reports, and not by earlier entries', async () => {
    const planes = await start({ SVC_RATE_LOGIN_PER_MINUTE: '3', SVC_TRUST_PROXY: 'true', SVC_MAIL: 'none' });
    for (let n = 0; n < 3; n += 1) {
      const headers = { 'x-forwarded-for': `10.0.0.${n}, 198.51.100.${n}, 203.0.113.7` };
      assert.equal(getCode(await login(planes, `victim-${n}@example.com`, 'wrong', headers)), 'INVALID_CREDENTIALS');
    }
    assertTold(await login(planes, 'victim-9@example.com', 'wrong', { 'x-forwarded-for': '192.0.2.1, 203.0.113.7' }), 'the same');
    const elsewhere = await login(planes, 'victim-9@example.com', 'wrong', { 'x-forwarded-for': '203.0.113.7, 203.0.113.8' });
    assert.equal(getCode(elsewhere), 'INVALID_CREDENTIALS', 'what a caller wrote locks nobody else out');
  });

  test('are counted by network, since a caller has many IPv6 addresses', async () => {
    const planes = await start({ SVC_RATE_LOGIN_PER_MINUTE: '3', SVC_TRUST_PROXY: 'true', SVC_MAIL: 'none' });
    for (let n = 0; n < 3; n += 1) {
      const answer = await login(planes, `victim-${n}@example.com`, 'wrong', { 'x-forwarded-for': `2001:db8:0:1::${n}` });
      assert.equal(getCode(answer), 'INVALID_CREDENTIALS');
    }
    assertTold(await login(planes, 'victim-9@example.com', 'wrong', { 'x-forwarded-for': '2001:db8:0:1:ffff::1' }), 'the same network');
  });

  test('at one account are locked out in any form of the account, and do not block a step-up of a signed-in person', async () => {
    const planes = await start({ MAX_LOGIN_ATTEMPTS: '4', SVC_TRUST_PROXY: 'true', SVC_MAIL: 'none' });
    const person = await signUp(planes.controlUrl, { email: 'Mixed.Case@Example.com' });
    const spellings = ['mixed.case@example.com', 'MIXED.CASE@EXAMPLE.COM', 'Mixed.Case@Example.com'];
    for (const [n, email] of spellings.entries()) {
      assert.equal(getCode(await login(planes, email, 'wrong', { 'x-forwarded-for': `192.0.2.${n}` })), 'INVALID_CREDENTIALS');
    }
    const right = await login(planes, 'mixed.case@example.com', person.password, { 'x-forwarded-for': '198.51.100.1' });
    assertTold(right, 'the right password while locked');
    const proof = { token: person.token, body: { password: person.password } };
    assert.equal((await call(planes.controlUrl, 'POST', '/v1/auth/step-up', proof)).status, 200, 'step-up while locked');
  });
});

describe('a budget', () => {
  test('belongs to a person, not a session: more sessions give no more requests', async () => {
    const planes = await start({ SVC_RATE_CONTROL_PLANE_PER_MINUTE: '20' });
    const person = await signUp(planes.controlUrl);
    const again = await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email: person.email, password: person.password } });
    const ask = (token: string) => call(planes.controlUrl, 'GET', '/v1/agents', { token });
    const answers: TestResponse[] = [];
    for (let n = 0; n < 24; n += 1) answers.push(await ask(n % 2 === 0 ? person.token : again.token));
    const limited = answers.filter((answer) => answer.status === 429);
    assert.equal(limited.length, 4);
    for (const answer of limited) assertTold(answer, 'over budget');
    for (const [n, { headers }] of answers.entries()) {
      assert.equal(headers.get('ratelimit-limit'), '20');
      assert.equal(headers.get('ratelimit-remaining'), String(Math.max(0, 19 - n)));
      const reset = Number(headers.get('ratelimit-reset'));
      assert.ok(reset >= 0 && reset <= 60);
    }
    const other = await call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email: 'x@example.com', password: 'x' } });
    assert.equal(getCode(other), 'INVALID_CREDENTIALS', 'somebody else still has theirs');
  });

  test('is used by refused requests too, and not by unauthenticated requests', async () => {
    const planes = await start({ SVC_RATE_GATEWAY_ACTIONS_PER_MINUTE: '10', SVC_RATE_GATEWAY_TOKEN_PER_MINUTE: '5' });
    const governed = await newGoverned(planes);
    const codes: string[] = [];
    for (let n = 0; n < 12; n += 1) codes.push(getCode(await governed.act(n % 2 === 0 ? {} : { amount: -1 })));
    assert.deepEqual(codes.slice(10), ['RATE_LIMITED', 'RATE_LIMITED']);
    assert.ok(!codes.slice(0, 10).includes('RATE_LIMITED'));

    const victim = await newAgent(governed.tenant);
    const stranger = await newAgent(governed.tenant);
    const audience = await readAudience(planes.gatewayUrl);
    const forged = () => signAssertion({ id: victim.id, privateKey: stranger.privateKey }, audience);
    for (let n = 0; n < 20; n += 1) {
      const body = { agent_id: victim.id, assertion: forged(), sdk: SDK };
      assert.equal(getCode(await call(planes.gatewayUrl, 'POST', '/gateway/v1/token', { body })), 'AGENT_AUTHENTICATION_FAILED');
    }
    for (let n = 0; n < 5; n += 1) assert.ok(await mintToken(planes.gatewayUrl, victim));
    const body = { agent_id: victim.id, assertion: signAssertion(victim, audience), sdk: SDK };
    const sixth = await call(planes.gatewayUrl, 'POST', '/gateway/v1/handshake', { body });
    assertTold(sixth, 'the sixth token');
  });
});

test('a stolen session ends with its sign-out, and so does its step-up', async () => {
  const planes = await start({});
  const tenant = await newTenant(planes);
  const credentials = { email: tenant.email, password: tenant.password };
  const before = await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', { body: credentials });
  await stepUp(planes.controlUrl, tenant);
  const pause = (token: string) =>
    call(planes.controlUrl, 'POST', `/v1/environments/${tenant.environment_id}/pause`, { token, body: { reason: 'test' } });
  const later = await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', { body: credentials });
  for (const other of [before, later])
    assert.equal(getCode(await pause(other.token)), 'STEP_UP_REQUIRED', 'a proof is given for one session');
  assert.equal((await call(planes.controlUrl, 'POST', '/v1/auth/logout', { token: tenant.token })).status, 200);
  assert.equal(getCode(await pause(tenant.token)), 'UNAUTHENTICATED');
  const proof = await call(planes.controlUrl, 'POST', '/v1/auth/step-up', { token: tenant.token, body: { password: tenant.password } });
  assert.equal(getCode(proof), 'UNAUTHENTICATED');
});

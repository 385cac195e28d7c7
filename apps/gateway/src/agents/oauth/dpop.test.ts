import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { readAudience, SDK, signAssertion, signClientAssertion, type TestAgent } from '@svc/testing/agents/agent.ts';
import { type Delegating, newDelegating } from '@svc/testing/agents/delegating.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';

let planes: Planes;
let issuer: string;
let own: Delegating;
let agent: TestAgent;
before(async () => {
  planes = await leasePlanes();
  issuer = await readAudience(planes.gatewayUrl);
  own = await newDelegating(planes, 2);
  const [first] = own.agents;
  assert.ok(first);
  agent = first;
  const changed = await own.owner('PATCH', `/v1/agents/${agent.id}`, { require_dpop: true });
  assert.equal(changed.json.require_dpop, true, changed.text);
});
after(() => planes.stop());

const TOKEN_PATH = '/gateway/v1/oauth/token';
const ACTIONS = '/gateway/v1/actions';
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const INSECURE = { [oauth.allowInsecureRequests]: true };

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
type Parts = { readonly header?: object; readonly payload?: object; readonly pair?: Pair; readonly alg?: string };

const newPair = (alg = 'ES256'): Promise<Pair> => generateKeyPair(alg, { extractable: true });
const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Creates a valid proof, except for replaced members. */
const prove = async (pair: Pair, htm: string, htu: string, nonce: string, { header, payload, alg = 'ES256', ...parts }: Parts = {}) =>
  new SignJWT({ htm, htu, jti: randomUUID(), iat: Math.floor(Date.now() / 1000), nonce, ...payload })
    .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk: await exportJWK(pair.publicKey), ...header })
    .sign((parts.pair ?? pair).privateKey);

const requestToken = (dpop: string | undefined, form: Readonly<Record<string, string>> = {}, of = agent): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'POST', TOKEN_PATH, {
    raw: new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: ASSERTION,
      client_assertion: signClientAssertion(of, issuer),
      ...form,
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(dpop === undefined ? {} : { dpop }) },
  });

const readNonce = async (): Promise<string> => (await requestToken('x')).headers.get('dpop-nonce') ?? '';

/** Creates a token bound to a new key, and the functions to use it. */
const newBound = async (form: Readonly<Record<string, string>> = {}) => {
  const [pair, nonce] = [await newPair(), await readNonce()];
  const { json, text } = await requestToken(await prove(pair, 'POST', issuer + TOKEN_PATH, nonce), form);
  assert.equal(json.token_type, 'DPoP', text);
  const token: string = json.access_token;
  const proof = (parts: Parts = {}, htu = issuer + ACTIONS, htm = 'POST') =>
    prove(pair, htm, htu, nonce, { ...parts, payload: { ath: hashToken(token), ...parts.payload } });
  return { pair, nonce, token, proof };
};

const act = (
  authorization: string,
  dpop: string | undefined,
  { url = planes.gatewayUrl, path = ACTIONS, method = 'POST' } = {},
): Promise<TestResponse> =>
  call(url, method, path, {
    ...(method === 'GET' ? {} : { body: { tool: own.tool.name } }),
    headers: { authorization, ...(dpop === undefined ? {} : { dpop }) },
  });

describe('an agent that requires proofs', () => {
  for (const alg of ['ES256', 'Ed25519'])
    test(`works with a stock client and a key for ${alg}, whose token is bound to it`, async () => {
      const url = new URL(issuer);
      const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, { algorithm: 'oauth2', ...INSECURE }));
      const client = { client_id: agent.id };
      const pair = await oauth.generateKeyPair(alg, { extractable: true });
      const DPoP = oauth.DPoP({}, pair);
      const key = (await importJWK({ ...(await exportJWK(agent.privateKey)), alg: 'EdDSA' }, 'EdDSA')) as CryptoKey;
      const grant = async () =>
        oauth.processClientCredentialsResponse(
          server,
          client,
          await oauth.clientCredentialsGrantRequest(server, client, oauth.PrivateKeyJwt(key), {}, { DPoP, ...INSECURE }),
        );
      // The first request has no nonce yet.
      await assert.rejects(grant, oauth.isDPoPNonceError);
      const { access_token, token_type } = await grant();
      assert.equal(token_type, 'dpop');
      const jkt = await calculateJwkThumbprint(await exportJWK(pair.publicKey));
      assert.deepEqual(decodeJwt(access_token).cnf, { jkt });
      for (const _ of [1, 2]) {
        const headers = new Headers({ 'content-type': 'application/json' });
        const body = JSON.stringify({ tool: own.tool.name });
        const answer = await oauth.protectedResourceRequest(access_token, 'POST', new URL(issuer + ACTIONS), headers, body, {
          DPoP,
          ...INSECURE,
        });
        assert.equal(answer.status, 200, await answer.clone().text());
      }
    });

  test('gets no token without a proof, in any form of sign-in, and its assertion is not used up', async () => {
    const client_assertion = signClientAssertion(agent, issuer);
    const refused = await requestToken(undefined, { client_assertion });
    assert.deepEqual([refused.status, refused.json.error, refused.json.access_token], [400, 'invalid_dpop_proof', undefined]);
    const nonce = await readNonce();
    const { status } = await requestToken(await prove(await newPair(), 'POST', issuer + TOKEN_PATH, nonce), { client_assertion });
    assert.equal(status, 200);
    for (const path of ['/gateway/v1/token', '/gateway/v1/handshake']) {
      const body = () => ({ agent_id: agent.id, assertion: signAssertion(agent, issuer), sdk: SDK });
      assert.equal((await call(planes.gatewayUrl, 'POST', path, { body: body() })).json.error.code, 'UNPROCESSABLE');
      const dpop = await prove(await newPair(), 'POST', issuer + path, nonce);
      const { json } = await call(planes.gatewayUrl, 'POST', path, { body: body(), headers: { dpop } });
      assert.equal(json.data?.token_type, 'DPoP');
    }
  });

  test('loses its earlier sessions when proofs are first required, and requires a step-up to require none', async () => {
    const [, second] = own.agents;
    assert.ok(second);
    assert.equal((await own.actAs(1, {})).status, 200);
    await own.owner('PATCH', `/v1/agents/${second.id}`, { require_dpop: true });
    assert.equal((await own.actAs(1, {})).status, 401);
    const other = await newDelegating(planes, 1);
    const id = other.agents[0]?.id;
    await other.owner('PATCH', `/v1/agents/${id}`, { require_dpop: true });
    await planes.database.client().then(async (owner) => {
      await owner.query('update sessions set stepped_up_until = null where user_id = $1', [other.tenant.user.id]);
      await owner.end();
    });
    const loosened = await other.owner('PATCH', `/v1/agents/${id}`, { require_dpop: false });
    assert.equal(loosened.json.error?.code, 'STEP_UP_REQUIRED', loosened.text);
  });

  test('exchanges its token for one that is bound too, with a proof only', async () => {
    const { pair, nonce, token } = await newBound();
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      client_assertion: '',
      client_assertion_type: '',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      resource: 'https://ledger.example/',
    };
    assert.equal((await requestToken(undefined, form)).json.error, 'invalid_dpop_proof');
    assert.equal(
      (await requestToken(await prove(await newPair(), 'POST', issuer + TOKEN_PATH, nonce), form)).json.error,
      'invalid_dpop_proof',
    );
    const { json, text } = await requestToken(await prove(pair, 'POST', issuer + TOKEN_PATH, nonce), form);
    assert.equal(json.token_type, 'DPoP', text);
    assert.deepEqual(decodeJwt(json.access_token).cnf, { jkt: await calculateJwkThumbprint(await exportJWK(pair.publicKey)) });
  });
});

describe('the token endpoint refuses a proof', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const cases: readonly (readonly [string, Parts | string, string])[] = [
    ['that is a text', 'x.y.z', 'invalid_dpop_proof'],
    ['for another method', { payload: { htm: 'GET' } }, 'invalid_dpop_proof'],
    ['for another address', { payload: { htu: 'https://evil.example/gateway/v1/oauth/token' } }, 'invalid_dpop_proof'],
    ['that is old', { payload: { iat: now() - 4_000 } }, 'invalid_dpop_proof'],
    ['of the future', { payload: { iat: now() + 4_000 } }, 'invalid_dpop_proof'],
    ['with a time as text', { payload: { iat: String(now()) } }, 'invalid_dpop_proof'],
    ['without jti', { payload: { jti: undefined } }, 'invalid_dpop_proof'],
    ['of another type', { header: { typ: 'JWT' } }, 'invalid_dpop_proof'],
    ['without a nonce', { payload: { nonce: undefined } }, 'use_dpop_nonce'],
    ['with a nonce of others', { payload: { nonce: 'x'.repeat(43) } }, 'use_dpop_nonce'],
  ];
  for (const [name, parts, word] of cases)
    test(name, async () => {
      const nonce = await readNonce();
      const proof = typeof parts === 'string' ? parts : await prove(await newPair(), 'POST', issuer + TOKEN_PATH, nonce, parts);
      const { status, json, headers, text } = await requestToken(proof);
      assert.deepEqual([status, json.error, json.access_token], [400, word, undefined], text);
      assert.ok(headers.get('dpop-nonce'));
    });

  test('that is signed with another key than it states, or states a private one', async () => {
    const [pair, nonce] = [await newPair(), await readNonce()];
    const forged = await prove(pair, 'POST', issuer + TOKEN_PATH, nonce, { pair: await newPair() });
    assert.equal((await requestToken(forged)).json.error, 'invalid_dpop_proof');
    const leaking = await prove(pair, 'POST', issuer + TOKEN_PATH, nonce, { header: { jwk: await exportJWK(pair.privateKey) } });
    assert.equal((await requestToken(leaking)).json.error, 'invalid_dpop_proof');
  });

  test('a second time, on either gateway', async () => {
    const proof = await prove(await newPair(), 'POST', issuer + TOKEN_PATH, await readNonce());
    const answers = await Promise.all([1, 2, 3, 4].map(() => requestToken(proof)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400]);
  });
});

describe('an endpoint refuses a bound token', () => {
  const cases: readonly (readonly [string, (bound: Awaited<ReturnType<typeof newBound>>) => Promise<TestResponse>, string])[] = [
    ['as a bearer token', ({ token }) => act(`Bearer ${token}`, undefined), 'invalid_token'],
    ['as a bearer token with a proof', async ({ token, proof }) => act(`Bearer ${token}`, await proof()), 'invalid_token'],
    ['without a proof', ({ token }) => act(`DPoP ${token}`, undefined), 'invalid_dpop_proof'],
    [
      'with a proof by another key',
      async ({ token, nonce }) =>
        act(`DPoP ${token}`, await prove(await newPair(), 'POST', issuer + ACTIONS, nonce, { payload: { ath: hashToken(token) } })),
      'invalid_dpop_proof',
    ],
    [
      'with a proof for another token',
      async ({ token, proof }) => act(`DPoP ${token}`, await proof({ payload: { ath: hashToken('x') } })),
      'invalid_dpop_proof',
    ],
    [
      'with a proof of the token endpoint',
      async ({ token, proof }) => act(`DPoP ${token}`, await proof({ payload: { ath: undefined } })),
      'invalid_dpop_proof',
    ],
    [
      'with a proof for another method',
      async ({ token, proof }) => act(`DPoP ${token}`, await proof({}, issuer + ACTIONS, 'GET')),
      'invalid_dpop_proof',
    ],
    [
      'with a proof for another address',
      async ({ token, proof }) => act(`DPoP ${token}`, await proof({}, `${issuer}/gateway/v1/delegations`)),
      'invalid_dpop_proof',
    ],
    [
      'with a proof for another origin',
      async ({ token, proof }) => act(`DPoP ${token}`, await proof({}, `https://evil.example${ACTIONS}`)),
      'invalid_dpop_proof',
    ],
    [
      'with an old proof',
      async ({ token, proof }) => act(`DPoP ${token}`, await proof({ payload: { iat: Math.floor(Date.now() / 1000) - 400 } })),
      'invalid_dpop_proof',
    ],
    ['without a nonce', async ({ token, proof }) => act(`DPoP ${token}`, await proof({ payload: { nonce: undefined } })), 'use_dpop_nonce'],
  ];
  for (const [name, ask, word] of cases)
    test(name, async () => {
      const { status, headers, text } = await ask(await newBound());
      assert.equal(status, 401, text);
      assert.match(headers.get('www-authenticate') ?? '', new RegExp(`^DPoP error="${word}"`));
      assert.ok(headers.get('dpop-nonce'));
    });

  test('with a used proof, on either gateway', async () => {
    const { token, proof } = await newBound();
    const dpop = await proof();
    const [one = '', other = one] = planes.gatewayUrls;
    const answers = await Promise.all([one, other, one, other].map((url) => act(`DPoP ${token}`, dpop, { url })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401]);
  });

  test('at another resource than its own, even with a valid proof', async () => {
    const { token, proof } = await newBound({ resource: `${issuer}/gateway/v1/mcp` });
    assert.equal((await act(`DPoP ${token}`, await proof())).status, 401);
  });

  test('and accepts no bearer token in place of a bound one', async () => {
    const bearer = await newDelegating(planes, 1);
    const { status, headers } = await act(`DPoP ${bearer.agents[0]?.token}`, undefined);
    assert.deepEqual([status, /invalid_token/.test(headers.get('www-authenticate') ?? '')], [401, true]);
  });
});

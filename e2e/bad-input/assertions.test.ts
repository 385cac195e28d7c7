import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { ASSERTION_TYPE } from '@svc/contract/tables/wire-name.ts';
import {
  mintToken,
  newAgent,
  newKeyPair,
  readAudience,
  SDK,
  signAssertion,
  signCompactJws,
  type TestAgent,
} from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';
import { assertRefused, assertStoresNothing, normalizeResponse } from './refusals.ts';

let planes: Planes;
let other: Planes;
let governed: Governed;
let agent: TestAgent;
let audience: string;
let owner: pg.Client;
before(async () => {
  [planes, other] = await Promise.all([leasePlanes(), leasePlanes()]);
  governed = await newGoverned(planes);
  agent = governed.agent;
  audience = await readAudience(planes.gatewayUrl);
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await Promise.all([planes.stop(), other.stop()]);
});

const PATHS = ['/gateway/v1/token', '/gateway/v1/handshake'];

const present = (assertion: string, path = PATHS[0], agent_id = agent.id): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'POST', path ?? '', { body: { agent_id, assertion, sdk: SDK } });

const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
const b64 = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const nonce = (): string => randomBytes(24).toString('base64url');
const HEADER = () => ({ alg: 'EdDSA', typ: ASSERTION_TYPE, kid: `${agent.id}#1` });
const PAYLOAD = () => ({ sub: agent.id, aud: audience, iat: at(0), exp: at(60_000), nonce: nonce() });

const withHeader = (header: object): string => signAssertion(agent, audience, { header });
const withPayload = (payload: object): string => signAssertion(agent, audience, { payload });
const without = (name: string): string => {
  const { [name as 'sub']: _, ...rest } = PAYLOAD();
  return signCompactJws(HEADER(), rest, agent.privateKey);
};

const signedWith = (alg: string, signature: (signed: string) => Buffer): string => {
  const signed = `${b64({ ...HEADER(), alg })}.${b64(PAYLOAD())}`;
  return `${signed}.${signature(signed).toString('base64url')}`;
};

const publicBytes = (): Buffer => Buffer.from(agent.publicKey, 'base64');
const parts = (): [string, string, string] => signAssertion(agent, audience).split('.') as [string, string, string];
const flipped = (text: string): string => {
  const bytes = Buffer.from(text, 'base64url');
  bytes[10] = (bytes[10] ?? 0) ^ 1;
  return bytes.toString('base64url');
};

/** None of these is an assertion of this agent. Errors of format are reported; all others get exactly the same response. */
const malformed = (): Readonly<Record<string, string>> => {
  const [h, p, s] = parts();
  const stranger = newKeyPair();
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const json = JSON.stringify(PAYLOAD());
  const raw = (payload: string) => signCompactJws(HEADER(), payload, agent.privateKey);
  return {
    'alg none, unsigned': `${b64({ ...HEADER(), alg: 'none' })}.${b64(PAYLOAD())}.`,
    'alg none, signed': withHeader({ alg: 'none' }),
    'alg HS256 with the public key as its secret': signedWith('HS256', (text) => createHmac('sha256', publicBytes()).update(text).digest()),
    'alg HS256 with the public key as text': signedWith('HS256', (text) => createHmac('sha256', agent.publicKey).update(text).digest()),
    'alg EdDSA over an HMAC': signedWith('EdDSA', (text) => createHmac('sha512', publicBytes()).update(text).digest()),
    'alg ES256': signedWith('ES256', (text) => sign('sha256', Buffer.from(text), { key: ec, dsaEncoding: 'ieee-p1363' })),
    'alg Ed25519': withHeader({ alg: 'Ed25519' }),
    'alg in lower case': withHeader({ alg: 'eddsa' }),
    'alg as a list': withHeader({ alg: ['EdDSA'] }),
    'a critical extension': withHeader({ crit: ['exp'] }),
    'an empty crit': withHeader({ crit: [] }),
    'a key in its header': withHeader({ jwk: stranger.privateKey.export({ format: 'jwk' }) }),
    'a key elsewhere': withHeader({ jku: 'http://127.0.0.1/keys' }),
    'an unencoded payload': withHeader({ b64: false }),
    'typ JWT': withHeader({ typ: 'JWT' }),
    'the typ of a token': withHeader({ typ: 'svc-agent+jwt' }),
    'no typ': signCompactJws({ alg: 'EdDSA', kid: `${agent.id}#1` }, PAYLOAD(), agent.privateKey),
    'no kid': signCompactJws({ alg: 'EdDSA', typ: ASSERTION_TYPE }, PAYLOAD(), agent.privateKey),
    'the kid of a key that never was': withHeader({ kid: `${agent.id}#2` }),
    'a kid without generation': withHeader({ kid: agent.id }),
    'generation 0': withHeader({ kid: `${agent.id}#0` }),
    'generation 01': withHeader({ kid: `${agent.id}#01` }),
    'generation 1.0': withHeader({ kid: `${agent.id}#1.0` }),
    'two generations': withHeader({ kid: `${agent.id}#1#1` }),
    'a generation as injection': withHeader({ kid: `${agent.id}#1 or 1=1` }),
    'a huge generation': withHeader({ kid: `${agent.id}#99999999999999999999` }),
    'another key': signAssertion({ id: agent.id, privateKey: stranger.privateKey }, audience),
    'another subject': withPayload({ sub: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV' }),
    'a flipped bit of the signature': `${h}.${p}.${flipped(s)}`,
    'a flipped bit of the payload': `${h}.${flipped(p)}.${s}`,
    'junk after the signature': `${h}.${p}.${s}AA`,
    'a newline after the signature': `${h}.${p}.${s}\n`,
    'padding after the signature': `${h}.${p}.${s}==`,
    'loose bits in the signature': `${h}.${p}.${s.slice(0, -1)}${s.endsWith('A') ? 'B' : String.fromCharCode(s.charCodeAt(85) + 1)}`,
    'a fourth part': `${h}.${p}.${s}.${s}`,
    'two parts': `${h}.${p}`,
    'a space inside': `${h}. ${p}.${s}`,
    'standard base64': `${h}.${p}.${s.replaceAll('-', '+').replaceAll('_', '/')}${/[-_]/.test(s) ? '' : '+'}`,
    'a signature of no bytes': `${h}.${p}.`,
    'a signature of zeros': `${h}.${p}.${Buffer.alloc(64).toString('base64url')}`,
    'times as numbers': withPayload({ iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 60 }),
    'times as numbers in text': withPayload({ iat: String(Date.now()), exp: String(Date.now() + 60_000) }),
    '30 February': withPayload({ iat: `${new Date().getUTCFullYear()}-02-30T00:00:00.000Z` }),
    'a time without Z': withPayload({ iat: at(0).slice(0, -1) }),
    'a time without milliseconds': withPayload({ iat: at(0).replace(/\.\d+/, '') }),
    'a time with an offset': withPayload({ iat: at(0).replace('Z', '+00:00') }),
    'year 0': withPayload({ iat: '0000-01-01T00:00:00.000Z' }),
    'a time of six digits': withPayload({ exp: '+275760-09-13T00:00:00.000Z' }),
    'an empty time': withPayload({ iat: '' }),
    'no time': withPayload({ exp: null }),
    'no nonce': without('nonce'),
    'no exp': without('exp'),
    'no iat': without('iat'),
    'no aud': without('aud'),
    'no sub': without('sub'),
    'a nonce of 120 bits': withPayload({ nonce: randomBytes(15).toString('base64url') }),
    'an empty nonce': withPayload({ nonce: '' }),
    'a nonce that is too long': withPayload({ nonce: 'a'.repeat(200) }),
    'a nonce with other characters': withPayload({ nonce: `${nonce()}=` }),
    'a nonce as a number': withPayload({ nonce: Number.MAX_SAFE_INTEGER }),
    'audiences as a list': withPayload({ aud: [audience] }),
    'one claim more': withPayload({ act: { sub: 'admin' } }),
    'a claim twice': raw(`{"sub":"agt_01ARZ3NDEKTSV4RRFFQ69G5FAV",${json.slice(1)}`),
    'a claim twice, once escaped': raw(`${json.slice(0, -1)},"su\\u0062":"${agent.id}"}`),
    'a payload in a list': raw(`[${json}]`),
    'junk after the payload': raw(`${json}x`),
    'a payload that is no text': signCompactJws(HEADER(), '\ud800', agent.privateKey),
    'a name on every object': withPayload({ __proto__x: 'x', constructor: 'y' }),
    'only dots': '...',
    'a token of this gateway': governed.token,
  };
};

describe('a malformed assertion', () => {
  test('is answered like any other, for any fault, and leaves no trace', async () => {
    const expected = normalizeResponse(await present(signAssertion({ id: agent.id, privateKey: newKeyPair().privateKey }, audience)));
    const untold = new Set<string>();
    await assertStoresNothing(owner, async () => {
      const all = Object.entries(malformed());
      assert.ok(all.length >= 13);
      for (const [what, assertion] of all) {
        for (const path of PATHS) {
          const answer = await present(assertion, path);
          assertRefused(answer, 'AGENT_AUTHENTICATION_FAILED', what);
          const { fault } = answer.json.error.details ?? {};
          assert.equal(normalizeResponse(answer).replace(`,"details":${JSON.stringify({ fault })}`, ''), expected, what);
          if (fault === undefined) untold.add(what);
          else assert.ok(typeof fault === 'string' && fault.length < 200 && !fault.includes(agent.id), what);
        }
      }
    });
    const unproven = ['alg EdDSA over an HMAC', 'the kid of a key that never was', 'another key', 'a flipped bit of the signature'];
    assert.deepEqual([...untold].sort(), [...unproven, 'a signature of zeros'].sort());
    assert.equal((await present(signAssertion(agent, audience))).status, 200);
  });

  test('that is no text of the right length is a fault of the body', () =>
    assertStoresNothing(owner, async () => {
      for (const assertion of ['', 'x'.repeat(4097)]) assertRefused(await present(assertion), 'VALIDATION_FAILED', `${assertion.length}`);
    }));
});

describe('an assertion that is genuine', () => {
  test('is valid for one audience in its exact form', () =>
    assertStoresNothing(owner, async () => {
      const { port } = new URL(audience);
      const wrong = [
        `${audience}/`,
        `${audience}:`,
        `${audience}?`,
        `http://localhost:${port}`,
        `http://127.1:${port}`,
        `HTTP://127.0.0.1:${port}`,
      ];
      for (const aud of [
        ...wrong,
        `${audience} `,
        audience.slice(0, -1),
        '',
        '*',
        await readAudience(other.gatewayUrl),
        planes.controlUrl,
      ]) {
        assertRefused(await present(signAssertion(agent, aud)), 'AGENT_AUTHENTICATION_FAILED', aud);
      }
    }));

  test('is valid now: not expired, not from the future, and with a limited life', () =>
    assertStoresNothing(owner, async () => {
      const times: Readonly<Record<string, object>> = {
        expired: { exp: at(-1_000) },
        'expired as it was issued': { iat: at(-5_000), exp: at(-5_000) },
        'issued after it expires': { iat: at(60_000), exp: at(30_000) },
        'issued too long ago': { iat: at(-121_000), exp: at(60_000) },
        'from the future': { iat: at(125_000), exp: at(130_000) },
        'of 301 seconds': { iat: at(0), exp: at(301_000) },
        'of a thousand years': { exp: '3000-01-01T00:00:00.000Z' },
      };
      for (const [what, payload] of Object.entries(times)) {
        const answer = await present(withPayload(payload));
        assertRefused(answer, 'TIMESTAMP_OUT_OF_WINDOW', what);
        assert.ok(Math.abs(Date.parse(answer.json.error.details.server_time) - Date.now()) < 60_000);
      }
    }));

  test('is redeemed once, by any endpoint, and lives 300 seconds at most', async () => {
    const fixed = nonce();
    const first = withPayload({ nonce: fixed, iat: at(0), exp: at(299_000) });
    assert.equal((await present(first)).status, 200);
    await assertStoresNothing(owner, async () => {
      for (const again of [first, withPayload({ nonce: fixed })]) {
        for (const path of PATHS) assertRefused(await present(again, path), 'NONCE_REPLAYED', path);
      }
    });
    const colleague = await newAgent(governed.tenant);
    assert.equal((await present(signAssertion(colleague, audience, { payload: { nonce: fixed } }), PATHS[0], colleague.id)).status, 200);
  });

  test('is valid only for the agent that the body names too', () =>
    assertStoresNothing(owner, async () => {
      const assertion = signAssertion(agent, audience);
      for (const name of ['agt_01ARZ3NDEKTSV4RRFFQ69G5FAV', agent.id.toLowerCase(), `${agent.id} `, 'agt_']) {
        assertRefused(await present(assertion, PATHS[0], name), 'AGENT_AUTHENTICATION_FAILED', name);
      }
    }));
});

describe('a credential', () => {
  const gateway = (token: string) => call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token, body: { tool: 'pay' } });
  const control = (token: string) => call(planes.controlUrl, 'GET', '/v1/agents', { token });

  test('is valid for its own plane and its own deployment only', async () => {
    const elsewhere = await newGoverned(other);
    const key = await newControlClient(planes.controlUrl, governed.tenant.token).createApiKey({
      body: { name: 'k', role_id: 'rol_00000000000000000000000002' },
    });
    const [h, p, s] = governed.token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(p, 'base64url').toString());
    const forged = (header: object, payload: object) => signCompactJws(header, payload, agent.privateKey);
    const right = JSON.parse(Buffer.from(h, 'base64url').toString());
    const unsigned = `${b64({ ...right, alg: 'none' })}.${p}.`;
    const passport = await newControlClient(planes.controlUrl, governed.tenant.token).getAgentPassport({ params: { agentId: agent.id } });
    await assertStoresNothing(owner, async () => {
      for (const token of [governed.tenant.token, key.token, elsewhere.token, signAssertion(agent, audience), passport.token]) {
        assertRefused(await gateway(token), 'UNAUTHENTICATED', token.slice(0, 20));
      }
      for (const token of [
        unsigned,
        forged(right, claims),
        forged({ ...right, kid: agent.id }, claims),
        `${h}.${p}.${s}x`,
        `${h}.${flipped(p)}.${s}`,
      ]) {
        assertRefused(await gateway(token), 'UNAUTHENTICATED', token.slice(0, 20));
      }
      for (const token of [governed.token, elsewhere.token, elsewhere.tenant.token, signAssertion(agent, audience), passport.token]) {
        assertRefused(await control(token), 'UNAUTHENTICATED', token.slice(0, 20));
      }
      for (const secret of [governed.tenant.token, key.token]) {
        const last = secret.at(-1) === '0' ? '1' : '0';
        const swapped = secret.replace('svc_ses_', 'svc_tmp_').replace('svc_key_', 'svc_ses_').replace('svc_tmp_', 'svc_key_');
        for (const near of [secret.slice(0, -1), `${secret}0`, secret.slice(0, -1) + last, secret.toUpperCase(), swapped]) {
          assertRefused(await control(near), 'UNAUTHENTICATED', near.slice(0, 12));
        }
      }
    });
    assert.equal((await gateway(await mintToken(planes.gatewayUrl, agent))).status, 200);
    assert.equal((await control(key.token)).status, 200);
  });
});

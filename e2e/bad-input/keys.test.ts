import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { newAgent, newKeyPair, type TestAgent } from '@svc/testing/agents/agent.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';
import { assertAssertFault, assertStoresNothing } from './refusals.ts';

const s = createScene();
let agent: TestAgent;
s.before(async () => {
  agent = await newAgent(s.tenant);
});

const SPKI_HEAD = '302a300506032b6570032100';
const spki = (rawHex: string): string => Buffer.from(SPKI_HEAD + rawHex, 'hex').toString('base64');

/** The eight points of small order of edwards25519, and non-canonical encodings of some of them (refused by RFC 8032, section 5.1.3). */
const SMALL_ORDER = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
];
/** One whose y is on no point of the curve; and one with a component of small order. */
const NO_POINT = '0200000000000000000000000000000000000000000000000000000000000000';
const MIXED_ORDER = 'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d';

const exported = (type: 'rsa' | 'ec' | 'x25519' | 'ed448' | 'dsa'): string => {
  const options = { rsa: { modulusLength: 2048 }, ec: { namedCurve: 'P-256' }, dsa: { modulusLength: 2048, divisorLength: 256 } };
  const { publicKey } = generateKeyPairSync(type as 'rsa', { ...(options as Record<string, object>)[type] } as { modulusLength: number });
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
};

const weakAndMalformed = (): Readonly<Record<string, string>> => {
  const { publicKey, privateKey } = newKeyPair();
  const der = Buffer.from(publicKey, 'base64');
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return {
    ...Object.fromEntries(SMALL_ORDER.map((raw) => [`small order ${raw.slice(0, 8)}...${raw.slice(-2)}`, spki(raw)])),
    'no point of the curve': spki(NO_POINT),
    'mixed order': spki(MIXED_ORDER),
    'y beyond the field': spki('ff'.repeat(32)),
    RSA: exported('rsa'),
    'P-256': exported('ec'),
    X25519: exported('x25519'),
    Ed448: exported('ed448'),
    'a private key': privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    PEM: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    'a JWK': JSON.stringify(privateKey.export({ format: 'jwk' })),
    'the raw 32 bytes': text(der.subarray(12)),
    hex: der.toString('hex'),
    'base64url without padding': der.toString('base64url').replace(/=+$/, ''),
    'no padding': publicKey.replace(/=+$/, ''),
    'a byte less': text(der.subarray(0, -1)),
    'a byte more': text(Buffer.concat([der, Buffer.of(0)])),
    'a line break inside': `${publicKey.slice(0, 20)}\n${publicKey.slice(20)}`,
    'a space around': ` ${publicKey}`,
    'loose bits': publicKey.replace(/.=$/, (end) => `${end === 'A=' ? 'B' : 'x'}=`),
    'another algorithm of the same length': text(Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), der.subarray(12)])),
    'an indefinite length': text(Buffer.concat([Buffer.from('3080', 'hex'), der.subarray(2)])),
    'an empty text': '',
    nonsense: 'not a key',
    'far too long': 'A'.repeat(100_000),
  };
};

const register = (public_key: unknown): Promise<TestResponse> => {
  const { workspace_id, environment_id, token } = s.tenant;
  const body = { name: 'weak', workspace_id, environment_id, capabilities: [], public_key };
  return call(s.planes.controlUrl, 'POST', '/v1/agents', { token, body });
};
const rotate = (public_key: unknown): Promise<TestResponse> =>
  call(s.planes.controlUrl, 'POST', `/v1/agents/${agent.id}/rotate-credentials`, { token: s.tenant.token, body: { public_key } });

describe('a weak or malformed public key', () => {
  for (const [what, key] of Object.entries(weakAndMalformed())) {
    test(`${what}: refused at registration and at rotation, and nothing changes`, () =>
      assertStoresNothing(s.owner, async () => {
        for (const enter of [register, rotate]) {
          const answer = await enter(key);
          assertAssertFault(answer, '/public_key', enter.name);
          assert.ok(key.length < 20 || !answer.text.includes(key.slice(0, 40)), 'a key is not repeated');
        }
      }));
  }

  test('is only text', () =>
    assertStoresNothing(s.owner, async () => {
      for (const key of [null, 5, true, [], {}, [newKeyPair().publicKey]]) {
        for (const enter of [register, rotate]) assertAssertFault(await enter(key), '/public_key', JSON.stringify(key));
      }
    }));

  test('while a valid one of the same form is accepted', async () => {
    assert.equal((await register(newKeyPair().publicKey)).status, 201);
    assert.equal((await rotate(newKeyPair().publicKey)).status, 200);
  });
});

test('a key that was ever withdrawn in the organization cannot return, for any agent', async () => {
  const first = newKeyPair().publicKey;
  assert.equal((await rotate(first)).status, 200);
  assert.equal((await rotate(newKeyPair().publicKey)).status, 200);
  await assertStoresNothing(s.owner, async () => {
    assertAssertFault(await rotate(first), '/public_key', 'rotation');
    assertAssertFault(await register(first), '/public_key', 'registration');
  });
});

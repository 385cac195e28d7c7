import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type A2aScene, newA2aScene } from '@svc/testing/agents/a2a-scene.ts';
import { MCP_ENV } from '@svc/testing/agents/mcp-scene.ts';
import { type CardSigningKey, newSigningKey, signChallenge } from '@svc/testing/peers/a2a-agent.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
const scenes: A2aScene[] = [];
before(async () => {
  planes = await leasePlanes({ env: MCP_ENV });
});
after(async () => {
  await Promise.all(scenes.map((scene) => scene.close()));
  await planes.stop();
});

const newScene = async (): Promise<A2aScene> => {
  const scene = await newA2aScene(planes);
  scenes.push(scene);
  return scene;
};

const listEvents = async ({ owner }: A2aScene, type: string) => (await owner('GET', `/v1/audit-events?type=${type}&limit=50`)).json.data;

test('registerA2aConnection, listA2aConnections, getA2aConnection, verifyA2aConnection: a connection is PENDING until its card is verified', async () => {
  const scene = await newScene();
  const { owner, connectionId, remote } = scene;
  const before = (await owner('GET', `/v1/a2a/connections/${connectionId}`)).json;
  assert.deepEqual([before.status, before.proof, before.card, before.tool_name], ['PENDING', null, null, 'a2a.partner']);
  const { json, status, text } = await scene.verify();
  assert.deepEqual([status, json.status, json.proof, json.verified_key], [200, 'VERIFIED', 'CARD', 'key-1'], text);
  assert.deepEqual([json.card.name, json.card.url, json.card.streaming], ['Remote agent', `${remote.url}/a2a`, true]);
  assert.equal((await owner('GET', '/v1/a2a/connections')).json[0].id, connectionId);
  const [verified] = await listEvents(scene, 'a2a.passport_verified');
  assert.deepEqual([verified.subject, verified.data.key], [{ type: 'a2a_connection', id: connectionId }, 'key-1']);
  remote.offersChallenge = true;
  const again = await scene.verify();
  assert.deepEqual([again.status, again.json.proof], [200, 'CARD_AND_CHALLENGE'], again.text);
});

test('verifyA2aConnection accepts a P-256 key, and empty members that a card requires', async () => {
  const { owner, tenant, remote } = await newScene();
  remote.key = newSigningKey('p256', 'ES256');
  const body = { name: 'Other', environment_id: tenant.environment_id, card_url: remote.cardUrl, keys: [remote.key.jwk] };
  const { json, status, text } = await owner('POST', '/v1/a2a/connections', body);
  assert.equal(status, 201, text);
  const verified = await owner('POST', `/v1/a2a/connections/${json.id}/verify`, {});
  assert.deepEqual([verified.status, verified.json.verified_key], [200, 'p256'], verified.text);
});

test('blockA2aConnection is reversed only by a person who gives a reason', async () => {
  const scene = await newScene();
  await scene.verify();
  const blocked = await scene.block();
  assert.deepEqual([blocked.status, blocked.json.status, blocked.json.status_reason], [200, 'BLOCKED', 'test'], blocked.text);
  assert.equal((await scene.block()).json.error.code, 'INVALID_STATE_TRANSITION');
  assert.equal((await scene.verify()).json.error.code, 'INVALID_STATE_TRANSITION');
  const released = await scene.verify({ release: 'It was a false alarm.' });
  assert.deepEqual([released.status, released.json.status], [200, 'VERIFIED'], released.text);
  const [event] = await listEvents(scene, 'a2a.connection_updated');
  assert.deepEqual([event.severity, event.data.reason], ['warning', 'It was a false alarm.']);
});

test('registerA2aConnection refuses bad addresses and keys with their pointers, and taken names', async () => {
  const { owner, tenant, remote } = await newScene();
  const register = (more: object) =>
    owner('POST', '/v1/a2a/connections', {
      ...{ name: 'Another', environment_id: tenant.environment_id, card_url: remote.cardUrl, keys: [remote.key.jwk] },
      ...more,
    });
  for (const card_url of ['ftp://a.example/c', 'https://u:p@a.example/c', 'https://a.example/c?x=1', 'nonsense'])
    assert.equal((await register({ card_url })).json.error.details.faults[0].pointer, '/card_url', card_url);
  const bad = [
    { kty: 'OKP', crv: 'Ed25519', x: 'AA' },
    { kty: 'OKP', crv: 'Ed25519', x: Buffer.alloc(32).toString('base64url') },
    { kty: 'EC', crv: 'P-256', x: Buffer.alloc(32, 1).toString('base64url'), y: Buffer.alloc(32, 1).toString('base64url') },
    { ...remote.key.jwk, alg: 'HS256' },
  ];
  for (const key of bad) {
    const { json, text } = await register({ keys: [key] });
    assert.equal(json.error.details.faults[0].pointer, '/keys/0', text);
  }
  assert.equal((await register({ keys: [remote.key.jwk, remote.key.jwk] })).json.error.details.faults[0].pointer, '/keys/1');
  assert.equal((await register({ keys: [] })).status, 400);
  assert.equal((await register({ keys: [{ ...remote.key.jwk, d: 'secret' }] })).status, 400);
  assert.equal((await register({ name: 'Partner' })).json.error.code, 'ALREADY_EXISTS');
});

test('verifyA2aConnection, blockA2aConnection and reads do not find anything of another tenant', async () => {
  const [one, other] = [await newScene(), await newScene()];
  const path = `/v1/a2a/connections/${one.connectionId}`;
  assert.equal((await other.owner('GET', path)).status, 404);
  assert.equal((await other.owner('POST', `${path}/verify`, {})).status, 404);
  assert.equal((await other.owner('POST', `${path}/block`, { reason: 'x' })).status, 404);
});

// biome-ignore lint/suspicious/noExplicitAny: a card is changed member by member
const mark = (card: string, change: (card: Record<string, any>) => void): string => {
  const read = JSON.parse(card);
  change(read);
  return JSON.stringify(read);
};
const encode = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

type Forgery = readonly [name: string, check: string, forge: (signed: string, scene: A2aScene) => string | Promise<string>];

const header = (change: (header: Record<string, unknown>) => void) => (signed: string) =>
  mark(signed, ({ signatures }) => {
    const read = JSON.parse(Buffer.from(signatures[0].protected, 'base64url').toString());
    change(read);
    signatures[0].protected = encode(read);
  });
const signedBy =
  (newKey: () => CardSigningKey) =>
  async (_: string, { remote }: A2aScene): Promise<string> => {
    const { key } = remote;
    remote.key = newKey();
    return remote.signedCard().finally(() => {
      remote.key = key;
    });
  };

const FORGERIES: readonly Forgery[] = [
  ['another key with the same kid', 'SIGNATURE', signedBy(() => newSigningKey('key-1'))],
  ['another key with an unknown kid', 'SIGNATURE', signedBy(() => newSigningKey('key-9'))],
  ['the kid of the key with another algorithm', 'SIGNATURE', signedBy(() => newSigningKey('key-1', 'ES256'))],
  ['alg none', 'SIGNATURE', header((read) => Object.assign(read, { alg: 'none' }))],
  ['alg HS256', 'SIGNATURE', header((read) => Object.assign(read, { alg: 'HS256' }))],
  ['an unknown crit', 'SIGNATURE', header((read) => Object.assign(read, { crit: ['x'] }))],
  ['a jku', 'SIGNATURE', header((read) => Object.assign(read, { jku: 'https://evil.example/keys' }))],
  ['an embedded jwk', 'SIGNATURE', header((read) => Object.assign(read, { jwk: newSigningKey('key-1').jwk }))],
  ['no kid', 'SIGNATURE', header((read) => delete read.kid)],
  ['an empty signature', 'CARD', (signed) => mark(signed, ({ signatures }) => Object.assign(signatures[0], { signature: '' }))],
  [
    'a truncated signature',
    'SIGNATURE',
    (signed) => mark(signed, ({ signatures }) => Object.assign(signatures[0], { signature: signatures[0].signature.slice(0, 40) })),
  ],
  ['an attached payload', 'CARD', (signed) => mark(signed, ({ signatures }) => Object.assign(signatures[0], { payload: encode('{}') }))],
  [
    'an unprotected header',
    'CARD',
    (signed) => mark(signed, ({ signatures }) => Object.assign(signatures[0], { header: { kid: 'key-1' } })),
  ],
  ['no signature', 'CARD', (signed) => mark(signed, (card) => delete card.signatures)],
  [
    'a good and a bad signature with the registered key',
    'SIGNATURE',
    (signed) =>
      mark(signed, ({ signatures }) => signatures.push({ ...signatures[0], signature: encode(Buffer.alloc(64).toString('latin1')) })),
  ],
  [
    'a bad signature and a good one by an unregistered key',
    'SIGNATURE',
    async (signed, scene) => {
      const other = JSON.parse(await signedBy(() => newSigningKey('key-9'))(signed, scene));
      return mark(signed, ({ signatures }) => {
        signatures[0].signature = encode('x'.repeat(64));
        signatures.push(other.signatures[0]);
      });
    },
  ],
  ['an unsigned member', 'SIGNATURE', (signed) => mark(signed, (card) => Object.assign(card, { note: 'hello' }))],
  ['a changed description', 'SIGNATURE', (signed) => mark(signed, (card) => Object.assign(card, { description: 'Other.' }))],
  [
    'a default value that was added',
    'SIGNATURE',
    (signed) => mark(signed, ({ capabilities }) => Object.assign(capabilities, { pushNotifications: false })),
  ],
  ['an empty member that was added', 'CARD', (signed) => mark(signed, (card) => Object.assign(card, { iconUrl: '' }))],
  ['a member twice', 'CARD', (signed) => signed.replace('{', '{"name":"Remote agent",')],
  ['signatures twice', 'CARD', (signed) => signed.replace('{', '{"signatures":[],')],
  ['an escaped character', 'CARD', (signed) => signed.replace('Remote agent', 'Remote \\u0061gent')],
  ['a byte order mark', 'CARD', (signed) => `\uFEFF${signed}`],
  ['no JSON', 'CARD', () => '<html></html>'],
  ['a user name in an address', 'INTERFACE', (signed) => signed.replaceAll('http://127', 'http://u:p@127')],
  ['an address of another host', 'INTERFACE', (signed) => signed.replaceAll('127.0.0.1', 'evil.example')],
  ['an address of another scheme', 'INTERFACE', (signed) => signed.replaceAll('http://127', 'https://127')],
  ['an address of another port', 'INTERFACE', (signed) => signed.replace(/(127\.0\.0\.1:)\d+/, '$11')],
  ['a host that looks alike', 'INTERFACE', (signed) => signed.replaceAll('127.0.0.1', 'аgent.example')],
  ['an older protocol', 'INTERFACE', (signed) => signed.replace('"protocolVersion":"1.0"', '"protocolVersion":"0.3"')],
];

test('verifyA2aConnection refuses forged cards, and marks an active connection as STALE from then on', async () => {
  const scene = await newScene();
  const { remote, owner, connectionId } = scene;
  assert.equal((await scene.verify()).status, 200);
  for (const [name, check, forge] of FORGERIES) {
    remote.forge = (signed) => forge(signed, scene);
    const { status, json, text } = await scene.verify();
    assert.deepEqual([status, json.error?.code, json.error?.details?.check], [403, 'PASSPORT_INVALID', check], `${name}: ${text}`);
    const { status: kept, checks } = (await owner('GET', `/v1/a2a/connections/${connectionId}`)).json;
    assert.deepEqual([kept, checks.at(-1).ok], ['STALE', false], name);
    remote.forge = (signed) => signed;
    assert.equal((await scene.verify()).status, 200, name);
  }
});

test('verifyA2aConnection refuses former cards, replayed challenges, redirects and large cards', async () => {
  const scene = await newScene();
  const { remote } = scene;
  await scene.verify();
  const former = await remote.signedCard();
  remote.version = '2.0.0';
  assert.equal((await scene.verify()).json.card.version, '2.0.0');
  remote.forge = () => former;
  assert.equal((await scene.verify()).json.error.details.check, 'NEWNESS');
  remote.forge = (signed) => signed;
  remote.offersChallenge = true;
  let first: unknown;
  remote.answerChallenge = (challenge) => {
    first ??= { jws: signChallenge(remote.key, challenge) };
    return first;
  };
  assert.equal((await scene.verify()).json.proof, 'CARD_AND_CHALLENGE');
  assert.equal((await scene.verify()).json.error.details.check, 'CHALLENGE', 'a nonce is used once');
  remote.answerChallenge = (challenge) => ({ jws: signChallenge(newSigningKey('key-1'), challenge) });
  assert.equal((await scene.verify()).json.error.details.check, 'CHALLENGE');
  remote.answerChallenge = ({ nonce }) => ({ jws: signChallenge(remote.key, { nonce, audience: 'https://other.example' }) });
  assert.equal((await scene.verify()).json.error.details.check, 'CHALLENGE');
  remote.answerChallenge = () => ({});
  assert.equal((await scene.verify()).json.error.details.check, 'CHALLENGE');
  remote.before = (_, response) => {
    response.writeHead(302, { location: 'https://evil.example/' }).end();
    return true;
  };
  assert.equal((await scene.verify()).json.error.code, 'EXECUTION_FAILED');
  remote.before = () => false;
  remote.forge = (signed) => mark(signed, (card) => Object.assign(card, { description: 'x'.repeat(70_000) }));
  assert.ok((await scene.verify()).status >= 400);
});

test('updateA2aConnection keeps the host and a block, and deleteA2aConnection disables the tool', async () => {
  const scene = await newScene();
  const { owner, connectionId, remote } = scene;
  const path = `/v1/a2a/connections/${connectionId}`;
  await scene.verify();
  const readPointer = async (body: object): Promise<string> => (await owner('PATCH', path, body)).json.error.details.faults[0].pointer;
  assert.equal(await readPointer({ card_url: 'https://evil.example/card.json' }), '/card_url');
  assert.equal(await readPointer({ card_url: 'ftp://evil.example' }), '/card_url');
  assert.equal(await readPointer({ agent_url: 'https://evil.example/a2a' }), '/agent_url');
  assert.equal(await readPointer({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AA' }] }), '/keys/0');
  const renamed = await owner('PATCH', path, { name: 'Renamed' });
  assert.deepEqual([renamed.status, renamed.json.name, renamed.json.status], [200, 'Renamed', 'VERIFIED'], renamed.text);
  await scene.block();
  const moved = await owner('PATCH', path, { card_url: `${remote.url}/other.json`, keys: [newSigningKey('key-2').jwk] });
  assert.deepEqual([moved.json.status, moved.json.verified_key], ['BLOCKED', null], moved.text);
  assert.equal((await scene.verify()).json.error.code, 'INVALID_STATE_TRANSITION', 'a block outlasts a change');
  const other = await newScene();
  assert.equal((await other.owner('PATCH', path, { name: 'x' })).status, 404);
  assert.equal((await other.owner('DELETE', path)).status, 404);
  assert.equal((await owner('DELETE', path)).json.name, 'Renamed');
  const tool = (await owner('GET', `/v1/tools/${moved.json.tool_id}`)).json;
  assert.deepEqual([tool.status, tool.disabled_reason], ['DISABLED', 'Its A2A connection was removed.']);
});

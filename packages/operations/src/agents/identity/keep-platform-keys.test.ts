import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { deriveKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { createPlatformKey } from '@svc/keyring/sealed/platform-key.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_MASTER_KEY, testLogin } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { keepPlatformKeys, type LivePlatformKeys } from './keep-platform-keys.ts';

const read = readMasterKey(TEST_MASTER_KEY);
if (!read.ok) throw new Error(read.reason);
const masterKey = read.key;
const told: string[] = [];
const tell = (facts: object, sentence: string) => void told.push(`${JSON.stringify(facts)} ${sentence}`);

let database: FreshDatabase;
let owner: pg.Client;
let reader: Database;
let live: LivePlatformKeys;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  reader = connect({ url: database.url, role: 'svc_reader', ...testLogin('svc_reader'), connectionsMax: 1, timeoutMs: 20_000 });
  live = await keepPlatformKeys(reader, masterKey, { error: tell, warn: tell });
});
after(async () => {
  live.close();
  await reader.destroy();
  await owner.end();
  await database.drop();
});

const put = async (made = createPlatformKey(deriveKey(masterKey, 'platform-key-wrapping'))): Promise<string> => {
  await owner.query('insert into platform_keys (key_id, public_key, private_key_sealed) values ($1, $2, $3)', [
    made.kid,
    made.public_key,
    made.sealed_private_key,
  ]);
  return made.kid;
};

test('a key that was created or retired since is known when the keys are read again, and logged', async () => {
  const first = live.keys.signing.kid;
  assert.equal(await live.renew(), false);
  const next = await put();
  assert.equal(await live.renew(), true);
  assert.deepEqual([live.keys.signing.kid, [...live.keys.accepted.keys()]], [next, [next, first]]);
  assert.ok(told.some((line) => line.includes(`{"made":["${next}"],"retired":[]}`)));
  await owner.query('update platform_keys set retired_at = now() where key_id = $1', [first]);
  assert.equal(await live.renew(), true);
  assert.deepEqual([live.keys.accepted.has(first), live.keys.ofLog.has(first), live.retired.map(({ kid }) => kid)], [false, true, [first]]);
  assert.ok(told.some((line) => line.includes(`{"made":[],"retired":["${first}"]}`)));
});

test('a row that was not sealed here changes nothing and is logged once, and missing keys keep the known ones', async () => {
  const { kid } = live.keys.signing;
  const junk = await put(createPlatformKey(createSecretKey(randomBytes(32))));
  assert.deepEqual([await live.renew(), await live.renew(), live.keys.signing.kid], [false, false, kid]);
  assert.equal(told.filter((line) => line.includes(junk)).length, 1);
  await owner.query('delete from platform_keys where key_id = $1', [kid]);
  assert.deepEqual([await live.renew(), live.keys.signing.kid], [false, kid]);
  await owner.query('delete from platform_keys where retired_at is null');
  assert.deepEqual([await live.renew(), live.keys.signing.kid], [false, kid]);
});

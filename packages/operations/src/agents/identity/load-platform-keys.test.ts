import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { deriveKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { createPlatformKey } from '@svc/keyring/sealed/platform-key.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_MASTER_KEY, testLogin } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { loadPlatformKeys } from './load-platform-keys.ts';

const read = readMasterKey(TEST_MASTER_KEY);
if (!read.ok) throw new Error(read.reason);
const masterKey = read.key;
const told: string[] = [];
const log = { error: (facts: object, sentence: string) => void told.push(`${JSON.stringify(facts)} ${sentence}`) };

let database: FreshDatabase;
let owner: pg.Client;
let reader: Database;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  reader = connect({ url: database.url, role: 'svc_reader', ...testLogin('svc_reader'), connectionsMax: 1, timeoutMs: 20_000 });
});
after(async () => {
  await reader.destroy();
  await owner.end();
  await database.drop();
});

const put = (kid: string, publicKey: string, sealed: Buffer, retiredAt: string | null = null) =>
  owner.query(
    "insert into platform_keys (key_id, public_key, private_key_sealed, created_at, retired_at) values ($1, $2, $3, now() + interval '1 day', $4)",
    [kid, publicKey, sealed, retiredAt],
  );

test('rows that were not sealed here are omitted and logged, with any content, and the key of the installation continues to sign', async () => {
  const own = await loadPlatformKeys(reader, masterKey, log);
  const foreign = createPlatformKey(createSecretKey(randomBytes(32)));
  await put('junk', 'junk', Buffer.of(0));
  await put(foreign.kid, foreign.public_key, foreign.sealed_private_key);
  await put('retired junk', '', Buffer.alloc(0), '2024-01-01T00:00:00Z');
  const loaded = await loadPlatformKeys(reader, masterKey, log);
  assert.equal(loaded.keys.signing.kid, own.keys.signing.kid);
  assert.deepEqual([loaded.published, loaded.retired, [...loaded.keys.ofLog.keys()]], [own.published, [], [own.keys.signing.kid]]);
  assert.deepEqual(
    ['junk', foreign.kid, 'retired junk'].map((kid) => told.filter((line) => line.includes(`"${kid}"`)).length),
    [1, 1, 1],
  );
});

test('another master key, which opens none of them, is refused', async () => {
  await assert.rejects(loadPlatformKeys(reader, createSecretKey(randomBytes(32)), log), CredentialKeyError);
});

test('a key of the installation opens next to another, and the newest one signs', async () => {
  const next = createPlatformKey(deriveKey(masterKey, 'platform-key-wrapping'));
  await put(next.kid, next.public_key, next.sealed_private_key);
  assert.equal((await loadPlatformKeys(reader, masterKey, log)).keys.signing.kid, next.kid);
});

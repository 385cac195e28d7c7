import assert from 'node:assert/strict';
import { hkdfSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { CredentialKeyError } from './credential-key-error.ts';
import { deriveInstallation } from './installation.ts';
import {
  deriveCarriedInstallationKey,
  masterKeyId,
  newInstallationKey,
  readInstallationKey,
  unwrapInstallationKey,
  wrapInstallationKey,
  writeInstallationKey,
} from './installation-key.ts';
import { deriveKey, deriveRolePassword, type KeyPurpose, newMasterKey, readMasterKey } from './master-key.ts';

const newMaster = (): KeyObject => {
  const read = readMasterKey(newMasterKey());
  assert.ok(read.ok);
  return read.key;
};
const [master, other] = [newMaster(), newMaster()];

test('opens an installation key with its master key, and with no other or with one changed bit', () => {
  const key = newInstallationKey();
  const wrapped = wrapInstallationKey(master, key);
  assert.deepEqual(unwrapInstallationKey(master, wrapped).export(), key.export());
  assert.throws(() => unwrapInstallationKey(other, wrapped), CredentialKeyError);
  for (const at of [1, 20, wrapped.length - 1]) {
    const changed = Buffer.from(wrapped);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.throws(() => unwrapInstallationKey(master, changed), CredentialKeyError);
  }
  assert.notDeepEqual(newInstallationKey().export(), key.export());
});

test('derives the same id for the same master key, which reveals nothing of it', () => {
  assert.match(masterKeyId(master), /^[0-9a-f]{16}$/);
  assert.notEqual(masterKeyId(master), masterKeyId(other));
  assert.ok(!master.export().toString('hex').includes(masterKeyId(master)));
});

test('passes a key to a process as text and reads it back, and rejects any other text', () => {
  const key = newInstallationKey();
  assert.deepEqual(readInstallationKey(`${writeInstallationKey(key)}\n`)?.export(), key.export());
  for (const text of ['', writeInstallationKey(master), `${writeInstallationKey(key)}=`, 'x'.repeat(88)])
    assert.equal(readInstallationKey(text), undefined);
});

test('keeps names and hashes when an installation gets its own key, and nothing that decrypts', () => {
  const key = deriveCarriedInstallationKey(master);
  const lasting: readonly KeyPurpose[] = [
    ...(['recovery-code-hashing', 'cursor-signing', 'stream-positions', 'device-cookies', 'code-hashing'] as const),
    'event-authentication',
  ];
  const sealing: readonly KeyPurpose[] = [
    ...(['data-key-wrapping', 'platform-key-wrapping', 'second-factor-sealing', 'mail-sealing'] as const),
    ...(['sign-up-sealing', 'sso-secret-sealing', 'webhook-sealing'] as const),
  ];
  for (const purpose of lasting) assert.deepEqual(deriveKey(key, purpose).export(), deriveKey(master, purpose).export(), purpose);
  for (const purpose of sealing) assert.notDeepEqual(deriveKey(key, purpose).export(), deriveKey(master, purpose).export(), purpose);
  assert.notEqual(deriveRolePassword(key, 'svc_app'), deriveRolePassword(master, 'svc_app'));
  const [before, now] = [deriveInstallation(master), deriveInstallation(key)];
  assert.deepEqual([now.id, now.keyCheck === before.keyCheck], [before.id, false]);
});

test('derives a key of a purpose from its half under a label that no release changes, or stored secrets would be lost', () => {
  const key = newInstallationKey();
  const [sealing, lasting] = [key.export().subarray(0, 32), key.export().subarray(32)];
  const expected = (half: Uint8Array, purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', half, '', `agent-governance/1/key/${purpose}`, 32));
  assert.deepEqual(deriveKey(key, 'webhook-sealing').export(), expected(sealing, 'webhook-sealing'));
  assert.deepEqual(deriveKey(key, 'cursor-signing').export(), expected(lasting, 'cursor-signing'));
});

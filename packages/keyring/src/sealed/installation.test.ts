import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveInstallation, deriveRoleLogin } from './installation.ts';
import { deriveKey, newMasterKey, readMasterKey } from './master-key.ts';
import { createPlatformKey } from './platform-key.ts';

const newKey = () => {
  const read = readMasterKey(newMasterKey());
  return read.ok ? read.key : assert.fail(read.reason);
};

test('derives the same installation from the same master key, with its own name, logins and check', () => {
  const [key, other] = [newKey(), newKey()];
  const [mine, again, theirs] = [key, key, other].map((each) => {
    const { id, keyCheck, loginOf } = deriveInstallation(each);
    return { id, keyCheck, ...loginOf('svc_app') };
  });
  assert.deepEqual(mine, again);
  assert.deepEqual(deriveRoleLogin(key, 'svc_app'), { user: mine?.user, password: mine?.password });
  assert.equal(mine?.user, `svc_${mine?.id}_app`);
  assert.match(mine?.id ?? '', /^[0-9a-f]{10}$/);
  for (const part of ['id', 'keyCheck', 'user', 'password'] as const) assert.notEqual(mine?.[part], theirs?.[part]);
  assert.equal(new Set([mine?.id, mine?.keyCheck, mine?.password]).size, 3);
});

test('distinguishes what was sealed with another master key', () => {
  const [key, other] = [newKey(), newKey()];
  const sealed = createPlatformKey(deriveKey(key, 'platform-key-wrapping'));
  assert.deepEqual([deriveInstallation(key).opens(sealed), deriveInstallation(other).opens(sealed)], [true, false]);
});

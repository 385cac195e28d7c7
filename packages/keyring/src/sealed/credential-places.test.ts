import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { CredentialKeyError } from './credential-key-error.ts';
import { openCredentialSecret, sealCredentialSecret } from './credential-secret.ts';
import { openToken, sealToken } from './credential-tokens.ts';

const key = createSecretKey(randomBytes(32));

test('a secret opens in its organization, row and generation, and nowhere else under the same key', () => {
  const place = { organization_id: 'org_1', id: 'cred_1', generation: 2 };
  const sealed = sealCredentialSecret(key, 'a secret of a service', place);
  assert.equal(openCredentialSecret(key, sealed, place), 'a secret of a service');
  for (const other of [{ organization_id: 'org_2' }, { id: 'cred_2' }, { generation: 3 }])
    assert.throws(() => openCredentialSecret(key, sealed, { ...place, ...other }), CredentialKeyError, JSON.stringify(other));
});

test('a token opens in its organization, row, column and version, and nowhere else under the same key', () => {
  const place = { organization_id: 'org_1', credential_id: 'cred_1', kind: 'refresh_token', version: 2 } as const;
  const sealed = sealToken(key, 'a token of a service', place);
  assert.equal(openToken(key, sealed, place), 'a token of a service');
  for (const other of [{ organization_id: 'org_2' }, { credential_id: 'cred_2' }, { kind: 'access_token' }, { version: 3 }] as const)
    assert.throws(() => openToken(key, sealed, { ...place, ...other }), CredentialKeyError, JSON.stringify(other));
});

import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { CredentialKeyError } from './credential-key-error.ts';
import { openCredentialSecret, type SecretBinding, sealCredentialSecret } from './credential-secret.ts';
import { openToken, sealToken } from './credential-tokens.ts';

const key = createSecretKey(randomBytes(32));
const SECRETS = { secret: 'a secret of a service', extras: [] };

test('opens a secret in its organization, row, generation and terms, and nowhere else under the same key', () => {
  const oauth = { grant: 'CLIENT_CREDENTIALS', token_url: 'https://login.example/token', client_id: 'acme' } as const;
  const terms = {
    scheme: 'HEADER',
    placement: { header: 'x-key', prefix: 'Token' },
    extras: [],
    destinations: ['a.example'],
    servers: [],
    tools: ['refund'],
    oauth,
  } as const;
  const place = { organization_id: 'org_1', id: 'cred_1', generation: 2, workspace_id: 'wks_1', environment_id: 'env_1', ...terms };
  const sealed = sealCredentialSecret(key, SECRETS, place);
  // The order in which a database stores members is irrelevant.
  const asStored = { ...place, placement: { prefix: 'Token', header: 'x-key' } };
  assert.deepEqual(openCredentialSecret(key, sealed, asStored), SECRETS);
  const others: readonly Partial<SecretBinding>[] = [
    ...[{ organization_id: 'org_2' }, { id: 'cred_2' }, { generation: 3 }, { workspace_id: 'wks_2' }, { environment_id: 'env_2' }],
    ...[{ scheme: 'QUERY' as const }, { placement: { header: 'x-other', prefix: 'Token' } }, { destinations: ['a.example', 'b.example'] }],
    ...[{ extras: [{ in: 'QUERY' as const, name: 'app' }] }],
    ...[{ tools: ['refund', 'pay'] }, { oauth: null }, { oauth: { ...oauth, token_url: 'https://elsewhere.example/token' } }],
  ];
  for (const other of others)
    assert.throws(() => openCredentialSecret(key, sealed, { ...place, ...other }), CredentialKeyError, JSON.stringify(other));
});

test('seals the secrets of extra items with the first, for their positions', () => {
  const extras = [
    { in: 'HEADER', name: 'x-app' },
    { in: 'QUERY', name: 'app' },
  ] as const;
  const terms = {
    scheme: 'BEARER',
    placement: {},
    extras,
    destinations: ['a.example'],
    servers: [],
    tools: ['refund'],
    oauth: null,
  } as const;
  const place = { organization_id: 'org_1', id: 'cred_1', generation: 1, workspace_id: 'wks_1', environment_id: 'env_1', ...terms };
  const secrets = { secret: 'a secret', extras: ['of the header', 'of the query'] };
  const sealed = sealCredentialSecret(key, secrets, place);
  assert.deepEqual(openCredentialSecret(key, sealed, place), secrets);
  const others = [[], extras.slice(0, 1), extras.toReversed(), [{ in: 'HEADER', name: 'x-other' }, extras[1]]] as SecretBinding['extras'][];
  for (const other of others) assert.throws(() => openCredentialSecret(key, sealed, { ...place, extras: other }), CredentialKeyError);
  assert.throws(() => sealCredentialSecret(key, { ...secrets, extras: ['one'] }, place), /another number/);
});

test('opens a token in its organization, row, column and version, and nowhere else under the same key', () => {
  const place = { organization_id: 'org_1', credential_id: 'cred_1', kind: 'refresh_token', version: 2 } as const;
  const sealed = sealToken(key, 'a token of a service', place);
  assert.equal(openToken(key, sealed, place), 'a token of a service');
  for (const other of [{ organization_id: 'org_2' }, { credential_id: 'cred_2' }, { kind: 'access_token' }, { version: 3 }] as const)
    assert.throws(() => openToken(key, sealed, { ...place, ...other }), CredentialKeyError, JSON.stringify(other));
});

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { computeThumbprint } from './thumbprint.ts';

test('computes the thumbprint of the key in RFC 8037, appendix A.3', () => {
  const x = Buffer.from('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', 'base64url');
  assert.equal(computeThumbprint(x), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});

test('computes the same thumbprint as an independent library', async () => {
  const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  assert.equal(computeThumbprint(Buffer.from(jwk.x ?? '', 'base64url')), await calculateJwkThumbprint(jwk as JWK));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredOauth } from '@svc/contract/credentials/oauth.ts';
import { computePkceChallenge } from '@svc/keyring/codes/pkce.ts';
import { buildAuthorizationUrl, derivePkceVerifier } from './authorization-url.ts';

test('a verifier is derived from the browser secret and the state, so that another browser or start has another', () => {
  const verifier = derivePkceVerifier('of the browser', 'of the beginning');
  assert.match(verifier, /^[\w.~-]{43,128}$/);
  assert.equal(derivePkceVerifier('of the browser', 'of the beginning'), verifier);
  assert.notEqual(derivePkceVerifier('of another browser', 'of the beginning'), verifier);
  assert.notEqual(derivePkceVerifier('of the browser', 'of another beginning'), verifier);
});

test('the address for the browser contains the challenge of its verifier and never the verifier', () => {
  const oauth = { authorization_url: 'https://login.example/authorize?tenant=us', client_id: 'an-application' } as StoredOauth;
  const verifier = derivePkceVerifier('of the browser', 'of the beginning');
  const url = buildAuthorizationUrl(oauth, { redirect_uri: 'https://us.example/return', state: 'of the beginning', verifier });
  const { searchParams } = new URL(url);
  assert.deepEqual(
    [searchParams.get('code_challenge'), searchParams.get('code_challenge_method')],
    [computePkceChallenge(verifier), 'S256'],
  );
  assert.deepEqual([searchParams.get('tenant'), searchParams.get('state')], ['us', 'of the beginning']);
  assert.ok(!url.includes(verifier));
});
